import { microDollars } from '../../lib/dollars.ts';
import { isObject } from '../../lib/json.ts';
import type { Budget } from '../../model/budget.ts';
import type { ProjectSettings } from '../../model/config.ts';
import { isLaunchable } from '../../model/entry.ts';
import type { Entry } from '../../model/entry.ts';
import type { Holder } from '../../model/holder.ts';
import { exitCodeOf, type Outcome } from '../../model/outcome.ts';
import type { Outline } from '../../model/outline.ts';
import type { Slots } from '../../model/ports/queries.ts';
import { planOfRunId } from '../../model/plan/task-row.ts';
import { findAsker, type OpenQuestion } from '../../model/question.ts';
import { timeOfRun, type Until } from '../../model/time-taken.ts';
import { isOver, outcomeOfRun, type Run, type RunSummary } from '../../model/run.ts';
import { findLaunched, type LaunchedPart } from './at-work.ts';
import { hasBegun, launchedOfTree } from './begun-sessions.ts';
import {
  advancingHolder,
  findSilentHolder,
  isStopKept,
  keptWith,
  type ShownHolderFacts,
} from './living-holder.ts';
import { describeSilence, type SilentHolder } from '../../model/silent-holder.ts';
import { findOpenQuestions, type QuestionPlaces } from './open-questions.ts';
import { findIncidents, type Incident } from './incidents.ts';
import type { Move } from '../../workspace/guard-record.ts';
import { putAsideJson, putAsideOf } from '../host/shown-put-aside.ts';
import { findLateResults } from '../host/late-result.ts';
import { findWaived } from './waived.ts';
import { planPathsOf } from '../plan-files/plan-paths.ts';
import { faultOfRefusedPlan } from '../plan-record/refused-plan.ts';
import { questionOf, stepStatuses, type StepStatus } from './step-status.ts';
import { familyOf } from '../../model/family.ts';

export interface RunStatus {
  readonly run: Run;
  readonly state: RunSummary;
  readonly outcome: Outcome | null;
  readonly message: string | null;
  readonly steps: readonly StepStatus[];
  /** A task that a person skipped, where the run ended without it; null: there is none. */
  readonly skipped: string | null;
  /** Whether the plan that it planned has task files, also ones that are not valid; false before it ended. */
  readonly hasTaskFiles: boolean;
  readonly budget: Budget | null;
  /** What its command names: the file of its flow, or the definition of its call. Null: nothing, or an earlier release started it. */
  readonly source: string | null;
  readonly questions: readonly OpenQuestion[];
  readonly incidents: readonly Incident[];
  /** Sessions that made files which can start programs outside their sandbox, and where these are now. */
  readonly putAside: readonly PutAside[];
  /** How many of its parts are being worked on. */
  readonly atWork: number;
  /** The living process that advances it; null: none does. */
  readonly drivenBy: number | null;
  /** A living process that holds it and does not respond; null: there is none. */
  readonly silentHolder: SilentHolder | null;
  /** It is stopped, and the database does not know it yet. */
  readonly stopKept: boolean;
  /** How long it was worked on; it grows only while a process works on it. */
  readonly tookMs: number;
}

export interface PutAside {
  readonly session: string;
  readonly moves: readonly Move[];
}

/** What a run's state is computed from: tables, launchers' files, processes. */
export interface RunPlaces extends QuestionPlaces, Pick<ShownHolderFacts, 'me'> {
  readonly config: Pick<ProjectSettings, 'maxSessions'>;
}

