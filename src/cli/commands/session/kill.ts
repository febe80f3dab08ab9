import { usualReason } from '../../../app/people/identify-caller.ts';
import { refusal, type Refusal } from '../../../app/refusal.ts';
import { killUnopened } from '../../../app/runs/stop-unopened.ts';
import { findLeftBehind, type Killed, killSession } from '../../../app/session-control/kill.ts';
import { filterOf, liveStatuses, type SessionChoice } from '../../../app/sessions/choose.ts';
import { originOf } from '../../../app/sessions/origin.ts';
import type { SessionQuestion } from '../../../app/sessions/session-question.ts';
import type { Tutti } from '../../../app/tutti.ts';
import { ok, type Result } from '../../../lib/result.ts';
import { oneLine } from '../../../lib/terminal-text.ts';
import { gravestOf, type Outcome } from '../../../model/outcome.ts';
import { isTerminal, type Session } from '../../../model/session.ts';
import type { Output } from '../../../model/schemas/published.ts';
import { liveSessionArgument } from '../../arguments.ts';
import { confirmed } from '../../confirm.ts';
import type { Context } from '../../context.ts';
import { defineCommand, jsonFlag, type JsonFlag, reasonFlag, switchFlag } from '../../define-command.ts';
import { fail } from '../../fail.ts';
import { printJson, printLines } from '../../print.ts';
import { withProjectIfMade, withSession } from '../../project.ts';
import { unrecordedLines } from '../../render/unrecorded-lines.ts';
import { stopFirst } from '../../stop-first.ts';
import { statusFlag, tagFlag } from './group.ts';

interface KillFlags extends JsonFlag, Pick<SessionChoice, 'status' | 'tag'> {
  readonly all: boolean;
  readonly force: boolean;
  readonly reason?: string;
}

export const command = defineCommand<KillFlags, [id?: string]>({
  reads: false,
  parameters: {
    flags: {
      status: statusFlag,
      tag: tagFlag,
      all: switchFlag('Kill all matching sessions'),
      force: switchFlag('Do not ask; required without a terminal'),
      reason: reasonFlag,
      json: jsonFlag,
    },
    positional: { kind: 'tuple', parameters: [{ ...liveSessionArgument, optional: true }] },
  },
  about:
    'Asks for confirmation; "no" exits with 1. A session that has already ended does not change, and the\n' +
    'command exits with 0.',
  examples: [
    ['tutti session kill ID', 'kill one session, after a question'],
    ['tutti session kill ID --force --reason "wrong branch"', 'kill without asking, with a reason'],
    ['tutti session kill --all --tag nightly --force', 'kill all sessions with a tag'],
  ],
  run: kill,
});

async function kill(flags: KillFlags, context: Context, id?: string): Promise<Outcome> {
  const wrong = misuseOf(flags, id);
  if (wrong !== null) return fail(context, wrong, flags.json);
  const unopened = (why: Refusal) => killFirst(context, flags, id, why);
  const manner = { json: flags.json, despiteConfig: true, unopened };
  if (id !== undefined) {
    return withSession(context, manner, id, (tutti, session) => killEach(context, tutti, flags, [session]));
  }
  const none = (): Outcome => sayNothing(context, flags);
  return withProjectIfMade(context, manner, none, async (tutti) => {
    const chosen = await chosenSessions(tutti, flags);
    if (!chosen.ok) return fail(context, chosen.error, flags.json);
    return chosen.value.length === 0 ? none() : killEach(context, tutti, flags, chosen.value);
  });
}

/** Kills although the database cannot be opened. Which sessions have a tag or a status is known to the database alone. */
async function killFirst(
  context: Context,
  { force, json, status, tag = [], reason = usualReason(context.caller) }: KillFlags,
  id: string | undefined,
  why: Refusal,
): Promise<Refusal | 'SUCCESS'> {
  if (status !== undefined || tag.length > 0) {
    const message = `nothing was killed, because only the database knows which sessions match: ${why.message}`;
    return { ...why, message, hint: 'kill all of them: tutti session kill --all' };
  }
  const question = `Kill ${id === undefined ? 'every session of this project' : `session ${id}`}?`;
  const may = await confirmed(context, { question, force, json });
  if (!may.ok) return may.error;
  if (!may.value) return { ...why, message: `nothing was killed: ${why.message}` };
  const which = id === undefined ? 'all' : { name: id };
  const stopped = await stopFirst(context, why, (place, by) =>
    killUnopened(place, which, { why: reason, by }),
  );
  if (!stopped.wasIdle) return stopped.refusal;
  // A session without a process is over, whatever the database says of it.
  if (!json) printLines(context, ['No session to kill: no process of a session is alive', `  → ${why.hint}`]);
  return 'SUCCESS';
}

