import type { PermissionRules } from '../../model/acp.ts';
import { type CliDefinition, names } from '../cli-definition.ts';
import type { Preset } from '../acp/preset.ts';
import { codexSignIn } from './sign-in.ts';

/** The agent of the Agent Client Protocol that bundles the CLI's own code. */
const bridge: Preset = {
  cli: 'codex',
  program: 'codex-acp',
  args: [],
  install: 'npm install -g @agentclientprotocol/codex-acp',
  modelFlag: null,
  folderFlag: null,
  policy: null,
  files: true,
  tellsUsage: 'tokens',
  complaint: null,
  hasOwnSandbox: true,
  env: modeVariables,
  trust: null,
};

/** By default the agent lets a model decide what is safe. Tutti chooses the mode of its sandbox, which replaces questions. */
function modeVariables({ edit, execute }: PermissionRules): Record<string, string> {
  const isFree = edit === 'allow' && execute === 'allow';
  return {
    INITIAL_AGENT_MODE: isFree ? 'workspace-write' : 'read-only',
    CODEX_ACP_PROMPT_SUGGESTIONS: 'false',
  };
}

export const codexCli = {
  name: 'codex',
  install: 'npm install -g @openai/codex',
  triedFrom: '0.166.0',
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
  signIn: { advice: codexSignIn, load: async () => (await import('./find-sign-in.ts')).findSignIn },
  home: {
    folders: ['.codex'],
    guarded: ['hooks.json', 'rules', 'prompts', 'skills', 'AGENTS.md'].map((name) => `.codex/${name}`),
    settings: { '.codex/config.toml': '' },
    moved: [['.codex', 'CODEX_HOME']],
  },
  repository: {
    reads: { instructions: 'AGENTS.md', skills: ['.agents/skills'] },
    // Seen with 0.166.0. The folder counts whole: the next version may look for a file that none knows today.
    surfaces: [{ power: 'acts', at: '.codex/*' }],
    guarded: ['.codex/config.toml', '.codex/hooks.json', '.codex/rules'],
  },
  presets: { 'codex-acp': bridge },
} as const satisfies CliDefinition;
