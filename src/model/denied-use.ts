import { isWithin } from '../lib/path-below.ts';

/** A use of a tool that was not permitted. */
export interface DeniedUse {
  readonly tool: string;
  /** The path or command; absent: the log does not say. */
  readonly target?: string;
}

/** `Bash npm publish`: the tool and what it was to be used on. */
export function describeDenied({ tool, target = '' }: DeniedUse): string {
  return `${tool} ${target}`.trim();
}

/** Tools whose target is a path that they change, by the names of all CLIs. */
const writers: ReadonlySet<string> = new Set([
  'Write',
  'Edit',
  'MultiEdit',
  'NotebookEdit',
  'edit',
  'delete',
  'move',
  'file_change',
]);

/** The path that it was to change outside all of these folders; null: it is inside, or no path is known. */
export function findOutside({ tool, target }: DeniedUse, folders: readonly string[]): string | null {
  if (target === undefined || !writers.has(tool) || !target.startsWith('/')) return null;
  return folders.some((folder) => isWithin(folder, target)) ? null : target;
}
