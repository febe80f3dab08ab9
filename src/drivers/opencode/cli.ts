import { acpDefaults } from '../../model/acp.ts';
import { type CliDefinition, names } from '../cli-definition.ts';
import { install, preset } from './preset.ts';

export const opencodeCli = {
  name: 'opencode',
  install,
  triedFrom: '1.18.33',
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
  signIn: {
    advice: 'set the key variable of its provider, or run `opencode auth login`',
    load: async () => (await import('./find-sign-in.ts')).findSignIn,
    optional: true,
  },
  home: {
    folders: ['.local/share/opencode', '.local/state/opencode', '.cache/opencode', '.config/opencode'],
    guarded: ['opencode.json', 'opencode.jsonc', 'plugin', 'plugins', 'agent', 'command', 'AGENTS.md'].map(
      (name) => `.config/opencode/${name}`,
    ),
    settings: {},
  },
  repository: {
    reads: { instructions: 'AGENTS.md', skills: ['.claude/skills', '.agents/skills'] },
    // Seen with 1.18.33. The folder counts whole: the next version may look for a file that none knows today.
    surfaces: [
      { power: 'acts', at: 'opencode.json' },
      { power: 'acts', at: 'opencode.jsonc' },
      { power: 'acts', at: '.opencode/*' },
    ],
    guarded: ['opencode.json', 'opencode.jsonc', '.opencode/plugin', '.opencode/plugins'],
  },
  presets: { opencode: preset },
} as const satisfies CliDefinition;
