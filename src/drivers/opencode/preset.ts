import type { PermissionRule, PermissionRules } from '../../model/acp.ts';
import type { Preset } from '../acp/preset.ts';

export const install = 'npm install -g opencode-ai';

/** Its own program as an agent of the Agent Client Protocol. */
export const preset: Preset = {
  cli: 'opencode',
  program: 'opencode',
  // What it tries again for ever is told in its log only.
  args: ['acp', '--print-logs', '--log-level', 'ERROR'],
  install,
  modelFlag: null,
  folderFlag: null,
  policy: null,
  files: true,
  tellsUsage: 'cost',
  // For the conversation itself; titles are `small`.
  complaint: String.raw`message="stream error".* small=false(?:.* error\.error="(?:AI_\w+: )?((?:[^"\\]|\\.)*)")?`,
  hasOwnSandbox: false,
  env: askFirst,
  trust: { since: '1.18.33', untrusted: { OPENCODE_DISABLE_PROJECT_CONFIG: '1' }, trusted: {} },
  resumeCommand: (program, conversation) => [program, '--session', conversation],
};

/** It allows itself everything unless it is told to ask; this is laid over its own settings for one turn. */
function askFirst(
  { read, search, edit, execute, fetch, other }: PermissionRules,
  folders: readonly string[],
): Record<string, string> {
  const ask = (rule: PermissionRule): string => (rule === 'allow' ? 'allow' : 'ask');
  const known = Object.fromEntries(folders.map((folder) => [`${folder}/*`, 'allow']));
  const permission = {
    '*': ask(other),
    read: ask(read),
    list: ask(read),
    glob: ask(search),
    grep: ask(search),
    edit: ask(edit),
    bash: ask(execute),
    // It offers its model no tool that is denied. The others can be allowed by their target, so they are asked about.
    webfetch: fetch,
    websearch: fetch,
    task: 'deny',
    // Asked besides the others, for whatever is not in the workspace. The last that fits counts.
    external_directory: { '*': ask(other), ...known },
  };
  return {
    OPENCODE_PERMISSION: JSON.stringify(permission),
    // Otherwise its turn ends with the first tool that is denied, before it can hand over a result.
    OPENCODE_CONFIG_CONTENT: JSON.stringify({ experimental: { continue_loop_on_deny: true } }),
  };
}
