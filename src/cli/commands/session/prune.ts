import { pruneSessions } from '../../../app/sessions/prune.ts';
import { formatDuration } from '../../../lib/duration.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { JsonFlag } from '../../command.ts';
import type { Context } from '../../context.ts';
import { fail } from '../../fail.ts';
import { printJson, printLines } from '../../print.ts';
import { counted } from '../../render/counted.ts';
import { withProjectIfMade } from '../../project.ts';

export interface PruneFlags extends JsonFlag {
  readonly olderThan?: number;
  readonly dryRun: boolean;
}

export function prune(flags: PruneFlags, context: Context): Promise<Outcome> {
  const { json, olderThan, dryRun } = flags;
  const none = (): Outcome => {
    if (json) printJson(context, { dry_run: dryRun, keep_seconds: null, pruned: [], refused: [] });
    else printLines(context, ['No session to prune']);
    return 'SUCCESS';
  };
  return withProjectIfMade(context, flags, none, async (tutti) => {
    const done = await pruneSessions(tutti, { olderThanMs: olderThan ?? null, dryRun });
    if (!done.ok) return fail(context, done.error, json);
    const { keepMs, pruned, refused } = done.value;
    if (json) {
      printJson(context, {
        dry_run: dryRun,
        keep_seconds: Math.round(keepMs / 1000),
        pruned,
        refused: refused.map(({ id, why }) => ({ session_id: id, why })),
      });
    } else {
      const kept = `those that ended within the last ${timeOf(keepMs)} stay`;
      printLines(context, [
        ...refused.map(({ id, why }) => `session ${id} ${why}`),
        ...(dryRun ? pruned.map((id) => `session ${id} would be removed`) : []),
        `${counted(pruned.length, 'session')} ${dryRun ? 'to prune' : 'pruned'}; ${kept}`,
        ...(olderThan !== undefined && olderThan < keepMs
          ? ['--older-than can only lengthen what tutti.yaml keeps: archive_keep']
          : []),
      ]);
    }
    return refused.length > 0 ? 'PARTIAL_SUCCESS' : 'SUCCESS';
  });
}

/** Nobody thinks of a month in hours. */
function timeOf(ms: number): string {
  const days = Math.floor(ms / 86_400_000);
  return days === 0 ? formatDuration(ms) : counted(days, 'day');
}
