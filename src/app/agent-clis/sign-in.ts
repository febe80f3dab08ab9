import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { codexFolder, codexProvider } from '../../drivers/codex/provider.ts';
import { isObject, type Json, type JsonObject, textMember } from '../../lib/json.ts';
import { readText } from '../../lib/read-text.ts';
import { parseJson } from '../../model/schemas/json-text.ts';
import { variablesFor } from '../../drivers/known-clis.ts';
import type { Config } from '../../model/config.ts';
import { cliOf } from './agent-clis.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * How a CLI reaches its model, judged by the provider that its own configuration names. `variables` are those that the agent
 * must see for it. Nothing here tells the value of a secret.
 */
export type SignIn =
  | { readonly found: true; readonly text: string; readonly variables: readonly string[] }
  | {
      readonly found: false;
      readonly text: string;
      readonly fix: string;
      /** It is there, and agents do not see it. */
      readonly hidden?: true;
    };

export interface SignInPlace {
  readonly env: Environment;
  /** Settings of the CLI in `tutti.yaml`, which override its own file. */
  readonly config: JsonObject;
}

type Drivers = Pick<Config, 'env' | 'drivers'>;

/** Of the CLI behind a driver, as its agents see it; null for any other program. */
export function signInOf(config: Drivers, name: string, env: Environment): SignIn | null {
  const driver = Object.hasOwn(config.drivers, name) ? config.drivers[name] : undefined;
  const behind = driver === undefined ? null : cliOf(driver);
  if (driver === undefined || behind === null) return null;
  const settings = driver.type === 'codex' ? driver.config : {};
  const signIn = signIns[behind.cli]?.({ env, config: settings }) ?? null;
  if (signIn?.found !== true || seesAll(config, name, signIn.variables, env)) return signIn;
  return { found: false, hidden: true, ...hiddenFrom([name], signIn) };
}

/** Whether agents of a driver get these variables. */
export function seesAll(
  config: Drivers,
  driver: string,
  names: readonly string[],
  env: Environment,
): boolean {
  const passed = variablesFor(config, driver, env);
  return names.every((name) => passed.includes(name));
}

/** The words for a sign-in that agents of these drivers do not see. */
export function hiddenFrom(
  drivers: readonly string[],
  { text, variables }: Extract<SignIn, { found: true }>,
): { readonly text: string; readonly fix: string } {
  const names = drivers.join(', ');
  return {
    text: `${text}, but agents of driver ${names} do not see it`,
    fix: `let it through: env: [${variables.join(', ')}] at driver ${names} in tutti.yaml`,
  };
}

/** The words for a sign-in that the model refused, and what a person does about it. */
export function describeRefusal(signIn: SignIn | null): { readonly what: string; readonly fix: string } {
  const key = signedInBy(signIn);
  if (key !== null) return { what: `the model refused the key in ${key}`, fix: 'set a valid one' };
  const used = signIn === null ? '' : ` (${signIn.text})`;
  return {
    what: `the sign-in was refused${used}`,
    fix: 'check the key, or sign in again with the CLI itself',
  };
}

/** The variable whose key the CLI uses; null where it signs in by other means, or not at all. */
function signedInBy(signIn: SignIn | null): string | null {
  const last = signIn?.found === true ? signIn.variables.at(-1) : undefined;
  return last !== undefined && /KEY|TOKEN/.test(last) ? last : null;
}

/** What to do about a refused key, for a turn; undefined: no key is known to be set. */
export function refusedKeyAdvice(config: Drivers, driver: string, env: Environment): string | undefined {
  const signIn = signInOf(config, driver, env);
  if (signIn?.found === false && signIn.hidden === true) return `${signIn.text}; ${signIn.fix}`;
  if (signedInBy(signIn) === null) return undefined;
  const { what, fix } = describeRefusal(signIn);
  return `${what}; ${fix}`;
}

export const signIns: Readonly<Record<string, (place: SignInPlace) => SignIn>> = {
  claude: claudeSignIn,
  codex: codexSignIn,
  gemini: geminiSignIn,
  opencode: opencodeSignIn,
};

