/** A kind of secret that is known by its shape, wherever it comes from. */
export interface SecretPattern {
  readonly name: string;
  /** One group: what stands before the secret, and stays. */
  readonly source: string;
}

const word = '[A-Za-z0-9_-]';
const keyHead = '[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----';

/**
 * A key in armour never goes beyond a quotation mark, so that of JSON text only a string is changed. Where its end is
 * missing, all that looks like its lines belongs to it.
 */
const privateKey = [
  `()-----BEGIN ${keyHead}`,
  String.raw`(?:[^"]{0,32768}?-----END ${keyHead}|(?:(?:\s|\\[nr])+[A-Za-z0-9+/=]{16,})*)`,
].join('');

const scheme = String.raw`[Aa]uthorization\\?["']?\s{0,2}[:=]\s{0,2}\\?["']?(?:[Bb]earer|[Bb]asic|[Tt]oken)\s{1,2}`;

/** Every one begins with something certain: the time it takes grows with the text, and with nothing else. */
export const wellKnownSecrets: readonly SecretPattern[] = [
  { name: 'private-key', source: privateKey },
  key('anthropic-key', 'sk-ant-', `${word}{16,}`),
  key('openai-key', 'sk-', `(?:(?:proj|svcacct|admin|or-v1)-${word}{16,}|[A-Za-z0-9]{20,})`),
  ...['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'].map((begin) =>
    key('stripe-key', begin, '[A-Za-z0-9]{16,}'),
  ),
  ...['gho_', 'ghp_', 'ghr_', 'ghs_', 'ghu_'].map((begin) => key('github-token', begin, '[A-Za-z0-9]{20,}')),
  key('github-token', 'github_pat_', '[A-Za-z0-9_]{20,}'),
  key('gitlab-token', 'glpat-', `${word}{16,}`),
  ...['AKIA', 'ASIA'].map((begin) => key('aws-key', begin, '[A-Z0-9]{16}(?![A-Za-z0-9])')),
  key('google-key', 'AIza', `${word}{30,}`),
  key('slack-token', 'xox', '[abeoprs]-[A-Za-z0-9-]{10,}'),
  key('npm-token', 'npm_', '[A-Za-z0-9]{30,}'),
  key('jwt', 'eyJ', String.raw`${word}{8,}\.${word}{8,}\.${word}{8,}`),
  {
    name: 'authorization',
    source: `(${scheme})[A-Za-z0-9._~+/=-]{8,}`,
  },
  {
    name: 'bearer',
    source: String.raw`([Bb]earer )(?=[A-Za-z._~+/-]*[0-9])[A-Za-z0-9._~+/-]{20,}=*`,
  },
  {
    name: 'url-password',
    source: String.raw`(:\/\/[^\s/:@"'\\[\]]{0,100}:)[^\s/:@"'\\[\]]{3,200}(?=@)`,
  },
];

/**
 * Not inside a longer word; but what stands before may be the end of an escape of JSON, such as that of a newline. Looked
 * at after the beginning was found, because looking back at every letter is dear.
 */
function key(name: string, begin: string, rest: string): SecretPattern {
  return { name, source: String.raw`()${begin}(?<!(?<!\\)[A-Za-z0-9_]${begin})${rest}` };
}
