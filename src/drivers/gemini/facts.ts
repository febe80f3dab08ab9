import { acpDefaults } from '../../model/acp.ts';
import { type CliFacts, names } from '../cli-facts.ts';

const cloud = names(
  'GOOGLE_CLOUD_PROJECT GOOGLE_CLOUD_PROJECT_ID GOOGLE_CLOUD_LOCATION GOOGLE_CLOUD_QUOTA_PROJECT',
  'GOOGLE_APPLICATION_CREDENTIALS CLOUDSDK_CONFIG',
);

export const geminiFacts: CliFacts = {
  name: 'gemini',
  install: 'npm install -g @google/gemini-cli',
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
};
