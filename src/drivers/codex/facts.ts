import { type CliFacts, names } from '../cli-facts.ts';

export const codexFacts: CliFacts = {
  name: 'codex',
  install: 'npm install -g @openai/codex',
  driver: { type: 'codex', program: 'codex', models: {}, config: {} },
  // As `codex debug models` of 0.166 lists them: fast and affordable, the workhorse, the frontier.
  models: { low: 'gpt-6-luna', medium: 'gpt-6.1-sol', high: 'gpt-6-astra' },
  knowsModel: (model) => /^(?:gpt-|o\d|codex)/.test(model),
  variables: {
    keys: names('OPENAI_API_KEY CODEX_API_KEY'),
    settings: names('OPENAI_BASE_URL OPENAI_ORGANIZATION OPENAI_PROJECT CODEX_HOME CODEX_CA_CERTIFICATE'),
    switched: [],
  },
  tools: {
    programs: ['codex', 'codex-acp', 'codex-linux-sandbox'],
    variables: ['CODEX_SANDBOX', 'CODEX_SANDBOX_NETWORK_DISABLED'],
  },
};
