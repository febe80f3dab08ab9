import { pruneSessions } from '../../../app/sessions/prune.ts';
import { formatDuration } from '../../../lib/duration.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Output } from '../../../model/schemas/published.ts';
import type { Context } from '../../context.ts';
import { defineCommand, jsonFlag, type JsonFlag, switchFlag } from '../../define-command.ts';
import { fail } from '../../fail.ts';
import { duration } from '../../parsers.ts';
import { printJson, printLines } from '../../print.ts';
import { withProjectIfMade } from '../../project.ts';
import { counted } from '../../../lib/counted.ts';

interface PruneFlags extends JsonFlag {
  readonly olderThan?: number;
  readonly dryRun: boolean;
}

export const command = defineCommand<PruneFlags, []>({
  reads: false,
  parameters: {
    flags: {
      olderThan: {
        kind: 'parsed',
        parse: duration,
        brief: 'Only sessions that ended longer than TIME ago; minimum: archive_keep in tutti.yaml',
        placeholder: 'TIME',
        optional: true,
      },
      dryRun: switchFlag('Print what would be deleted'),
      json: jsonFlag,
    },
  },
  about: 'Deletes only below .tutti/archive/sessions. The database keeps the outcomes.',
  examples: [
    ['tutti session prune --dry-run', 'list what would be deleted'],
    ['tutti session prune --older-than 90d', 'keep sessions for longer than configured'],
  ],
  run: prune,
});

function prune(flags: PruneFlags, context: Context): Promise<Outcome> {
  const { json, olderThan, dryRun } = flags;
  const none = (): Outcome => {
    if (json)
      printJson<Output<'session-prune'>>(context, {
        dry_run: dryRun,
        keep_seconds: null,
        pruned: [],
        refused: [],
      });
    else printLines(context, ['No session to prune']);
    return 'SUCCESS';
  };
  return withProjectIfMade(context, flags, none, async (tutti) => {
    const done = await pruneSessions(tutti, { olderThanMs: olderThan ?? null, dryRun });
    if (!done.ok) return fail(context, done.error, json);
    const { keepMs, pruned, refused } = done.value;
    if (json) {
      printJson<Output<'session-prune'>>(context, {
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
