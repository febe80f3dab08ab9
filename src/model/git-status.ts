/**
 * Arguments by which git lists, one by one, the files below a folder that are not committed as they are. It writes nothing
 * and starts no monitor that the repository's configuration names. More path patterns may follow.
 */
export const listUncommitted: readonly string[] = [
  '--no-optional-locks',
  '-c',
  'core.fsmonitor=false',
  'status',
  '--porcelain=v1',
  '-z',
  '--no-renames',
  '--untracked-files=all',
  '--',
  '.',
];

/** The paths in git's answer, relative to the top of the repository. */
export function parseUncommitted(stdout: string): readonly string[] {
  return stdout
    .split('\0')
    .map((record) => record.slice('XY '.length))
    .filter((path) => path !== '');
}
