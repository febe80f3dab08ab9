import type { Secret } from '../lib/redact.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** A variable with one of these in its name holds nothing else. */
const surely = /PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|CREDENTIAL|APIKEY|PRIVATE_?KEY/;
/** One of these as a word of its own: often a secret, sometimes a setting. */
const maybe = /(?:^|_)(?:KEYS?|AUTH|PASS|PWD|PAT|COOKIES?|DSN|CREDS)(?:_|$)/;
/** It says where something is, not what it is. */
const place = /_(?:FILE|PATH|DIR|SOCK|SOCKET|HOST|PORT|USER|NAME|ID|TYPE|METHOD|MODE)$/;
const places: ReadonlySet<string> = new Set(['PWD', 'GOOGLE_APPLICATION_CREDENTIALS']);
/** A plain word is a setting, such as `required`, and stands in every text. */
const plainWord = /^[a-z-]{1,15}$/;

export function soundsSecret(name: string, value: string): boolean {
  const upper = name.toUpperCase();
  if (places.has(upper) || place.test(upper)) return false;
  return surely.test(upper) || (maybe.test(upper) && !plainWord.test(value));
}

/** What of an environment must not be told: what sounds secret, and what is named so. */
export function secretsIn(env: Variables, named: readonly string[]): readonly Secret[] {
  const listed = new Set(named);
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && (listed.has(name) || soundsSecret(name, value)) ? [{ name, value }] : [],
  );
}
