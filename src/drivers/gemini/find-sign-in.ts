import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { textMember } from '../../lib/json.ts';
import { isOn, type Variables } from '../environment.ts';
import { cliFolder, firstSet, objectMember, readObject, type SignIn, type SignInPlace } from '../sign-in.ts';

export function findSignIn({ env }: SignInPlace): SignIn {
  const folder = cliFolder(env, 'GEMINI_CLI_HOME', '.', '.gemini');
  const settings = readObject(join(folder, 'settings.json'));
  const auth = objectMember(objectMember(settings, 'security'), 'auth');
  const chosen = textMember(auth, 'selectedType') || textMember(settings, 'selectedAuthType');
  const type = chosen === '' ? usualType(env) : chosen;
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
function usualType(env: Variables): string {
  if (isOn(env['GOOGLE_GENAI_USE_VERTEXAI'])) return 'vertex-ai';
  return (env['GEMINI_API_KEY'] ?? '') === '' ? 'oauth-personal' : 'gemini-api-key';
}