export async function runStatus(
  places: RunPlaces,
  workflows: ReadonlyMap<string, Outline>,
  runId: string,
): Promise<RunStatus | null> {
  const { queries } = places;
  const run = await queries.run(runId);
  if (run === null) return null;
  const entries = await queries.entries(runId);
  const launched = await findLaunched(places, runId, entries);
  const isAtWork = ({ key }: Entry): boolean => launched.get(key)?.at === 'work';
  const workflow = workflows.get(run.workflow);
  const input = await queries.input(runId);
  const outline = workflow?.outline?.(input) ?? [];
  const source = isObject(input) ? (input['file'] ?? input['source']) : undefined;
  const questions = await findOpenQuestions(places, runId);
  const holder = await advancingHolder(places, run);
  const stopKept = await isStopKept(places, run);
  const slots = await queries.slots(runId);
  const isRefused = (await faultOfRefusedPlan(places, runId)) !== null;
  const now = places.clock.wall();
  const ends = run.state.at === 'ended' ? workflow?.stepEnds?.(run.state.value) : undefined;
  const failed = ends === undefined ? new Set<string>() : await failedTasks(queries, run);
  const sessions = await queries.sessions.ofRun(runId);
  const moved = await queries.warnedSessions(runId, 'put-aside');
  const waived = await findWaived(queries, run, entries);
  const steps = stepStatuses(outline, entries, {
    over: hasRunItsCourse(run),
    stopped: stopKept || (run.state.at === 'ended' && !hasRunItsCourse(run)),
    ends: new Map(
      [...(ends ?? [])].map(([id, end]) => [id, end === 'left' && failed.has(id) ? 'failed' : end]),
    ),
    whyEnded: (run.state.at === 'ended' ? workflow?.whyEnded?.(run.state.value) : undefined) ?? new Map(),
    questions,
    isAtWork,
    isLost: ({ key }) => launched.get(key)?.at === 'lost',
    isLeft: ({ key }) => launched.get(key)?.at === 'left',
    runId,
    held: holder !== null,
    until: untilWhen({ launched, held: holder !== null, now }),
    whyQueued: (entry) =>
      whyQueued(entry, { run, holder, slots, maxSessions: places.config.maxSessions, stopKept, isRefused }),
  });
  return {
    run,
    state: summaryOf(run, {
      entries,
      questions,
      holder,
      stopKept,
      halts: await isHalting(places, run),
    }),
    outcome: outcomeOfRun(run.state),
    message: run.state.at === 'ended' ? (run.state.failure?.message ?? null) : null,
    steps: steps.map((step) => withWaived(step, waived)),
    skipped: await skippedTask(queries, run),
    hasTaskFiles: await hasTaskFiles(places, run),
    budget: await begunBudget(places, run),
    source: typeof source === 'string' ? source : null,
    questions,
    incidents: [
      ...waived,
      ...findIncidents(
        entries,
        await lateSessions(places, runId),
        moved,
        await queries.warnedSessions(runId, 'overwritten'),
      ),
    ],
    putAside: sessions
      .filter(({ id }) => moved.includes(id))
      .map((session) => ({ session: session.id, moves: putAsideOf(places.paths, session) }))
      .filter(({ moves }) => moves.length > 0),
    atWork: entries.filter(isAtWork).length,
    drivenBy: holder?.pid ?? null,
    silentHolder: isOver(run.state) ? null : await findSilentHolder(places, run),
    stopKept,
    tookMs: timeOfRun(entries, sessions, untilWhen({ launched, held: holder !== null, now })),
  };
}

function withWaived(step: StepStatus, all: readonly Incident[]): StepStatus {
  const waived = all.filter((each) => each.step === step.id).map(({ text }) => text);
  return waived.length === 0 ? step : { ...step, waived };
}

/** Those that a process has reported, and those whose late result no process has moved yet. */
async function lateSessions(places: RunPlaces, runId: string): Promise<readonly string[]> {
  const unmoved = await findLateResults(places, runId);
  return [
    ...(await places.queries.warnedSessions(runId, 'late-result')),
    ...unmoved.map(({ session }) => session.id),
  ];
}

interface TimeFacts {
  readonly launched: ReadonlyMap<string, LaunchedPart>;
  readonly held: boolean;
  readonly now: number;
}

/** The present counts only where a process lives that works on a part or advances its run. */
function untilWhen({ launched, held, now }: TimeFacts): Until {
  return ({ key, openedAt }) => {
    if (held) return now;
    const part = launched.get(key);
    if (part === undefined) return openedAt;
    return part.at === 'work' ? now : part.stoppedAt;
  };
}

interface QueueFacts {
  readonly run: Run;
  /** The living process that advances it. */
  readonly holder: Holder | null;
  readonly slots: Slots;
  readonly maxSessions: number;
  /** The run is stopped, and the database does not know it yet. */
  readonly stopKept: boolean;
  /** It executes a plan that a person refused. */
  readonly isRefused: boolean;
}

