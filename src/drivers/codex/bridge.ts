import type { PermissionRules } from '../../model/acp.ts';
import type { Preset } from '../acp/preset.ts';

/** The agent of the Agent Client Protocol that brings the CLI's own code along. */
export const bridge: Preset = {
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

/** By default it has a model decide what is safe, and asks nobody. It has a sandbox for what it runs instead of questions. */
function modeVariables({ edit, execute }: PermissionRules): Record<string, string> {
  const isFree = edit === 'allow' && execute === 'allow';
  return {
    INITIAL_AGENT_MODE: isFree ? 'workspace-write' : 'read-only',
    CODEX_ACP_PROMPT_SUGGESTIONS: 'false',
  };
}
