import { type CliDefinition, names } from '../cli-definition.ts';
import type { Preset } from '../acp/preset.ts';
import { claudeSignIn } from './sign-in.ts';

const aws = names(
  'AWS_REGION AWS_DEFAULT_REGION AWS_PROFILE AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE AWS_CA_BUNDLE',
  'AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_BEARER_TOKEN_BEDROCK',
  'AWS_ROLE_ARN AWS_ROLE_SESSION_NAME AWS_WEB_IDENTITY_TOKEN_FILE',
);
const google = names(
  'CLOUD_ML_REGION GOOGLE_APPLICATION_CREDENTIALS GOOGLE_CLOUD_PROJECT GCLOUD_PROJECT CLOUDSDK_CONFIG',
);

/** The agent of the Agent Client Protocol that bundles the CLI's own code. */
const bridge: Preset = {
  cli: 'claude',
  program: 'claude-agent-acp',
  args: [],
  install: 'npm install -g @agentclientprotocol/claude-agent-acp',
  modelFlag: null,
  folderFlag: null,
  policy: null,
  files: true,
  tellsUsage: 'tokens',
  complaint: null,
  hasOwnSandbox: false,
  // Each turn would ask the model once more, for what the person might say next.
  env: () => ({ CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: 'false' }),
  trust: null,
};

export const claudeCli = {
  name: 'claude',
  install: 'npm install -g @anthropic-ai/claude-code',
  triedFrom: '2.1.197',
  driver: { type: 'claude', program: 'claude', models: {} },
  // Aliases of the CLI: it knows which version is current, also on Bedrock and Vertex.
  models: { low: 'haiku', medium: 'sonnet', high: 'opus' },
  knowsModel: (model) => /^(?:haiku|sonnet|opus|fable|default|opusplan)(?:\[|$)|claude|^arn:aws/.test(model),
  variables: {
    keys: names('ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN ANTHROPIC_CUSTOM_HEADERS CLAUDE_CODE_OAUTH_TOKEN'),
    settings: names(
      'ANTHROPIC_BASE_URL ANTHROPIC_MODEL ANTHROPIC_SMALL_FAST_MODEL CLAUDE_CONFIG_DIR',
      'ANTHROPIC_DEFAULT_HAIKU_MODEL ANTHROPIC_DEFAULT_SONNET_MODEL ANTHROPIC_DEFAULT_OPUS_MODEL',
      'CLAUDE_CODE_USE_BEDROCK CLAUDE_CODE_USE_VERTEX CLAUDE_CODE_USE_FOUNDRY',
      'CLAUDE_CODE_CERT_STORE CLAUDE_CODE_CLIENT_CERT CLAUDE_CODE_CLIENT_KEY CLAUDE_CODE_CLIENT_KEY_PASSPHRASE',
      'CLAUDE_CODE_MAX_RETRIES CLAUDE_CODE_MAX_OUTPUT_TOKENS MAX_THINKING_TOKENS API_TIMEOUT_MS',
      'CLAUDE_CODE_API_KEY_HELPER_TTL_MS CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC DISABLE_AUTOUPDATER',
    ),
    switched: [
      {
        by: 'CLAUDE_CODE_USE_BEDROCK',
        names: [
          ...names('ANTHROPIC_BEDROCK_BASE_URL ANTHROPIC_SMALL_FAST_MODEL_AWS_REGION'),
          ...names('ANTHROPIC_BEDROCK_REGION_PREFIX CLAUDE_CODE_SKIP_BEDROCK_AUTH'),
          ...aws,
        ],
      },
      {
        by: 'CLAUDE_CODE_USE_VERTEX',
        names: [
          ...names('ANTHROPIC_VERTEX_BASE_URL ANTHROPIC_VERTEX_PROJECT_ID CLAUDE_CODE_SKIP_VERTEX_AUTH'),
          ...google,
        ],
      },
      {
        by: 'CLAUDE_CODE_USE_FOUNDRY',
        names: names(
          'ANTHROPIC_FOUNDRY_BASE_URL ANTHROPIC_FOUNDRY_RESOURCE ANTHROPIC_FOUNDRY_API_KEY',
          'ANTHROPIC_FOUNDRY_AUTH_TOKEN CLAUDE_CODE_SKIP_FOUNDRY_AUTH',
        ),
      },
    ],
  },
  tools: { programs: ['claude', 'claude-agent-acp'], variables: ['CLAUDECODE'] },
  signIn: { advice: claudeSignIn, load: async () => (await import('./find-sign-in.ts')).findSignIn },
  home: {
    folders: ['.claude'],
    guarded: [
      '.claude.json',
      ...['settings.local.json', 'hooks', 'plugins', 'commands', 'agents', 'skills', 'CLAUDE.md'].map(
        (name) => `.claude/${name}`,
      ),
    ],
    settings: { '.claude/settings.json': '{}\n' },
    moved: ['.claude', ''].map((folder) => [folder, 'CLAUDE_CONFIG_DIR'] as const),
    instructions: '.claude/CLAUDE.md',
  },
  repository: {
    reads: { instructions: 'CLAUDE.md', skills: ['.claude/skills'] },
    // Seen with 2.1.325. The folder counts whole: the next version may look for a file that none knows today.
    surfaces: [
      { power: 'tells', at: 'CLAUDE.md' },
      { power: 'tells', at: 'CLAUDE.local.md' },
      { power: 'tells', at: '.claude/CLAUDE.md' },
      { power: 'tells', at: '.claude/rules' },
      { power: 'tells', at: '.claude/output-styles' },
      // Agents, commands and skills may name hooks and commands of their own.
      { power: 'acts', at: '.claude/*' },
      { power: 'acts', at: '.mcp.json' },
    ],
    guarded: ['.claude/settings.json', '.claude/settings.local.json', '.claude/hooks', '.mcp.json'],
    agents: '.claude/agents',
    commands: '.claude/commands',
  },
  presets: { 'claude-agent-acp': bridge },
} as const satisfies CliDefinition;