/** What a part that could be launched waits for, in words, in the order in which admission checks. */
function whyQueued({ kind }: Pick<Entry, 'kind'>, facts: QueueFacts): string {
  const { run, holder, slots, maxSessions, stopKept, isRefused } = facts;
  const resume = `tutti resume ${run.id}`;
  if (isRefused)
    return `waits because its plan was refused; see what helps: tutti plan status --plan ${planOfRunId(run.id)}`;
  if (run.state.at === 'halting' || run.state.at === 'halted')
    return `waits because its run is ${run.state.at}; continue the run: ${resume}`;
  if (run.state.at === 'ended' || stopKept)
    return `waits because its run is stopped; continue the run: ${resume}`;
  if (holder === null) return 'waits for a process that advances its run';
  if (slots.inRun >= run.concurrency) return `waits for ${oneOf(run.concurrency, 'slot')} of its run`;
  if (kind === 'session' && slots.sessions >= maxSessions)
    return `waits for ${oneOf(maxSessions, 'session slot')} of the project`;
  return 'starts next';
}

function oneOf(count: number, noun: string): string {
  return count === 1 ? `the only ${noun}` : `one of the ${count} ${noun}s`;
}

/** How long a run took, for lists. */
export async function runTookMs(places: RunPlaces, run: Run): Promise<number> {
  const { queries } = places;
  const entries = await queries.entries(run.id);
  const facts = {
    launched: await findLaunched(places, run.id, entries),
    held: run.endedAt === null && (await advancingHolder(places, run)) !== null,
    now: places.clock.wall(),
  };
  return timeOfRun(entries, await queries.sessions.ofRun(run.id), untilWhen(facts));
}

/** The budget with the launches that came to run: one is reserved before its process exists. */
async function begunBudget(places: RunPlaces, { id, rootId }: Run): Promise<Budget | null> {
  // A run that was started inside a session has a budget of its own, and a child none.
  const own = await places.queries.budget(id);
  const budget = own ?? (await places.queries.budget(rootId));
  if (budget === null) return null;
  const pending = (await launchedOfTree(places, own === null ? rootId : id)).filter(
    (row) => !hasBegun(places, row),
  );
  const launches = Math.max(0, budget.spent.launches - pending.length);
  return { ...budget, spent: { ...budget.spent, launches } };
}

async function skippedTask({ plans }: RunPlaces['queries'], run: Run): Promise<string | null> {
  const { id, state } = run;
  if (!familyOf(run).hasTasks || state.at !== 'ended' || state.outcome !== 'PARTIAL_SUCCESS') return null;
  return (await plans.nodes(planOfRunId(id))).find(({ at }) => at === 'skipped')?.id ?? null;
}

async function hasTaskFiles({ paths }: RunPlaces, run: Run): Promise<boolean> {
  const family = familyOf(run);
  if (!family.isOfPlan || family.hasTasks || run.state.at !== 'ended') return false;
  const { tasksWithFile } = await import('../plan-files/load-tasks.ts');
  return tasksWithFile(planPathsOf(paths, planOfRunId(run.id)).dir).length > 0;
}

/** A task that failed before and was left out this time is still failed, until a person has it tried again. */
async function failedTasks({ plans }: RunPlaces['queries'], run: Run): Promise<ReadonlySet<string>> {
  if (!familyOf(run).hasTasks) return new Set();
  const nodes = await plans.nodes(planOfRunId(run.id));
  return new Set(nodes.filter(({ at }) => at === 'failed').map(({ id }) => id));
}

/** A run that stands still may go on: what it has not begun is pending, not skipped. */
function hasRunItsCourse({ state }: Run): boolean {
  return state.at === 'ended' && state.outcome !== 'INTERRUPTED';
}

interface RunFacts {
  readonly entries: readonly Entry[];
  readonly questions: readonly OpenQuestion[];
  /** The living process that advances it. */
  readonly holder: Holder | null;
  /** It is stopped, and the database does not know it yet. */
  readonly stopKept: boolean;
  /** It is to halt, which its record does not say yet: what is under way finishes, and then the run is halted. */
  readonly halts: boolean;
}

