import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formsOf } from './redact-forms.ts';
import { lineRedactor, redactedLines } from './redact-lines.ts';
import { Redactor, type Secret } from './redact.ts';

const secrets: readonly Secret[] = [
  { name: 'API_KEY', value: 'Zq8-plain/Value+77' },
  { name: 'API_KEY_LONG', value: 'Zq8-plain/Value+77-and-more' },
  { name: 'PASSPHRASE', value: 'two words "quoted" & \\back\\ ümlaut' },
  { name: 'ESCAPING', value: 'nabc12345' },
  { name: 'UNICODE', value: 'u00e9bcdef' },
  { name: 'HEX', value: '0001abcdef' },
  { name: 'ENDING', value: 'ends-with\\' },
  { name: 'ODD', value: 'redacted' },
  { name: 'LINES', value: 'first-line-of-a-key-0\nsecond-line-of-a-key\na line of words here\nshort' },
  { name: 'SHORT', value: 'true' },
];
const redactor = new Redactor(secrets);
const pem = [
  '-----BEGIN RSA PRIVATE KEY-----',
  'Proc-Type: 4,ENCRYPTED',
  '',
  'MIIEowIBAAKCAQEA1c7q',
  'abcdefghijklmnopqrstuvwxyz==',
  '-----END RSA PRIVATE KEY-----',
].join('\n');

/** Something that people and agents write, with secrets among it. */
const pieces = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ maxLength: 12 }),
  fc.constantFrom(...secrets.map(({ value }) => value)),
  fc.constantFrom(...secrets.flatMap(({ value }) => formsOf(value))),
  fc.constantFrom(
    '\\',
    '\n',
    '"',
    'sk-',
    'Bearer ',
    'eyJ',
    '://',
    pem,
    '-----BEGIN PRIVATE KEY-----',
    '[redacted:',
  ),
);
const texts = fc.array(pieces, { maxLength: 8 }).map((list) => list.join(''));

test.each([
  ['plain', 'a Zq8-plain/Value+77 b', 'a [redacted:API_KEY] b'],
  ['the longer of two', 'Zq8-plain/Value+77-and-more', '[redacted:API_KEY_LONG]'],
  ['in JSON', JSON.stringify(['two words "quoted" & \\back\\ ümlaut']), '["[redacted:PASSPHRASE]"]'],
  ['in a URL', `?q=${encodeURIComponent('Zq8-plain/Value+77')}&b`, '?q=[redacted:API_KEY]&b'],
  ['in base64', Buffer.from('Zq8-plain/Value+77').toString('base64'), '[redacted:API_KEY]'],
  ['in base64 for URLs', Buffer.from('Zq8-plain/Value+77').toString('base64url'), '[redacted:API_KEY]'],
  ['a line of it alone', '> second-line-of-a-key', '> [redacted:LINES]'],
  ['words of it alone', 'a line of words here', 'a line of words here'],
  ['too short to be one', 'true', 'true'],
  ['redacted before', '[redacted:API_KEY]', '[redacted:API_KEY]'],
])('a known value is taken out %s', (_how, text, clean) => {
  expect(redactor.text(text)).toBe(clean);
});

test.each([':', 'a:', 'ab:', 'abc:'])('a value is found in base64 also after %j', (before) => {
  const encoded = Buffer.from(`${before}Zq8-plain/Value+77@host`).toString('base64');
  const clean = redactor.text(encoded);
  expect(clean).toContain('[redacted:API_KEY]');
  expect(Buffer.from(clean.replace('[redacted:API_KEY]', ''), 'base64').toString()).not.toContain('plain');
});

const patterns: readonly (readonly [string, string])[] = [
  ['anthropic-key', `sk-ant-api03-${'aB3_'.repeat(10)}`],
  ['openai-key', `sk-proj-${'aB3_'.repeat(10)}`],
  ['openai-key', `sk-${'aB3d'.repeat(10)}`],
  ['stripe-key', `sk_live_${'aB3d'.repeat(6)}`],
  ['github-token', `ghp_${'aB3d'.repeat(9)}`],
  ['github-token', `gho_${'aB3d'.repeat(9)}`],
  ['github-token', `github_pat_${'aB3d_'.repeat(9)}`],
  ['gitlab-token', `glpat-${'aB3d'.repeat(5)}`],
  ['aws-key', 'AKIAIOSFODNN7EXAMPLE'],
  ['google-key', `AIza${'aB3d-'.repeat(7)}`],
  ['slack-token', 'xoxb-123456789012-abcdefghij'],
  ['npm-token', `npm_${'aB3d'.repeat(9)}`],
  ['jwt', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U'],
  ['private-key', pem],
];

test.each(patterns)('what looks like a %s is taken out, in text and in JSON', (name, secret) => {
  expect(redactor.text(`it is ${secret}, yes`)).toBe(`it is [redacted:${name}], yes`);
  const json = JSON.stringify({ a: `see:\n${secret}`, b: 1 });
  expect(JSON.parse(redactor.text(json))).toEqual({ a: `see:\n[redacted:${name}]`, b: 1 });
});

test.each([
  ['Authorization: Bearer abcdefgh12', 'Authorization: Bearer [redacted:authorization]'],
  ['{"authorization":"Basic dXNlcjpwYXNz"}', '{"authorization":"Basic [redacted:authorization]"}'],
  ['curl -H "bearer a1b2c3d4e5f6a1b2c3d4e5f6"', 'curl -H "bearer [redacted:bearer]"'],
  ['postgres://me:hunter2@db/x', 'postgres://me:[redacted:url-password]@db/x'],
])('what a protocol says is secret is taken out, and what stands before stays: %s', (text, clean) => {
  expect(redactor.text(text)).toBe(clean);
});

test.each([
  'task-20251118-153042-coder-and-more-words',
  'npm_config_registry and sk-learn-is-a-library-of-models',
  'the bearer of this message is not authorized to say more',
  'https://example.org:8080/path@2 and user@host',
  'a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90',
  '-----BEGIN CERTIFICATE-----\nMIIEowIBAAKCAQEA1c7q\n-----END CERTIFICATE-----',
])('what only resembles a secret stays: %s', (text) => {
  expect(redactor.text(text)).toBe(text);
});

test('a key whose end is missing takes its own lines with it and nothing else', () => {
  const torn = pem.split('\n').slice(0, 1).concat('MIIEowIBAAKCAQEA1c7q', 'and then some words').join('\n');
  expect(redactor.text(torn)).toBe('[redacted:private-key]\nand then some words');
});

test('redacting again changes nothing, and nothing of a secret is left', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const clean = redactor.text(text);
      expect(redactor.text(clean)).toBe(clean);
      for (const { name, value } of secrets) {
        if (name !== 'SHORT' && name !== 'ODD') expect(clean).not.toContain(value);
      }
    }),
    { numRuns: 3000 },
  );
});

