import { counted } from '../../lib/counted.ts';
import { isObject, type Json, type JsonObject, recorded, textMember } from '../../lib/json.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import { isVerifierTurn, rootStepOf, stepIdOf } from '../../model/key.ts';
import type { EntryKind } from '../../model/entry.ts';
import type { Event, FeedEvent } from '../../model/event.ts';
import { describeEnd, type OnCommit } from '../../model/plan/base-check.ts';
import type { TaskState } from '../../model/plan/task-state.ts';
import type { Incident } from '../../app/status/incidents.ts';
import { type Mark, marks } from './marks.ts';
import type { Tone } from './style.ts';

/** An event as a person reads it; null for what only programs want to know. */
export interface EventLine {
  readonly glyph: string;
  readonly tone: Tone;
  readonly text: string;
}

export function eventLine(event: Event): EventLine | null {
  switch (event.type) {
    case 'run.started':
      return line(marks.busy, `run started (${oneLine(event.workflow)})`);
    case 'run.amended':
      return line(marks.busy, 'run amended: what did not change keeps its result');
    case 'run.reopened':
      return line(marks.busy, `opened again: ${oneLine(event.steps.join(', '), 500)}`);
    case 'run.resumed':
      return line(marks.busy, 'run resumed');
    case 'run.halting':
      return line(marks.waiting, `halting: ${oneLine(event.reason)}`);
    case 'run.halted':
      return line(marks.waiting, 'halted');
    case 'run.cancelled':
      return line(marks.bad, 'stop asked for');
    case 'run.ended':
      return ended(`run ended with ${event.outcome}`, event.outcome === 'SUCCESS', event.message);
    case 'step.opened':
      return null;
    case 'step.launched':
      if (isBookKeeping(event.key) || isGate(event.key)) return null;
      return line(
        marks.busy,
        `${named(event.key, event.attempt)} started${event.session === null ? '' : ` (session ${event.session})`}`,
      );
    case 'step.ended':
      return stepEnded(event);
    case 'step.retrying':
      return line(
        marks.waiting,
        `${named(event.key, event.attempt)} will be tried again: ${oneLine(event.message, 500)}`,
      );
    case 'question.asked':
      return line(
        marks.waiting,
        `${event.id} from ${askerOf(event.key)}: ${oneLine(event.text, 500)}  → tutti answer ${event.id} TEXT`,
      );
    case 'question.answered':
      return line(marks.busy, `${askerOf(event.key)} answered by ${oneLine(event.by)}`);
    case 'plan.changed':
      return line(marks.busy, `plan ${event.plan} is in phase ${event.phase}`);
    case 'task.changed':
      return line(taskMarks[event.state], `task ${event.task} is ${event.state}`);
    // What became of the step tells these already.
    case 'session.created':
    case 'session.began':
    case 'session.ended':
    case 'session.archived':
    case 'session.pruned':
      return null;
    case 'session.killed':
      return line(
        marks.bad,
        `session ${event.session} is killed by ${oneLine(event.by)}: ${oneLine(event.reason)}`,
      );
    case 'session.refused':
      return line(marks.bad, oneLine(event.message, 500));
    case 'session.sandbox':
    case 'session.model':
      return line(marks.note, oneLine(event.message, 500));
    case 'session.warned':
    case 'session.blocked':
      return line(marks.waiting, `${event.session ?? 'sessions'}: ${oneLine(event.message, 500)}`);
    case 'decision.made':
    case 'decision.refused':
      return null;
    case 'note':
      return noteLine(event);
  }
}

function noteLine({ name, data }: Extract<Event, { type: 'note' }>): EventLine {
  if (name === 'planned' && isObject(data)) return line(marks.busy, plannedText(data));
  if (name === 'base' && isObject(data)) return baseLine(data);
  if (name === 'taken-over' && Array.isArray(data)) {
    const tasks = data.filter((task: Json) => typeof task === 'string').map((task) => oneLine(task));
    if (tasks.length === 0) return line(marks.note, 'no work by hand to take over');
    return line(marks.good, `done by hand, now on the integration branch: ${tasks.join(', ')}`);
  }
  return line(marks.note, `${oneLine(name)} ${oneLine(JSON.stringify(data), 500)}`);
}

/** Something that happened to a turn on its way: `◐ T001: not permitted: Bash`. */
export function incidentLine({ step, text }: Incident): EventLine {
  return line(marks.waiting, `${oneLine(step)}: ${oneLine(text, 500)}`);
}

/** How setup and the project's own commands ended on the base. */
function baseLine({ ends }: JsonObject): EventLine {
  const all = recorded<readonly Omit<OnCommit, 'output'>[]>(ends);
  const words = all.map((end) => oneLine(describeEnd(end), 300));
  // Where nothing was run, nothing has passed.
  const isGreen = all.length > 0 && all.every(({ passed }) => passed);
  return line(isGreen ? marks.good : marks.bad, `base: ${words.join(', ')}`);
}

