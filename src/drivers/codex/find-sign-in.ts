import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { firstSet, homeFolder, type SignIn, type SignInPlace } from '../sign-in.ts';
import { codexFolder, codexProvider } from './provider.ts';

export function findSignIn({ env, config }: SignInPlace): SignIn {
  const folder = codexFolder(env, homeFolder(env));
  const { name, envKey, needsOpenAi } = codexProvider(folder, config);
  if (envKey !== null) {
    if ((env[envKey] ?? '') !== '') {
      return { found: true, text: `provider ${name}: ${envKey} is set`, variables: [envKey] };
    }
    return {
      found: false,
      text: `provider ${name} needs ${envKey}, which is not set`,
      fix: `export ${envKey}=…`,
      only: true,
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
