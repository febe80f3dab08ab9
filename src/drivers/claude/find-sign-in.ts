import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type JsonObject, textMember } from '../../lib/json.ts';
import { isOn, type Variables } from '../environment.ts';
import {
  cliFolder,
  firstSet,
  homeFolder,
  objectMember,
  readObject,
  type SignIn,
  type SignInPlace,
} from '../sign-in.ts';

/** Settings of the person may set variables and name a program that prints a key. Those of a repository are not read. */
export function findSignIn({ env }: SignInPlace): SignIn {
  const folder = cliFolder(env, 'CLAUDE_CONFIG_DIR', '.claude');
  const settings = readObject(join(folder, 'settings.json'));
  const all: Variables = { ...env, ...texts(objectMember(settings, 'env') ?? {}) };
  if (isOn(all['CLAUDE_CODE_USE_BEDROCK'])) {
    return cloud(all, 'Amazon Bedrock', 'CLAUDE_CODE_USE_BEDROCK', {
      variables: [
        'AWS_BEARER_TOKEN_BEDROCK',
        'AWS_ACCESS_KEY_ID',
        'AWS_PROFILE',
        'CLAUDE_CODE_SKIP_BEDROCK_AUTH',
      ],
      files: ['.aws/credentials', '.aws/config'],
      fix: 'sign in to AWS (aws sso login) or set AWS_PROFILE',
    });
  }
  if (isOn(all['CLAUDE_CODE_USE_VERTEX'])) {
    return cloud(all, 'Google Vertex AI', 'CLAUDE_CODE_USE_VERTEX', {
      variables: ['GOOGLE_APPLICATION_CREDENTIALS', 'CLAUDE_CODE_SKIP_VERTEX_AUTH'],
      files: ['.config/gcloud/application_default_credentials.json'],
      fix: 'gcloud auth application-default login',
    });
  }
  const keys = ['ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_API_KEY', 'CLAUDE_CODE_OAUTH_TOKEN'];
  const key = firstSet(all, keys);
  if (key !== null) {
    const from = (env[key] ?? '') === '' ? ` in ${join(folder, 'settings.json')}` : '';
    return { found: true, text: `${key} is set${from}`, variables: from === '' ? [key] : [] };
  }
  if (textMember(settings, 'apiKeyHelper') !== '') {
    return { found: true, text: `apiKeyHelper in ${join(folder, 'settings.json')}`, variables: [] };
  }
  const file = join(folder, '.credentials.json');
  if (existsSync(file)) return { found: true, text: `signed in (${file})`, variables: [] };
  // On macOS the credentials are in the keychain; this file names the account.
  const account = join(cliFolder(env, 'CLAUDE_CONFIG_DIR', '.'), '.claude.json');
  if (isObject(readObject(account)?.['oauthAccount'] ?? null)) {
    return { found: true, text: `signed in (${account})`, variables: [] };
  }
  return {
    found: false,
    text: `no sign-in, and none of ${keys.join(', ')} is set`,
    fix: 'sign in: claude, then /login',
  };
}

interface CloudAccess {
  readonly variables: readonly string[];
  readonly files: readonly string[];
  readonly fix: string;
}

function cloud(env: Variables, name: string, by: string, { variables, files, fix }: CloudAccess): SignIn {
  const key = firstSet(env, variables);
  if (key !== null) return { found: true, text: `${name}: ${key} is set`, variables: [by, key] };
  const file = files.map((path) => join(homeFolder(env), path)).find((path) => existsSync(path));
  if (file !== undefined) return { found: true, text: `${name}: ${file}`, variables: [by] };
  return { found: false, text: `${name} is chosen by ${by}, and no credentials for it were found`, fix };
}

function texts(object: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}
