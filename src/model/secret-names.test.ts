import { expect, test } from 'vitest';
import { secretsIn, soundsSecret } from './secret-names.ts';

test.each(
  'ANTHROPIC_API_KEY GITHUB_TOKEN CLIENT_SECRET DB_PASSWORD PGPASSWORD AWS_SECRET_ACCESS_KEY npm_config__authToken MYSQL_PWD GH_PAT MY_AUTH SENTRY_DSN APIKEY CREDENTIALS'.split(
    ' ',
  ),
)('%s sounds secret', (name) => {
  expect(soundsSecret(name, 'aB3-9xYz')).toBe(true);
});

test.each(
  'PATH PWD OLDPWD GIT_AUTHOR_NAME SSH_AUTH_SOCK KEYBOARD_LAYOUT TOKEN_FILE PASSAGE PATTERN AWS_ACCESS_KEY_ID GOOGLE_APPLICATION_CREDENTIALS MONKEY'.split(
    ' ',
  ),
)('%s does not', (name) => {
  expect(soundsSecret(name, 'aB3-9xYz')).toBe(false);
});

test('a setting that is a plain word is no secret, unless its name leaves no doubt', () => {
  expect(soundsSecret('SMTP_AUTH', 'required')).toBe(false);
  expect(soundsSecret('SMTP_PASSWORD', 'required')).toBe(true);
});

test('an environment is searched by the names it has and those that were given', () => {
  const env = { API_KEY: 'aB3-9xYz', COLOUR: 'the-innocent', OTHER: 'plain', EMPTY_TOKEN: undefined };
  expect(secretsIn(env, ['COLOUR', 'ABSENT'])).toEqual([
    { name: 'API_KEY', value: 'aB3-9xYz' },
    { name: 'COLOUR', value: 'the-innocent' },
  ]);
});