/** A halt of a plan reaches its execution when the tasks under way have finished; one that is kept, when it can be recorded. */
export async function isHalting(places: RunPlaces, run: Run): Promise<boolean> {
  const kept = await keptWith(places, run);
  if (kept !== null && places.wishes?.of(kept) === 'halt') return true;
  const { plans } = places.queries;
  return familyOf(run).hasTasks && ((await plans.one(planOfRunId(run.id)))?.halt ?? null) !== null;
}

/** Waiting, paused and undriven are not states of a run: they follow from what it waits for, and for whom. */
export function summaryOf(
  { state }: Run,
  { entries, questions, holder, stopKept, halts }: RunFacts,
): RunSummary {
  if (state.at !== 'running') return state.at;
  if (halts && holder !== null) return 'halting';
  const waits = entries.filter((entry) => entry.state.at === 'open' || entry.state.at === 'launched');
  const works = ({ kind, sessionId }: Entry): boolean =>
    kind === 'child' || (isLaunchable(kind) && questionOf(questions, sessionId) === undefined);
  if (waits.length === 0 || waits.some(works)) return holder === null ? 'undriven' : 'running';
  // Nothing of it waits for people or time before it is resumed.
  if (stopKept && holder === null) return 'undriven';
  return waits.some(({ kind }) => kind === 'sleep') ? 'paused' : 'waiting';
}

/** The word that is shown: a stop that the database does not know yet is one. */
export function wordOfRun(state: RunSummary, stopKept: boolean): RunSummary | 'stopped' {
  return stopKept && state === 'undriven' ? 'stopped' : state;
}

/** The published form of `tutti status --json`. */
export function statusJson(status: RunStatus): object {
  const { run, budget } = status;
  return {
    run_id: run.id,
    workflow: run.workflow,
    state: wordOfRun(status.state, status.stopKept),
    outcome: status.outcome,
    exit_code: status.outcome === null ? null : exitCodeOf(status.outcome),
    message: status.message,
    started_at: instant(run.startedAt),
    ended_at: instant(run.endedAt),
    driven_by: status.drivenBy,
    silent_holder: silentJson(status.silentHolder),
    steps: status.steps.map((step) => ({
      id: step.id,
      name: step.name,
      key: step.key,
      state: step.state,
      attempts: step.attempts,
      session_id: step.sessionId,
      outcome: step.outcome,
      message: step.message,
      started_at: instant(step.startedAt),
      ended_at: instant(step.endedAt),
      parts: step.parts.map(({ sessionId, ...part }) => ({ ...part, session_id: sessionId })),
      ...(step.waived === undefined ? {} : { waived: step.waived }),
    })),
    questions: status.questions.map((open) => ({
      id: open.id,
      key: open.key,
      text: open.question.text,
      options: open.question.options ?? [],
      asked_at: instant(open.askedAt),
      session_id: findAsker(open),
      until: instant(open.question.until ?? null),
    })),
    budget: budget === null ? null : budgetJson(budget),
    put_aside: status.putAside.flatMap(({ session, moves }) =>
      putAsideJson(moves).map((move) => ({ session_id: session, ...move })),
    ),
  };
}

function silentJson(silent: SilentHolder | null): object | null {
  return silent === null ? null : { pid: silent.pid, why: describeSilence(silent) };
}

function budgetJson({ limits, spent, reserved }: Budget): object {
  return {
    launches: { used: spent.launches, limit: limits.launches ?? null },
    tokens: { used: spent.tokens, reserved: reserved.tokens, limit: limits.tokens ?? null },
    cost_usd: {
      used: microDollars(spent.costUsd),
      reserved: microDollars(reserved.costUsd),
      limit: limits.costUsd ?? null,
    },
    wall_seconds: { limit: limits.wallMs === undefined ? null : limits.wallMs / 1000 },
    depth: { limit: limits.depth },
    unpriced_turns: spent.unpriced,
  };
}

export function instant(at: number): string;
export function instant(at: number | null): string | null;
export function instant(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