/** What planning came to, in numbers; the plan itself is shown by `tutti plan show`. */
function plannedText({ tasks, phases, verdict, said: changed }: JsonObject): string {
  const said = isObject(verdict) ? textMember(verdict, 'verdict') : '';
  const more = typeof changed === 'string' && changed !== '' ? `; ${oneLine(changed, 500)}` : '';
  return `planned: ${counted(Number(tasks), 'task')} in ${counted(Number(phases), 'phase')}, ${oneLine(said)}${more}`;
}

const taskMarks: Readonly<Record<TaskState['at'], Mark>> = {
  pending: marks.idle,
  running: marks.busy,
  done: marks.good,
  failed: marks.bad,
  skipped: marks.idle,
};

/** `{"seq":3,"at":"…","run_id":"…","type":"step.ended",…}`: one line of NDJSON. */
export function eventJson({ seq, at, runId, event }: FeedEvent): object {
  return { seq, at: new Date(at).toISOString(), run_id: runId, ...event };
}

function stepEnded(event: Extract<Event, { type: 'step.ended' }>): EventLine | null {
  const { key, kind, attempt, outcome, state, message } = event;
  const isGood = outcome === 'SUCCESS';
  const judged = judgedStep(key, kind);
  if (judged !== null && state === 'done')
    return ended(`${judged} ${isGood ? 'done' : 'was not accepted'}`, isGood, message);
  if (isTaskVerdict(key) && kind === 'step' && !isGood && state === 'done')
    return message === null ? null : ended(`${oneLine(rootStepOf(key))} failed`, false, message);
  if (kind === 'task' && !isGood && state === 'done' && stepIdOf(key).endsWith('/begin'))
    return ended(`${oneLine(rootStepOf(key))} was not begun`, false, message);
  // Local steps are the workflow's own book-keeping, and an answer was told already.
  if (isBookKeeping(key) && (state === 'dropped' || (state === 'done' && kind === 'task'))) return null;
  if (isGood && (kind === 'step' || kind === 'ask' || kind === 'sleep' || isBookKeeping(key))) return null;
  if (state === 'dropped') return line(marks.idle, `${named(key, attempt)} ended: it is no longer needed`);
  if (state === 'lost')
    return line(marks.waiting, `${named(key, attempt)} lost: its process vanished without a result`);
  // A limit is told with its end, as an incident of the turn.
  if (kind === 'session' && outcome === 'LIMIT_PAUSED') return null;
  // The question has its own line if a person is asked: a repeated question fails the step. A verifier asks its executor.
  if (event.asks === true && !isVerifierTurn(key))
    return line(marks.waiting, `${named(key, attempt)} ended its turn with a question`);
  // Whether its work counts is not known before code has looked at it.
  if (isGood && kind === 'session') return line(marks.busy, `${named(key, attempt)} ended its turn`);
  if (event.gated === true) return line(marks.busy, `${named(key, attempt)} ended; its gates are next`);
  return ended(`${named(key, attempt)} ${isGood ? 'done' : outcome}`, isGood, message);
}

/** The work of an agent that this part of a step judges: `logical` for `logical/check`. Null: it judges none. */
function judgedStep(key: string, kind: EntryKind): string | null {
  const id = stepIdOf(key);
  if (kind === 'task' && id.endsWith('/check')) return oneLine(id.slice(0, -'/check'.length));
  if (kind === 'step' && id.endsWith('/judgement')) return oneLine(id.slice(0, -'/judgement'.length));
  // What became of a task is told with its new state.
  if (kind !== 'step' || !id.endsWith('/verdict') || isTaskVerdict(key)) return null;
  return oneLine(id.slice(0, -'/verdict'.length));
}

function isTaskVerdict(key: string): boolean {
  return /^T\d+\/verdict$/.test(stepIdOf(key));
}

/** What the workflow looks up for itself, in no step's own words. */
function isBookKeeping(key: string): boolean {
  return bookKeeping.test(stepIdOf(key));
}

/** Parts of a step that say nothing to a person: what is told of the step itself is enough. */
const bookKeeping =
  /\/(?:inputs|artifacts|progress|take-over|taken-over|begin|bundle|declared|seal|result|verdict|check|complete|standing|now|(?:record|look|told)(?:-[\d-]+)?|(?:workspace|bring-\d+)(?:-again-\d+)?)$/;

/** A gate is over in a moment: what it found is enough. */
function isGate(key: string): boolean {
  return /\/(?:(?:accept-\d+|land)(?:-again-\d+)?|gate-\d+)$/.test(stepIdOf(key));
}

/** A gate asks in the name of its step. */
function askerOf(key: string): string {
  return isGateQuestion.test(stepIdOf(key)) ? oneLine(rootStepOf(key)) : idOf(key);
}

const isGateQuestion = /\/gate-\d+(?:\/cannot-run-\d+)?$/;

function ended(text: string, isGood: boolean, message: string | null): EventLine {
  const why = message === null || message === '' ? '' : `: ${oneLine(message, 4000)}`;
  return isGood ? line(marks.good, text) : line(marks.bad, `${text}${why}`);
}

function named(key: string, attempt: number): string {
  return attempt > 1 ? `${idOf(key)} (attempt ${attempt})` : idOf(key);
}

function idOf(key: string): string {
  return oneLine(stepIdOf(key));
}

function line([glyph, tone]: Mark, text: string): EventLine {
  return { glyph, tone, text };
}
