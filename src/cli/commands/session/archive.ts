import { refusal, type Refusal } from '../../../app/refusal.ts';
import { archiveSessions, type ArchiveChoice } from '../../../app/sessions/archive.ts';
import { filterOf, type SessionChoice } from '../../../app/sessions/choose.ts';
import { err, ok, type Result } from '../../../lib/result.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { JsonFlag } from '../../command.ts';
import type { Context } from '../../context.ts';
import { fail } from '../../fail.ts';
import { printJson, printLines } from '../../print.ts';
import { counted } from '../../render/counted.ts';
import { withProjectIfMade } from '../../project.ts';
import { withSession } from '../../session-project.ts';

export interface ArchiveFlags extends JsonFlag, Pick<SessionChoice, 'status' | 'tag'> {
  readonly olderThan?: number;
  readonly all: boolean;
}

export async function archive(flags: ArchiveFlags, context: Context, id?: string): Promise<Outcome> {
  const { json } = flags;
  const choice = choiceOf(flags, id);
  if (!choice.ok) return fail(context, choice.error, json);
  if (id !== undefined) {
    return withSession(context, flags, id, async (tutti, session) => {
      const done = await archiveSessions(tutti, { id: session.id });
      if (!done.ok) return fail(context, done.error, json);
      if (json) printJson(context, { archived: [session.id], refused: [] });
      else {
        const files = `.tutti/archive/sessions/${session.id}/`;
        printLines(context, [`Session archived: ${session.id}`, `  → its files: ${files}`]);
      }
      return 'SUCCESS';
    });
  }
  return withProjectIfMade(
    context,
    flags,
    () => nothing(context, json),
    async (tutti) => {
      const done = await archiveSessions(tutti, choice.value);
      if (!done.ok) return fail(context, done.error, json);
      const { archived, refused } = done.value;
      if (json) {
        printJson(context, {
          archived,
          refused: refused.map(({ id: session_id, why }) => ({ session_id, why })),
        });
      } else {
        printLines(context, [
          ...refused.map(({ id: session, why }) => `session ${session} ${why}`),
          `${counted(archived.length, 'session')} archived${refused.length === 0 ? '' : `, ${refused.length} not`}`,
        ]);
      }
      // What goes on is no failure: it was only too early for it.
      return refused.some(({ ended }) => ended) ? 'PARTIAL_SUCCESS' : 'SUCCESS';
    },
  );
}

function nothing(context: Context, json: boolean): Outcome {
  if (json) printJson(context, { archived: [], refused: [] });
  else printLines(context, ['No session to archive']);
  return 'SUCCESS';
}

/** One by its id, or those that match; all of them only when that is said. */
function choiceOf(flags: ArchiveFlags, id: string | undefined): Result<ArchiveChoice, Refusal> {
  const { all, status, tag = [], olderThan } = flags;
  const hint = 'see which there are: tutti session list';
  const filtered = status !== undefined || tag.length > 0 || olderThan !== undefined;
  if (id !== undefined && (all || filtered)) {
    return err(refusal('USAGE', 'either a session or filters, not both', hint));
  }
  if (id !== undefined) return ok({ id });
  if (!all && !filtered)
    return err(refusal('USAGE', 'ID is missing; to archive all that is over, add --all', hint));
  const filter = filterOf({ ...(status === undefined ? {} : { status }), tag });
  return filter.ok ? ok({ filter: filter.value, olderThanMs: olderThan ?? 0 }) : filter;
}
