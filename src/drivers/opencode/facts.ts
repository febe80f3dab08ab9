import { acpDefaults } from '../../model/acp.ts';
import { type CliFacts, names } from '../cli-facts.ts';

export const opencodeFacts: CliFacts = {
  name: 'opencode',
  install: 'npm install -g opencode-ai',
  driver: { type: 'acp', agent: { preset: 'opencode' }, models: {}, ...acpDefaults },
  // Which models there are depends on the provider that the person set up.
  models: {},
  knowsModel: (model) => model.includes('/'),
  variables: {
    keys: names(
      'OPENCODE_API_KEY ANTHROPIC_API_KEY OPENAI_API_KEY OPENROUTER_API_KEY GEMINI_API_KEY',
      'GOOGLE_GENERATIVE_AI_API_KEY GROQ_API_KEY DEEPSEEK_API_KEY MISTRAL_API_KEY XAI_API_KEY',
    ),
    settings: names('OPENCODE_CONFIG OPENCODE_CONFIG_DIR ANTHROPIC_BASE_URL OPENAI_BASE_URL XDG_DATA_HOME'),
    switched: [],
  },
  tools: { programs: ['opencode'], variables: ['OPENCODE'] },
};