/** Settings of the person may set variables and name a program that prints a key. Those of a repository are not read. */
function claudeSignIn({ env }: SignInPlace): SignIn {
  const folder = folderOf(env, 'CLAUDE_CONFIG_DIR', '.claude');
  const settings = readJson(join(folder, 'settings.json'));
  const all: Environment = { ...env, ...texts(objectIn(settings, 'env') ?? {}) };
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
  const account = join(folderOf(env, 'CLAUDE_CONFIG_DIR', '.'), '.claude.json');
  if (isObject(readJson(account)?.['oauthAccount'] ?? null)) {
    return { found: true, text: `signed in (${account})`, variables: [] };
  }
  return {
    found: false,
    text: `no sign-in, and none of ${keys.join(', ')} is set`,
    fix: 'sign in: claude, then /login',
  };
}

function codexSignIn({ env, config }: SignInPlace): SignIn {
  const folder = codexFolder(env, env['HOME'] ?? homedir());
  const { name, envKey, needsOpenAi } = codexProvider(folder, config);
  if (envKey !== null) {
    if ((env[envKey] ?? '') !== '') {
      return { found: true, text: `provider ${name}: ${envKey} is set`, variables: [envKey] };
    }
    return {
      found: false,
      text: `provider ${name} needs ${envKey}, which is not set`,
      fix: `export ${envKey}=…`,
    };
  }
  if (!needsOpenAi) return { found: true, text: `provider ${name} needs no key`, variables: [] };
  const file = join(folder, 'auth.json');
  if (existsSync(file)) return { found: true, text: `signed in (${file})`, variables: [] };
  const keys = ['CODEX_API_KEY', 'OPENAI_API_KEY'];
  const key = firstSet(env, keys);
  if (key !== null) return { found: true, text: `${key} is set`, variables: [key] };
  return {
    found: false,
    text: `no sign-in, and none of ${keys.join(', ')} is set`,
    fix: 'sign in: codex login',
  };
}

function geminiSignIn({ env }: SignInPlace): SignIn {
  const folder = folderOf(env, 'GEMINI_CLI_HOME', '.', '.gemini');
  const settings = readJson(join(folder, 'settings.json'));
  const auth = objectIn(objectIn(settings, 'security'), 'auth');
  const chosen = textMember(auth, 'selectedType') || textMember(settings, 'selectedAuthType');
  const type = chosen === '' ? geminiType(env) : chosen;
  const says = chosen === '' ? '' : ` (settings.json chooses ${chosen})`;
  const oauth = join(folder, 'oauth_creds.json');
  switch (type) {
    case 'gemini-api-key': {
      if ((env['GEMINI_API_KEY'] ?? '') !== '') {
        return { found: true, text: `GEMINI_API_KEY is set${says}`, variables: ['GEMINI_API_KEY'] };
      }
      const file = join(folder, '.env');
      if (existsSync(file)) return { found: true, text: `key in ${file}${says}`, variables: [] };
      return { found: false, text: `GEMINI_API_KEY is not set${says}`, fix: 'export GEMINI_API_KEY=…' };
    }
    case 'vertex-ai': {
      const key = firstSet(env, ['GOOGLE_API_KEY', 'GOOGLE_APPLICATION_CREDENTIALS', 'GOOGLE_CLOUD_PROJECT']);
      if (key !== null) return { found: true, text: `Vertex AI: ${key} is set${says}`, variables: [key] };
      const text = `Vertex AI needs GOOGLE_API_KEY, or GOOGLE_CLOUD_PROJECT and a Google sign-in${says}`;
      return { found: false, text, fix: 'gcloud auth application-default login' };
    }
    default:
      if (existsSync(oauth)) return { found: true, text: `signed in (${oauth})${says}`, variables: [] };
      return {
        found: false,
        text: `no sign-in, and GEMINI_API_KEY is not set${says}`,
        fix: 'sign in: gemini',
      };
  }
}

/** Without a choice in its settings the CLI goes by the variables. */
function geminiType(env: Environment): string {
  if (isOn(env['GOOGLE_GENAI_USE_VERTEXAI'])) return 'vertex-ai';
  return (env['GEMINI_API_KEY'] ?? '') === '' ? 'oauth-personal' : 'gemini-api-key';
}

