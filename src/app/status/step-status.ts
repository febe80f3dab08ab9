import { formatInstant } from '../../lib/instant.ts';
import { recorded } from '../../lib/json.ts';
import { limitedTurn, limitKindOf, limitText } from '../../model/limit-pause.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { Entry } from '../../model/entry.ts';
import { isWaiting, outcomeOfState } from '../../model/entry.ts';
import type { OutlineStep, StepEnd } from '../../model/outline.ts';
import { isVerifierTurn, rootStepOf, stepIdOf } from '../../model/key.ts';
import { messageOf } from '../../model/message.ts';
import type { OpenQuestion } from '../../model/question.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { TurnOutcome } from '../../model/turn.ts';
import { timeTaken, type Until } from '../../model/time-taken.ts';

/** One word for a step, as people see it. */
export type StepWord =
  | 'pending'
  | 'queued'
  | 'running'
  | 'waiting'
  | 'paused'
  | 'done'
  | 'failed'
  | 'blocked'
  | 'skipped';

export interface StepStatus {
  readonly id: string;
  /** What people call it; null where its id says it. */
  readonly name: string | null;
  /** Key of the part that counts: the verdict's first, else the latest. Null: not begun. */
  readonly key: string | null;
  readonly state: StepWord;
  /** How often it was tried: its turns or its command, every attempt of each. */
  readonly attempts: number;
  readonly sessionId: string | null;
  readonly outcome: Outcome | null;
  readonly message: string | null;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** How long its parts were worked on; null: not begun. It grows only while a process works on them. */
  readonly tookMs: number | null;
  readonly parts: readonly PartStatus[];
  /** What a person chose to continue without, in words: that part of it nothing has proven. Absent: nothing. */
  readonly waived?: readonly string[];
}

interface PartStatus {
  readonly id: string;
  readonly key: string;
  readonly kind: Entry['kind'];
  readonly state: Entry['state']['at'];
  readonly attempt: number;
  readonly sessionId: string | null;
  readonly outcome: Outcome | null;
}

/** What is known about the run as a whole. */
interface RunFacts {
  readonly runId: string;
  /** It has run its course: what it has not begun is skipped. */
  readonly over: boolean;
  /** It was stopped: nothing of it waits for people or time before it is resumed. */
  readonly stopped: boolean;
  readonly ends: ReadonlyMap<string, StepEnd>;
  /** Why steps ended as they did, where none of their parts says it. */
  readonly whyEnded: ReadonlyMap<string, string>;
  readonly questions: readonly OpenQuestion[];
  /** Of an entry that was launched: a process works on it. */
  readonly isAtWork: (entry: Entry) => boolean;
  /** Of an entry that was launched: its process vanished without a word about its end. */
  readonly isLost: (entry: Entry) => boolean;
  /** The same, and processes that it started are alive. */
  readonly isLeft: (entry: Entry) => boolean;
  /** A living process advances the run. */
  readonly held: boolean;
  /** Until when a part counts that has not ended. */
  readonly until: Until;
  /** What a part that could be launched waits for. */
  readonly whyQueued: (entry: Entry) => string;
}

/**
 * The steps of the plan in its order, each with what became of its parts, which come in the order of their creation; steps
 * that left the plan are not shown.
 */
export function stepStatuses(
  outline: readonly OutlineStep[],
  entries: readonly Entry[],
  facts: RunFacts,
): readonly StepStatus[] {
  const byStep = Map.groupBy(entries, ({ key }) => rootStepOf(key));
  const steps = outline.length > 0 ? outline : [...byStep.keys()].map((id) => ({ id, needs: [] }));
  return steps.map((step: OutlineStep) => stepStatus(step, byStep.get(step.id) ?? [], facts));
}

/** `T001 Table of units`: as people see it. */
export function labelOf({ id, name }: Pick<StepStatus, 'id' | 'name'>): string {
  return name === null || name === '' ? id : `${id} ${oneLine(name, 60)}`;
}

/** Steps that did not succeed: what a person means by "try again". */
export function failedSteps(statuses: readonly StepStatus[]): ReadonlySet<string> {
  return new Set(statuses.filter(({ state }) => state === 'failed').map(({ id }) => id));
}

/** Those of them that ended with a turn that was killed. */
export function interruptedSteps(statuses: readonly StepStatus[]): ReadonlySet<string> {
  const killed = statuses.filter(({ state, outcome }) => state === 'failed' && outcome === 'INTERRUPTED');
  return new Set(killed.map(({ id }) => id));
}

