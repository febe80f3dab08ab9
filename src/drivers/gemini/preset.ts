import type { PermissionRules } from '../../model/acp.ts';
import type { Preset } from '../acp/preset.ts';

export const install = 'npm install -g @google/gemini-cli';

/** Its own program as an agent of the Agent Client Protocol. */
export const preset: Preset = {
  cli: 'gemini',
  program: 'gemini',
  args: ['--acp'],
  install,
  modelFlag: '-m',
  folderFlag: '--include-directories',
  // As an administrator's: with `--policy` it would not read the person's own policies.
  policy: { flag: '--admin-policy', file: 'policy.toml', write: denyOtherTools },
  // 0.61.0 takes every error for a broken disk, also that a file it is about to write is not there yet.
  files: false,
  tellsUsage: 'tokens',
  complaint: null,
  hasOwnSandbox: false,
  env: () => ({}),
  trust: {
    since: '0.61.0',
    untrusted: { GEMINI_CLI_TRUST_WORKSPACE: 'false' },
    trusted: { GEMINI_CLI_TRUST_WORKSPACE: 'true' },
  },
};

/** It asks about none of these, or only about some, and offers its model no tool that is denied whatever its arguments. */
function denyOtherTools({ fetch }: PermissionRules): string {
  const tools = [
    'invoke_agent',
    'list_background_processes',
    'read_background_output',
    // It would be asked about as a search in files.
    ...(fetch === 'allow' ? [] : ['google_web_search']),
    ...(fetch === 'deny' ? ['web_fetch'] : []),
  ];
  return [
    '[[rule]]',
    `toolName = ${JSON.stringify(tools)}`,
    'decision = "deny"',
    'priority = 999',
    '',
    '[[rule]]',
    'toolName = "run_shell_command"',
    // Between such characters stands a whole argument, so that the text of a command cannot look like one.
    `argsPattern = '\\x00"is_background":true\\x00'`,
    'decision = "deny"',
    'priority = 999',
    'denyMessage = "Nothing runs in the background here: wait for the command."',
    '',
  ].join('\n');
}
