import type { Activity } from '../../../model/activity.ts';
import type { Outcome } from '../../../model/outcome.ts';
import { isTerminal, type Session } from '../../../model/session.ts';
import { activityNow, withQuestion } from '../../../app/sessions/activity.ts';
import {
  anySession,
  filterOf,
  type SessionChoice,
  type SessionFilter,
} from '../../../app/sessions/choose.ts';
import { requiredSession } from '../../../app/sessions/find.ts';
import { awaitedAnswer } from '../../../app/sessions/session-question.ts';
import { countSessions, listSessions } from '../../../app/sessions/sessions-now.ts';
import { elapsedMs, sessionRowJson } from '../../../app/sessions/status.ts';
import { findOpenQuestions } from '../../../app/status/open-questions.ts';
import type { Tutti } from '../../../app/tutti.ts';
import type { JsonFlag } from '../../command.ts';
import type { Context } from '../../context.ts';
import { fail } from '../../fail.ts';
import { printJson, printLines } from '../../print.ts';
import { sessionTable, totalsLine } from '../../render/session-table.ts';
import { painter } from '../../render/style.ts';
import { withProjectIfMade } from '../../project.ts';

export interface ListFlags extends JsonFlag, SessionChoice {
  readonly limit: number;
  readonly all: boolean;
  readonly before?: string;
  readonly archived: boolean;
}

export async function list(flags: ListFlags, context: Context): Promise<Outcome> {
  const { json, all, before = null } = flags;
  const typed = filterOf(flags);
  if (!typed.ok) return fail(context, typed.error, json);
  const none = (how: 'at all' | 'chosen'): Outcome => {
    if (!json) printLines(context, ['No sessions found']);
    if (!json && how === 'at all') aside(context, ['  → create one: tutti session create AGENT PROMPT-FILE']);
    return 'SUCCESS';
  };
  return withProjectIfMade(
    context,
    flags,
    () => none('at all'),
    async (tutti) => {
      const older = before === null ? null : requiredSession(tutti, before);
      if (older?.ok === false) return fail(context, older.error, json);
      const parent = typed.value.parent === null ? null : requiredSession(tutti, typed.value.parent);
      if (parent?.ok === false) return fail(context, parent.error, json);
      const filter = { ...typed.value, parent: parent?.value.id ?? null };
      const page = { limit: all ? null : flags.limit, before: older?.value.id ?? null };
      const found = listSessions(tutti, filter, page);
      if (json) printRows(context, tutti, found);
      else if (found.length === 0) return none(isEmpty(tutti) ? 'at all' : 'chosen');
      else print(context, tutti, filter, found);
      return 'SUCCESS';
    },
  );
}

function printRows(context: Context, tutti: Tutti, found: readonly Session[]): void {
  const open = findOpenQuestions(tutti);
  for (const session of found) {
    const question = awaitedAnswer(tutti, session, open)?.id ?? null;
    printJson(context, { ...sessionRowJson(session), question });
  }
}

function isEmpty({ queries }: Tutti): boolean {
  return queries.sessions.list(anySession, { limit: 1, before: null }).length === 0;
}

function print(context: Context, tutti: Tutti, filter: SessionFilter, found: readonly Session[]): void {
  const { screen } = context;
  const now = tutti.clock.wall();
  const open = findOpenQuestions(tutti);
  const rows = found.map((session) => {
    const seen: Activity = isTerminal(session.status)
      ? { at: 'finished' }
      : activityNow(tutti, session, 'glance');
    const question = awaitedAnswer(tutti, session, open);
    const activity = withQuestion(seen, question);
    return { session, activity, question, elapsedMs: elapsedMs(session, now) };
  });
  const columns = screen.isTerminal ? screen.columns() : Number.POSITIVE_INFINITY;
  printLines(context, sessionTable(rows, { paint: painter(screen.colour), columns }));
  const totals = countSessions(tutti, filter);
  const last = found.at(-1)?.id ?? '';
  const hasMore = listSessions(tutti, filter, { limit: 1, before: last }).length > 0;
  aside(context, [
    ...(screen.isTerminal ? [''] : []),
    totalsLine(totals),
    ...(rows.some(({ question }) => question !== null)
      ? ['  → see what those that wait ask, and answer: tutti inbox']
      : []),
    ...rows
      .filter(({ activity, question }) => activity.at === 'waiting' && question === null)
      .slice(0, 1)
      .map(({ session }) => `  → see what it waits for: tutti session attach ${session.id}`),
    ...(hasMore ? [`  → older ones: --before ${last}, or all of them: --all`] : []),
  ]);
}

/** What is no session: to a program that reads the table, a line of it would be one. */
function aside({ screen, process }: Context, lines: readonly string[]): void {
  const stream = screen.isTerminal ? process.stdout : process.stderr;
  stream.write(`${lines.join('\n')}\n`);
}
