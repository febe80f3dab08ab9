import { refusal, type Refusal } from '../../../app/refusal.ts';
import { type ArchiveChoice, archiveSessions } from '../../../app/sessions/archive.ts';
import { filterOf, type SessionChoice } from '../../../app/sessions/choose.ts';
import { err, ok, type Result } from '../../../lib/result.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Output } from '../../../model/schemas/published.ts';
import { sessionArgument } from '../../arguments.ts';
import type { Context } from '../../context.ts';
import { defineCommand, jsonFlag, type JsonFlag, switchFlag } from '../../define-command.ts';
import { fail } from '../../fail.ts';
import { duration } from '../../parsers.ts';
import { printJson, printLines } from '../../print.ts';
import { withProjectIfMade, withSession } from '../../project.ts';
import { counted } from '../../../lib/counted.ts';
import { statusFlag, tagFlag } from './group.ts';

interface ArchiveFlags extends JsonFlag, Pick<SessionChoice, 'status' | 'tag'> {
  readonly olderThan?: number;
  readonly all: boolean;
}

export const command = defineCommand<ArchiveFlags, [id?: string]>({
  reads: false,
  parameters: {
    flags: {
      status: statusFlag,
      tag: tagFlag,
      olderThan: {
        kind: 'parsed',
        parse: duration,
        brief: 'Only sessions that ended longer than TIME ago, such as 24h',
        placeholder: 'TIME',
        optional: true,
      },
      all: switchFlag('All ended sessions'),
      json: jsonFlag,
    },
    positional: { kind: 'tuple', parameters: [{ ...sessionArgument, optional: true }] },
  },
  about:
    'Archives a session if it has ended, is recorded, has no live process, and no other session needs it.\n' +
    'Otherwise prints the reason. Exits with 12 if an ended session could not be archived.',
  examples: [
    ['tutti session archive ID', 'archive one session'],
    [
      'tutti session archive --status COMPLETED --older-than 24h',
      'archive completed sessions that ended more than a day ago',
    ],
    ['tutti session archive --all', 'archive all ended sessions'],
  ],
  run: archive,
});

async function archive(flags: ArchiveFlags, context: Context, id?: string): Promise<Outcome> {
  const { json } = flags;
  const choice = choiceOf(flags, id);
  if (!choice.ok) return fail(context, choice.error, json);
  if (id !== undefined) {
    return withSession(context, flags, id, async (tutti, session) => {
      const done = await archiveSessions(tutti, { id: session.id });
      if (!done.ok) return fail(context, done.error, json);
      if (json) printJson<Output<'session-archive'>>(context, { archived: [session.id], refused: [] });
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
        printJson<Output<'session-archive'>>(context, {
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
  if (json) printJson<Output<'session-archive'>>(context, { archived: [], refused: [] });
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
