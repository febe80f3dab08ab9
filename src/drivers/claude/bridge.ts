import type { Preset } from '../acp/preset.ts';

/** The agent of the Agent Client Protocol that brings the CLI's own code along. */
export const bridge: Preset = {
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