function stepStatus(
  { id, name, proof = 'any' }: OutlineStep,
  all: readonly Entry[],
  facts: RunFacts,
): StepStatus {
  const { over, stopped, ends, whyEnded, questions, isAtWork, whyQueued, held, until } = facts;
  const said = ends.get(id);
  // What was left out this time may still wait for a person or work.
  const end = said === 'left' && all.some(({ state }) => isWaiting(state)) ? undefined : said;
  // An edited plan leaves the entries of the old key behind; those of the newest work are what counts, unless the run
  // has ended and says otherwise: an edit that was taken back stands on older ones.
  const entries = all.filter((entry) => entry.state.at !== 'reopened' && !isTakenBack(entry));
  const counting = end === undefined ? entries : entries.filter(({ state }) => leadsTo(state, end));
  const verdict = counting.findLast(({ key }) => stepIdOf(key) === `${id}/verdict`);
  const latest = counting.at(-1);
  const current = verdict !== undefined && closes(verdict, latest) ? verdict : latest;
  const asked = askedBy(entries, questions);
  const session = entries.findLast(({ sessionId }) => sessionId !== null);
  const state =
    end === undefined
      ? wordOf(current, entries, { over, stopped, asked, isAtWork, held, proof })
      : wordOfEnd[end];
  const open = entries.findLast(({ state: { at } }) => at === 'open') ?? current;
  return {
    id,
    name: name ?? null,
    key: current?.key ?? null,
    state,
    attempts: all.filter(isTry).reduce((sum, { attempt }) => sum + attempt, 0),
    sessionId: session?.sessionId ?? null,
    outcome: current === undefined || isLost(current) || isAtWork(current) ? null : outcomeIn(state, current),
    message:
      (current === undefined
        ? null
        : ((isAtWork(current) && current.state.at === 'dropped' ? resists : messageOfPart(current)) ??
          asked ??
          (stopped ? null : pauseSentence(entries)) ??
          unrecordedEnd(entries, facts) ??
          (isUnjudged(current) && !over && end === undefined ? unjudged : null) ??
          (state === 'queued' && open !== undefined ? whyQueued(open) : null))) ??
      whyEnded.get(id) ??
      null,
    startedAt: entries[0]?.openedAt ?? null,
    // What is still to be judged or tried again has not ended, whatever became of its last part.
    endedAt: state === 'done' || state === 'failed' ? (current?.endedAt ?? null) : null,
    tookMs: entries.length === 0 ? null : timeTaken(entries, until),
    parts: entries.map(partOf),
  };
}

/** The success of a part is that of the step only where the step is done. */
function outcomeIn(word: StepWord, current: Entry): Outcome | null {
  const outcome = outcomeOfState(current.state);
  return outcome === 'SUCCESS' && word !== 'done' ? null : outcome;
}

/**
 * Work opened after the verdict belongs to a later plan; what was opened at the same instant does not, nor what ended before
 * a verdict that was reached again.
 */
function closes(verdict: Entry, latest: Entry | undefined): boolean {
  if (verdict.openedAt === latest?.openedAt) return true;
  return verdict.attempt > 1 && (verdict.endedAt ?? 0) >= (latest?.endedAt ?? Number.POSITIVE_INFINITY);
}

function isLost({ state }: Entry): boolean {
  return state.at === 'lost';
}

function messageOfPart(entry: Entry): string | null {
  return isLost(entry) ? vanished : messageOf(entry.state);
}

/** A task that was not begun because its plan is halted, or a question that was withdrawn: the step is where it was before. */
function isTakenBack({ key, kind, state }: Entry): boolean {
  return state.at === 'dropped' && (kind === 'ask' || stepIdOf(key).endsWith('/begin'));
}

/** What a person is asked, when all of the step that runs waits for that. */
function askedBy(entries: readonly Entry[], questions: readonly OpenQuestion[]): string | null {
  const running = entries.filter(({ state }) => state.at === 'launched');
  const asked = running.map(({ sessionId }) => questionOf(questions, sessionId));
  const [first] = asked;
  return first === undefined || asked.includes(undefined) ? null : `waits for ${first.question.text}`;
}

/** What a session asks, if it does. */
export function questionOf(
  questions: readonly OpenQuestion[],
  sessionId: string | null,
): OpenQuestion | undefined {
  return questions.find(({ asker }) => asker !== null && asker.session === sessionId);
}

const wordOfEnd = {
  succeeded: 'done',
  failed: 'failed',
  blocked: 'blocked',
  skipped: 'skipped',
  left: 'pending',
} as const;

function leadsTo(state: Entry['state'], end: StepEnd): boolean {
  if (end !== 'succeeded' && end !== 'failed') return false;
  return (outcomeOfState(state) === 'SUCCESS') === (end === 'succeeded');
}

