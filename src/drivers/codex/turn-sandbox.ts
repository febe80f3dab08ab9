import type { CodexDriver, CodexSandbox } from '../../model/codex.ts';
import type { SessionSpec } from '../../model/turn.ts';
import { isReadOnly, turnTools, writableFolders } from '../../model/turn-tools.ts';
import { toml } from './toml.ts';

/** `folders`: nothing but the folders of the turn can be written, and the workspace is none of them. */
type TurnSandbox = CodexSandbox | 'folders';

/** The operator's sandbox, unless it would let a turn write where its role or its agent does not. */
export function sandboxOf({ sandbox }: CodexDriver, spec: SessionSpec): TurnSandbox {
  const tools = turnTools(spec);
  if (isReadOnly(tools) || sandbox === 'read-only') return 'read-only';
  return tools.writes === 'workspace' ? (sandbox ?? 'workspace-write') : 'folders';
}

const profile = 'tutti';

export function sandboxFlags(sandbox: TurnSandbox, spec: SessionSpec, sessionDir: string): readonly string[] {
  if (sandbox !== 'folders') {
    const folders = [...spec.handoff.addDirs, sessionDir];
    return ['--sandbox', sandbox, ...folders.flatMap((folder) => ['--add-dir', folder])];
  }
  // `workspace-write` always includes the folder that it works in. Programs need a place for temporary files.
  const written = [...writableFolders(spec, sessionDir), ':tmpdir', ':slash_tmp'];
  // A workspace below the temporary folder is still none of them.
  const filesystem = {
    ':root': 'read',
    [spec.workspace]: 'read',
    ...Object.fromEntries(written.map((folder) => [folder, 'write'])),
  };
  return [
    '--config',
    `default_permissions=${toml(profile)}`,
    '--config',
    `permissions.${profile}=${toml({ filesystem })}`,
  ];
}