test('JSON stays JSON, and says the same with its secrets taken out', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), texts), (value) => {
      const clean = redactor.json(value);
      const text = JSON.stringify(clean);
      for (const { name, value: secret } of secrets) {
        if (name !== 'SHORT' && name !== 'ODD') expect(Object.values(clean).join('\0')).not.toContain(secret);
      }
      expect(redactor.text(text)).toBe(text);
    }),
    { numRuns: 3000 },
  );
});

test.each([
  ['\\nabc12345', '\\n[redacted:ESCAPING]'],
  ['\\u00e9bcdef', '\\u00e9[redacted:UNICODE]'],
  ['\\u0001abcdef', '\\u0001[redacted:HEX]'],
  ['\\\\nabc12345', '\\\\[redacted:ESCAPING]'],
  ['ends-with\\"', '[redacted:ENDING]\\"'],
])('an escape that a secret seems to begin in stays whole: %s', (text, clean) => {
  expect(redactor.text(text)).toBe(clean);
});

test('text that holds no secret is not changed, 100,000 times', () => {
  const plain = fc.sample(
    fc.string({ unit: fc.constantFrom(...'a b c d e f \n 0 1 2 3'.split(' '), ' '), maxLength: 200 }),
    1000,
  );
  for (let n = 0; n < 100; n += 1) {
    for (const text of plain) expect(redactor.text(text) === text).toBe(true);
  }
});

test('a text grows by no more than the names that are put in place of secrets', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(redactor.text(text).length).toBeLessThanOrEqual(text.length * 9 + 80);
    }),
  );
});

// A pattern that tries every beginning with every end would take hours for these, and the test's limit ends it.
test.each([
  ['-----BEGIN PRIVATE KEY-----'.repeat(20_000)],
  ['://a:'.repeat(200_000)],
  [`Authorization:${' '.repeat(1_000_000)}`],
  [`eyJ${'a'.repeat(1_000_000)}`],
  ['eyJaaaaaaaa.'.repeat(100_000)],
  ['\\'.repeat(1_000_000)],
  ['nabc1234'.repeat(100_000)],
])('a million hostile characters are redacted in one pass (%#)', (text) => {
  expect(redactor.text(text).length).toBeGreaterThan(0);
});

test('without a known value, shapes are all that is looked for', () => {
  const shapes = new Redactor([]);
  expect(shapes.text('Zq8-plain/Value+77 AKIAIOSFODNN7EXAMPLE')).toBe(
    'Zq8-plain/Value+77 [redacted:aws-key]',
  );
  expect(new Redactor([], []).text('AKIAIOSFODNN7EXAMPLE')).toBe('AKIAIOSFODNN7EXAMPLE');
  expect(shapes.json(undefined)).toBe(undefined);
});

test('a value that two names have is spoken of by the first', () => {
  const both = [
    { name: 'ONE', value: 'same-value-1' },
    { name: 'TWO', value: 'same-value-1' },
  ];
  expect(new Redactor(both).text('same-value-1')).toBe('[redacted:ONE]');
});

test('a name is shown shortened, and without what could end its brackets', () => {
  const odd = new Redactor([{ name: `a]b ${'x'.repeat(100)}`, value: 'some-value-1' }]);
  expect(odd.text('some-value-1')).toBe(`[redacted:a_b_${'x'.repeat(56)}]`);
});

test('a key that comes line by line is gone to its last line, and what follows is there', () => {
  const clean = lineRedactor(redactor);
  const lines = ['before', ...pem.split('\n'), 'after Zq8-plain/Value+77'];
  const wanted = [
    'before',
    ...pem.split('\n').map(() => '[redacted:private-key]'),
    'after [redacted:API_KEY]',
  ];
  expect(lines.map(clean)).toEqual(wanted);
  expect([...redactedLines(lines, redactor)]).toEqual(wanted);
});

test('a key that is torn hides no line that is none of its own', () => {
  const clean = lineRedactor(redactor);
  const lines = ['x -----BEGIN PRIVATE KEY-----', '| MIIEowIBAAKCAQEA1c7q', 'these are words, and stay'];
  expect(lines.map(clean)).toEqual([
    'x [redacted:private-key]',
    '[redacted:private-key]',
    'these are words, and stay',
  ]);
  expect(clean(`${pem.replaceAll('\n', ' ')} said`)).toBe('[redacted:private-key] said');
  expect(clean('words')).toBe('words');
});
