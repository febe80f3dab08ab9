import type { CodexDriver, CodexSandbox } from '../../model/codex.ts';
import type { SessionSpec } from '../../model/turn.ts';
import { isReadOnly, ownFolders, turnTools, writableFolders } from '../../model/turn-tools.ts';
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
    const folders = [...spec.handoff.addDirs, ...ownFolders(spec, sessionDir)];
    return ['--sandbox', sandbox, ...folders.flatMap((folder) => ['--add-dir', folder])];
  }
  // `workspace-write` always includes the folder that it works in. Programs need a place for temporary files.
  const written = [...writableFolders(spec, sessionDir), ':tmpdir', ':slash_tmp'];
  // Folders of the project that are below the temporary one are still not scratch.
  const known = [':root', spec.workspace, ...spec.handoff.addDirs];
  const filesystem = { ...accessTo(known, 'read'), ...accessTo(written, 'write') };
  return [
    '--config',
    `default_permissions=${toml(profile)}`,
    '--config',
    `permissions.${profile}=${toml({ filesystem })}`,
  ];
}

function accessTo(folders: readonly string[], access: 'read' | 'write'): Record<string, string> {
  return Object.fromEntries(folders.map((folder) => [folder, access]));
}