/** What it sleeps for, if it does: a usage limit, or the time before another try. */
function pauseOf(entries: readonly Entry[]): Entry | undefined {
  return entries.find(({ kind, state }) => kind === 'sleep' && state.at === 'open');
}

function pauseSentence(entries: readonly Entry[]): string | null {
  const pause = pauseOf(entries);
  if (pause === undefined) return null;
  const { dueAt } = pause;
  const turnId = limitedTurn(stepIdOf(pause.key));
  if (turnId === null) return `sleeps${dueAt === null ? '' : ` until ${formatInstant(dueAt)}`}`;
  const turn = entries.findLast(({ key, kind }) => kind === 'session' && stepIdOf(key) === turnId);
  const { resetAt = null, limitKind } =
    turn?.state.at === 'done' ? recorded<Partial<TurnOutcome>>(turn.state.value) : {};
  return limitText({ resetAt, ...limitKindOf(limitKind) }, dueAt, turn?.endedAt ?? null);
}

/** Turns and commands of the step itself; what prepares, judges and lands their work is no try. */
function isTry({ key, kind }: Entry): boolean {
  if (kind === 'session') return !isVerifierTurn(key);
  return kind === 'task' && (!stepIdOf(key).includes('/') || /\/retry-\d+$/.test(stepIdOf(key)));
}

interface WordFacts extends Pick<RunFacts, 'over' | 'stopped' | 'isAtWork' | 'held'> {
  readonly asked: string | null;
  readonly proof: NonNullable<OutlineStep['proof']>;
}

function wordOf(
  current: Entry | undefined,
  entries: readonly Entry[],
  { over, stopped, asked, isAtWork, held, proof }: WordFacts,
): StepWord {
  if (current === undefined) return over ? 'skipped' : 'pending';
  if (asked !== null) return 'waiting';
  const launched = entries.filter(({ state }) => state.at === 'launched');
  // Of a run that is being stopped, also one that resists.
  if (entries.some(isAtWork)) return 'running';
  if (!stopped && entries.some(({ kind, state }) => kind === 'ask' && state.at === 'open')) return 'waiting';
  if (!stopped && pauseOf(entries) !== undefined) return 'paused';
  // Its process ended with no process to record it: whoever advances the run next reads what it left.
  if (launched.length > 0 || entries.some(({ state }) => state.at === 'open')) return 'queued';
  // It runs again as soon as a process advances the run.
  if (current.state.at === 'lost' && !over) return 'queued';
  const outcome = outcomeOfState(current.state);
  if (outcome === null) return held ? 'running' : 'queued';
  if (isUnjudged(current) && !over) return 'queued';
  if (outcome === 'SUCCESS' && proof === 'end' && current.kind !== 'ask' && !over) return 'pending';
  if (outcome === 'SUCCESS' && !isProof(current, proof)) return held ? 'running' : 'queued';
  return outcome === 'SUCCESS' ? 'done' : 'failed';
}

/** Whether the success of this part is that of the step. */
function isProof(entry: Entry, proof: WordFacts['proof']): boolean {
  if (proof === 'work' || proof === 'end') return entry.kind !== 'ask';
  return proof === 'any' || stepIdOf(entry.key).endsWith('/verdict');
}

/** What became of a part whose end no process has recorded; null: there is no such part. */
function unrecordedEnd(
  entries: readonly Entry[],
  { isAtWork, isLost: isVanished, isLeft, runId }: RunFacts,
): string | null {
  const stopped = entries.filter((entry) => entry.state.at === 'launched' && !isAtWork(entry));
  if (stopped.some(isLeft))
    return `${vanished}, and processes that it started are alive; end them and start it again: tutti resume ${runId}`;
  if (stopped.some(isVanished)) return `${vanished}; start it again: tutti resume ${runId}`;
  return stopped.length > 0 ? 'its process has ended, and no process has read its result yet' : null;
}

const vanished = 'lost: its process vanished without a result';

const resists = 'it was stopped, and its processes are still alive';

const unjudged = 'its turn ended, and nothing has judged the work yet';

/** An agent that ended its turn has proven nothing. */
function isUnjudged({ kind, state }: Entry): boolean {
  return kind === 'session' && outcomeOfState(state) === 'SUCCESS';
}

function partOf({ key, kind, state, attempt, sessionId }: Entry): PartStatus {
  return {
    id: stepIdOf(key),
    key,
    kind,
    state: state.at,
    attempt,
    sessionId,
    outcome: outcomeOfState(state),
  };
}