/** One session by its id, or several with --all, so that a forgotten id never means all of them. */
function misuseOf(flags: KillFlags, id: string | undefined): Refusal | null {
  const { all, status, tag = [] } = flags;
  const hint = 'see which there are: tutti session list';
  const filtered = status !== undefined || tag.length > 0;
  if (id !== undefined && (all || filtered)) {
    return refusal('USAGE', 'either a session or --all with filters, not both', hint);
  }
  if (id === undefined && !all) {
    const message = filtered ? 'to end every session that matches, add --all' : 'ID is missing';
    return refusal('USAGE', message, hint);
  }
  const filter = filterOf(flags);
  return filter.ok ? null : filter.error;
}

/** Those that have not ended, and those that left processes behind: the rest has nothing to end. */
async function chosenSessions(tutti: Tutti, flags: KillFlags): Promise<Result<readonly Session[], Refusal>> {
  const filter = filterOf(flags);
  if (!filter.ok) return filter;
  const { status } = filter.value;
  const statuses = status === null ? liveStatuses : liveStatuses.filter((live) => live === status);
  const page = { limit: null, before: null };
  const live = (
    await Promise.all(
      statuses.map((each) => tutti.queries.sessions.list({ ...filter.value, status: each }, page)),
    )
  ).flat();
  return ok([...live, ...findLeftBehind(tutti, await tutti.queries.sessions.list(filter.value, page))]);
}

function sayNothing(context: Context, { json }: KillFlags): Outcome {
  if (!json) printLines(context, ['No session to kill']);
  return 'SUCCESS';
}

async function killEach(
  context: Context,
  tutti: Tutti,
  flags: KillFlags,
  sessions: readonly Session[],
): Promise<Outcome> {
  const live = [...sessions.filter(({ status }) => !isTerminal(status)), ...findLeftBehind(tutti, sessions)];
  const what = live.length === 1 ? nameOf(live[0]) : `${live.length} sessions`;
  if (live.length > 0) {
    const may = await confirmed(context, { question: `Kill ${what}?`, force: flags.force, json: flags.json });
    if (!may.ok) return fail(context, may.error, flags.json);
    if (!may.value) {
      printLines(context, ['Nothing was killed']);
      return 'FAILURE';
    }
  }
  const ends: Outcome[] = [];
  const { reason = usualReason(context.caller) } = flags;
  const by = (await originOf(tutti)).requester;
  for (const { id } of sessions) {
    const killed = await killSession(tutti, { id, reason, by });
    ends.push(killed.ok ? 'SUCCESS' : fail(context, killed.error, flags.json));
    if (killed.ok) say(context, flags, killed.value);
  }
  return gravestOf(ends);
}

function nameOf(session: Session | undefined): string {
  if (session === undefined) return 'nothing';
  const { id, status } = session;
  return isTerminal(status) ? `the processes that session ${id} left behind` : `session ${id}`;
}

function say(context: Context, { json }: KillFlags, killed: Killed): void {
  const { session, how, processes, question, retriedAs, unrecorded } = killed;
  const { id, runId, status, outcome } = session;
  if (json) {
    const asked = question?.id ?? null;
    printJson<Output<'session-kill'>>(context, {
      session_id: id,
      how,
      status,
      outcome,
      processes,
      question: asked,
      unrecorded,
    });
  } else if (how === 'already') {
    printLines(context, [
      `Session already terminated (status: ${status})`,
      ...leftLines(processes),
      ...waitLines(runId, question),
      ...(retriedAs === null
        ? []
        : [
            `Its turn is tried again by session ${retriedAs}`,
            `  → kill that one: tutti session kill ${retriedAs}`,
          ]),
    ]);
  } else printLines(context, [`Session killed: ${id}`, ...unrecordedLines(unrecorded)]);
}

/** What it left behind when it ended. */
function leftLines(processes: number): string[] {
  if (processes === 0) return [];
  const many =
    processes === 1 ? '1 process that it left behind was' : `${processes} processes that it left behind were`;
  return [`${many} killed`];
}

/** No process is left to kill, and yet it is not over. */
function waitLines(runId: string, question: SessionQuestion | null): string[] {
  if (question === null) return [];
  return [
    `It waits for an answer: ${oneLine(question.text, 300)}`,
    `  → answer it: ${question.answer}`,
    `  → or give it up: tutti stop ${runId}`,
  ];
}
