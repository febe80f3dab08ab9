import { acpDefaults } from '../../model/acp.ts';
import { type CliDefinition, names } from '../cli-definition.ts';
import { install, preset } from './preset.ts';

const cloud = names(
  'GOOGLE_CLOUD_PROJECT GOOGLE_CLOUD_PROJECT_ID GOOGLE_CLOUD_LOCATION GOOGLE_CLOUD_QUOTA_PROJECT',
  'GOOGLE_APPLICATION_CREDENTIALS CLOUDSDK_CONFIG',
);

export const geminiCli = {
  name: 'gemini',
  install,
  triedFrom: '0.61.0',
  driver: { type: 'acp', agent: { preset: 'gemini' }, models: {}, ...acpDefaults },
  models: { low: 'gemini-2.5-flash-lite', medium: 'gemini-2.5-flash', high: 'gemini-2.5-pro' },
  knowsModel: (model) => /^(?:auto-)?gemini/.test(model),
  variables: {
    keys: names('GEMINI_API_KEY GOOGLE_API_KEY'),
    settings: names(
      'GOOGLE_GEMINI_BASE_URL GOOGLE_GENAI_USE_VERTEXAI GOOGLE_GENAI_USE_GCA GOOGLE_GENAI_API_VERSION',
      'GEMINI_CLI_HOME GEMINI_CLI_SYSTEM_SETTINGS_PATH',
    ),
    switched: [
      { by: 'GOOGLE_GENAI_USE_VERTEXAI', names: ['GOOGLE_VERTEX_BASE_URL', ...cloud] },
      { by: 'GOOGLE_GENAI_USE_GCA', names: ['GOOGLE_CLOUD_ACCESS_TOKEN', ...cloud] },
    ],
  },
  tools: { programs: ['gemini'], variables: ['GEMINI_CLI'] },
  signIn: {
    advice: 'set GEMINI_API_KEY, or start `gemini` once and sign in there',
    load: async () => (await import('./find-sign-in.ts')).findSignIn,
  },
  home: {
    folders: ['.gemini'],
    guarded: ['extensions', 'commands', 'skills', 'GEMINI.md', '.env'].map((name) => `.gemini/${name}`),
    settings: { '.gemini/settings.json': '{}\n' },
    moved: [['', 'GEMINI_CLI_HOME']],
  },
  repository: {
    reads: { instructions: 'none', skills: ['.agents/skills'] },
    // Seen with 0.61.0. The folder counts whole: the next version may look for a file that none knows today.
    surfaces: [
      { power: 'tells', at: 'GEMINI.md' },
      { power: 'tells', at: '.gemini/GEMINI.md' },
      { power: 'acts', at: '.gemini/*' },
      { power: 'acts', at: '.env' },
    ],
    guarded: ['.gemini/settings.json', '.gemini/extensions', '.gemini/.env'],
  },
  presets: { gemini: preset },
} as const satisfies CliDefinition;
