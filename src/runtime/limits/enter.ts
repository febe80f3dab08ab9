import { fileOf } from '../attempt-files.ts';
import { noteFunctions } from '../session-log.ts';
import type { LimitPlan } from './plan.ts';

/**
 * What the agent's own process does to itself before it becomes the agent: joins the session's groups, and takes the
 * limits that each process has. Never done to the launcher, which must be able to record the end.
 * Shared by both launchers; expects `tutti_groups` (one directory a line), `tutti_blocks` and `tutti_note`.
 */
export const enterFunctions = `
tutti_each() {
  while IFS= read -r tutti_x; do
    [ -z "$tutti_x" ] || "$@" "$tutti_x"
  done <<TUTTI
$tutti_groups
TUTTI
}
tutti_join() {
  { echo 0 >>"$1/cgroup.procs"; } 2>/dev/null || tutti_note WARN "Limits: the agent could not be moved into $1"
}
tutti_enter() {
  [ -z "$tutti_groups" ] || tutti_each tutti_join
  [ "$tutti_blocks" = - ] || ulimit -f "$tutti_blocks" ||
    tutti_note WARN 'Limits: the size of files could not be limited'
}
`;

/** Takes the groups from the arguments: their number, then each. */
export const takeGroups = `
tutti_count=$1 tutti_groups=
shift
while [ "$tutti_count" -gt 0 ]; do
  tutti_groups="$tutti_groups$1
"
  shift
  tutti_count=$((tutti_count - 1))
done
`;

/** `ulimit -f` counts in blocks of 512 bytes. */
export function blocksOf(fileBytes: number | null): string {
  return fileBytes === null ? '-' : String(Math.max(1, Math.ceil(fileBytes / 512)));
}

export function groupArguments(groups: readonly string[]): readonly string[] {
  return [String(groups.length), ...groups];
}

const enterScript = `${noteFunctions}${enterFunctions}
tutti_dir=$1 tutti_session=session tutti_blocks=$2
shift 2
${takeGroups}
tutti_enter
exec "$@"
`;

const joinScript = `
${takeGroups}
while IFS= read -r tutti_x; do
  [ -z "$tutti_x" ] || echo 0 >>"$tutti_x/cgroup.procs"
done 2>/dev/null <<TUTTI
$tutti_groups
TUTTI
unset tutti_count tutti_groups tutti_x
exec "$@"
`;

/** The same program, in these groups. */
export function joining(
  argv: readonly [string, ...string[]],
  groups: readonly string[],
): readonly [string, ...string[]] {
  if (groups.length === 0) return argv;
  return ['/bin/sh', '-c', joinScript, 'tutti-join', ...groupArguments(groups), ...argv];
}

/** The same program, under its limits; unchanged where it has none. */
export function entering(
  argv: readonly [string, ...string[]],
  { fileBytes, groups }: Pick<LimitPlan, 'fileBytes' | 'groups'>,
  dir: string,
): readonly [string, ...string[]] {
  if (fileBytes === null && groups.length === 0) return argv;
  const own = [fileOf(dir, ''), blocksOf(fileBytes), ...groupArguments(groups)];
  return ['/bin/sh', '-c', enterScript, 'tutti-enter', ...own, ...argv];
}
