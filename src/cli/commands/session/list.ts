import { activityNow, withQuestion } from '../../../app/sessions/activity.ts';
import {
  anySession,
  filterOf,
  type SessionChoice,
  type SessionFilter,
} from '../../../app/sessions/choose.ts';
import { hasKeptHistory } from '../../../app/recovery/kept-history.ts';
import { requiredSession } from '../../../app/sessions/find.ts';
import { awaitedAnswer } from '../../../app/sessions/session-question.ts';
import { countSessions, listSessions } from '../../../app/sessions/sessions-now.ts';
import { elapsedMs, sessionRowJson } from '../../../app/sessions/session-row.ts';
import { findOpenQuestions } from '../../../app/status/open-questions.ts';
import type { OpenedProject } from '../../../app/opened-project.ts';
import type { Activity } from '../../../model/activity.ts';
import type { Outcome } from '../../../model/outcome.ts';
import { isTerminal, type Session } from '../../../model/session.ts';
import type { Output } from '../../../model/schemas/published.ts';
import { sessionArgument } from '../../arguments.ts';
import type { Context } from '../../context.ts';
import { defineCommand, jsonFlag, type JsonFlag, switchFlag } from '../../define-command.ts';
import { fail } from '../../fail.ts';
import { wholeNumber } from '../../parsers.ts';
import { printJson, printLines } from '../../print.ts';
import { readProject, unknownRunsOf } from '../../read-project.ts';
import { unknownRunLines } from '../../render/unknown-run-lines.ts';
import { sessionTable, totalsLine } from '../../render/session-table.ts';
import { painter } from '../../render/style.ts';
import { statusFlag, tagFlag } from './group.ts';

interface ListFlags extends JsonFlag, SessionChoice {
  readonly limit: number;
  readonly all: boolean;
  readonly before?: string;
  readonly archived: boolean;
}

export const command = defineCommand<ListFlags, []>({
  reads: true,
  parameters: {
    flags: {
      status: statusFlag,
      tag: tagFlag,
      parent: { ...sessionArgument, kind: 'parsed', brief: 'Only children of this session', optional: true },
      limit: {
        kind: 'parsed',
        parse: wholeNumber(1, 1_000_000),
        brief: 'Number of sessions, newest first',
        placeholder: 'N',
        default: '50',
      },
      all: switchFlag('List all sessions'),
      before: {
        ...sessionArgument,
        kind: 'parsed',
        brief: 'Only sessions older than this one',
        optional: true,
      },
      archived: switchFlag('List archived sessions instead'),
      json: jsonFlag,
    },
  },
  about:
    'Lists the newest session first, with times in UTC. In a pipe, standard output has a header and one\n' +
    'line per session that starts with its id; totals go to standard error.',
  examples: [
    ['tutti session list', 'list the 50 newest sessions'],
    ['tutti session list --status failed --tag nightly', 'filter by state and tag'],
    ['tutti session list --all --json', 'print all sessions, one JSON object per line'],
  ],
  run: list,
});

async function list(flags: ListFlags, context: Context): Promise<Outcome> {
  const { json, all, before = null } = flags;
  const typed = filterOf(flags);
  if (!typed.ok) return fail(context, typed.error, json);
  const none = async (how: 'at all' | 'chosen'): Promise<Outcome> => {
    if (!json) printLines(context, ['No sessions found']);
    if (!json && how === 'at all') aside(context, await emptyLines(context));
    return 'SUCCESS';
  };
  return readProject(
    context,
    flags,
    () => none('at all'),
    async (tutti) => {
      const older = before === null ? null : await requiredSession(tutti, before);
      if (older?.ok === false) return fail(context, older.error, json);
      const parent = typed.value.parent === null ? null : await requiredSession(tutti, typed.value.parent);
      if (parent?.ok === false) return fail(context, parent.error, json);
      const filter = { ...typed.value, parent: parent?.value.id ?? null };
      const page = { limit: all ? null : flags.limit, before: older?.value.id ?? null };
      const found = await listSessions(tutti, filter, page);
      if (json) await printRows(context, tutti, found);
      else if (found.length === 0) return none((await isEmpty(tutti)) ? 'at all' : 'chosen');
      else await print(context, tutti, filter, found);
      return 'SUCCESS';
    },
  );
}

/** Whether sessions were here that no record tells of any more, and live, is said where there are none. */
async function emptyLines(context: Context): Promise<readonly string[]> {
  const { folder, env } = context;
  const alive = unknownRunLines(await unknownRunsOf(context, null));
  if (hasKeptHistory(folder, env))
    return ['the state of this project was removed', '  → restore its sessions: tutti recover', ...alive];
  return alive.length > 0 ? alive : ['  → create one: tutti session create AGENT PROMPT-FILE'];
}

async function printRows(context: Context, tutti: OpenedProject, found: readonly Session[]): Promise<void> {
  const open = await findOpenQuestions(tutti);
  for (const session of found) {
    const question = (await awaitedAnswer(tutti, session, open))?.id ?? null;
    printJson<Output<'session-row'>>(context, { ...sessionRowJson(session), question });
  }
}

async function isEmpty({ queries }: OpenedProject): Promise<boolean> {
  return (await queries.sessions.list(anySession, { limit: 1, before: null })).length === 0;
}

async function print(
  context: Context,
  tutti: OpenedProject,
  filter: SessionFilter,
  found: readonly Session[],
): Promise<void> {
  const { screen } = context;
  const now = tutti.clock.wall();
  const open = await findOpenQuestions(tutti);
  const shown = async (session: Session) => {
    const seen: Activity = isTerminal(session.status)
      ? { at: 'finished' }
      : activityNow(tutti, session, 'glance');
    const question = await awaitedAnswer(tutti, session, open);
    const activity = withQuestion(seen, question);
    return { session, activity, question, elapsedMs: elapsedMs(session, now) };
  };
  const rows = await Promise.all(found.map(shown));
  const columns = screen.isTerminal ? screen.columns() : Number.POSITIVE_INFINITY;
  printLines(context, sessionTable(rows, { paint: painter(screen.colour), columns }));
  const totals = await countSessions(tutti, filter);
  const last = found.at(-1)?.id ?? '';
  const hasMore = (await listSessions(tutti, filter, { limit: 1, before: last })).length > 0;
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