const opencodeKeys: Readonly<Record<string, readonly string[]>> = {
  anthropic: ['ANTHROPIC_API_KEY'],
  openai: ['OPENAI_API_KEY'],
  google: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  openrouter: ['OPENROUTER_API_KEY'],
  opencode: ['OPENCODE_API_KEY'],
};

function opencodeSignIn({ env }: SignInPlace): SignIn {
  const settings = join(folderOf(env, 'XDG_CONFIG_HOME', '.config', 'opencode'), 'opencode.json');
  const auth = join(folderOf(env, 'XDG_DATA_HOME', '.local/share', 'opencode'), 'auth.json');
  const config = readJson((env['OPENCODE_CONFIG'] ?? '') === '' ? settings : (env['OPENCODE_CONFIG'] ?? ''));
  const [provider = ''] = textMember(config, 'model').split('/');
  const options = objectIn(objectIn(objectIn(config, 'provider'), provider), 'options');
  const named = /^\{env:(\w+)\}$/.exec(textMember(options, 'apiKey'))?.[1];
  if (named !== undefined) {
    if ((env[named] ?? '') !== '')
      return { found: true, text: `provider ${provider}: ${named} is set`, variables: [named] };
    return {
      found: false,
      text: `provider ${provider} needs ${named}, which is not set`,
      fix: `export ${named}=…`,
    };
  }
  if (options !== null)
    return { found: true, text: `provider ${provider} is set up in ${settings}`, variables: [] };
  const keys = provider === '' ? Object.values(opencodeKeys).flat() : (opencodeKeys[provider] ?? []);
  const key = firstSet(env, keys);
  if (key !== null) return { found: true, text: `${key} is set`, variables: [key] };
  const signedIn = readJson(auth);
  const isIn = provider === '' ? Object.keys(signedIn ?? {}).length > 0 : signedIn?.[provider] !== undefined;
  if (isIn) return { found: true, text: `signed in (${auth})`, variables: [] };
  const what = provider === '' ? 'no sign-in' : `no sign-in for ${provider}, the provider of its model`;
  const set = keys.length === 0 ? '' : `, and none of ${keys.join(', ')} is set`;
  return { found: false, text: `${what}${set}`, fix: 'sign in: opencode auth login' };
}

interface CloudAccess {
  readonly variables: readonly string[];
  readonly files: readonly string[];
  readonly fix: string;
}

function cloud(env: Environment, name: string, by: string, { variables, files, fix }: CloudAccess): SignIn {
  const key = firstSet(env, variables);
  if (key !== null) return { found: true, text: `${name}: ${key} is set`, variables: [by, key] };
  const file = files.map((path) => join(env['HOME'] ?? homedir(), path)).find((path) => existsSync(path));
  if (file !== undefined) return { found: true, text: `${name}: ${file}`, variables: [by] };
  return { found: false, text: `${name} is chosen by ${by}, and no credentials for it were found`, fix };
}

/** A folder of a CLI: where a variable says, else below the home. */
function folderOf(env: Environment, variable: string, folder: string, below = '.'): string {
  const named = env[variable] ?? '';
  return join(isAbsolute(named) ? named : join(env['HOME'] ?? homedir(), folder), below);
}

const maxBytes = 1024 * 1024;

function readJson(path: string): JsonObject | null {
  const text = readText(path, { maxBytes, links: 'follow' });
  const json = text.ok ? parseJson(text.value) : null;
  return json?.ok === true && isObject(json.value) ? json.value : null;
}

function objectIn(value: JsonObject | null, name: string): JsonObject | null {
  const member: Json = value?.[name] ?? null;
  return isObject(member) ? member : null;
}

function texts(object: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}

function firstSet(env: Environment, names: readonly string[]): string | null {
  return names.find((name) => (env[name] ?? '') !== '') ?? null;
}

function isOn(value: string | undefined): boolean {
  return !['', '0', 'false'].includes((value ?? '').toLowerCase());
}
