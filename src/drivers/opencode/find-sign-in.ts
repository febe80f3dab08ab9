import { join } from 'node:path';
import { textMember } from '../../lib/json.ts';
import { cliFolder, firstSet, objectMember, readObject, type SignIn, type SignInPlace } from '../sign-in.ts';

const providerKeys: Readonly<Record<string, readonly string[]>> = {
  anthropic: ['ANTHROPIC_API_KEY'],
  openai: ['OPENAI_API_KEY'],
  google: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  openrouter: ['OPENROUTER_API_KEY'],
  opencode: ['OPENCODE_API_KEY'],
};

export function findSignIn({ env }: SignInPlace): SignIn {
  const settings = join(cliFolder(env, 'XDG_CONFIG_HOME', '.config', 'opencode'), 'opencode.json');
  const auth = join(cliFolder(env, 'XDG_DATA_HOME', '.local/share', 'opencode'), 'auth.json');
  const config = readObject(
    (env['OPENCODE_CONFIG'] ?? '') === '' ? settings : (env['OPENCODE_CONFIG'] ?? ''),
  );
  const [provider = ''] = textMember(config, 'model').split('/');
  const options = objectMember(objectMember(objectMember(config, 'provider'), provider), 'options');
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
  const keys = provider === '' ? Object.values(providerKeys).flat() : (providerKeys[provider] ?? []);
  const key = firstSet(env, keys);
  if (key !== null) return { found: true, text: `${key} is set`, variables: [key] };
  const signedIn = readObject(auth);
  const isIn = provider === '' ? Object.keys(signedIn ?? {}).length > 0 : signedIn?.[provider] !== undefined;
  if (isIn) return { found: true, text: `signed in (${auth})`, variables: [] };
  const what = provider === '' ? 'no sign-in' : `no sign-in for ${provider}, the provider of its model`;
  const set = keys.length === 0 ? '' : `, and none of ${keys.join(', ')} is set`;
  return { found: false, text: `${what}${set}`, fix: 'sign in: opencode auth login' };
}
