import { microDollars } from '../../lib/dollars.ts';
import type { Workflow } from '../../kernel/ctx.ts';
import type { Budget } from '../../model/budget.ts';
import { isLaunchable } from '../../model/entry.ts';
import type { Entry } from '../../model/entry.ts';
import type { Holder } from '../../model/holder.ts';
import { exitCodeOf, type Outcome } from '../../model/outcome.ts';
import { planOfRunId } from '../../model/plan/task-row.ts';
import type { OpenQuestion } from '../../model/question.ts';
import { outcomeOfRun, type Run, type RunSummary } from '../../model/run.ts';
import { findAtWork } from './at-work.ts';
import { advancingHolder, isStopKept, type ShownHolderFacts } from './living-holder.ts';
import { findOpenQuestions, type QuestionPlaces } from './open-questions.ts';
import { findIncidents, type Incident } from './incidents.ts';
import { findWaived } from './waived.ts';
import { whyQueued } from './why-queued.ts';
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
  readonly budget: Budget | null;
  readonly questions: readonly OpenQuestion[];
  readonly incidents: readonly Incident[];
  /** How many of its parts are being worked on. */
  readonly atWork: number;
  /** The living process that advances it; null: none does. */
  readonly drivenBy: number | null;
  /** It is stopped, and the database does not know it yet. */
  readonly stopKept: boolean;
}

/** What a run's state is computed from: tables, launchers' files, processes. */
export type RunPlaces = QuestionPlaces & Pick<ShownHolderFacts, 'me'>;

export function runStatus(
  places: RunPlaces,
  workflows: ReadonlyMap<string, Workflow>,
  runId: string,
): RunStatus | null {
  const { queries } = places;
  const run = queries.run(runId);
  if (run === null) return null;
  const entries = queries.entries(runId);
  const atWork = findAtWork(places, runId, entries);
  const workflow = workflows.get(run.workflow);
  const outline = workflow?.outline?.(queries.input(runId)) ?? [];
  const questions = findOpenQuestions(places, runId);
  const holder = advancingHolder(places, run);
  const stopKept = isStopKept(places, run);
  const slots = queries.slots(runId);
  const ends = run.state.at === 'ended' ? workflow?.stepEnds?.(run.state.value) : undefined;
  return {
    run,
    state: summaryOf(run, { entries, questions, holder, stopKept }),
    outcome: outcomeOfRun(run.state),
    message: run.state.at === 'ended' ? (run.state.failure?.message ?? null) : null,
    steps: stepStatuses(outline, entries, {
      over: hasRunItsCourse(run),
      stopped: stopKept || (run.state.at === 'ended' && !hasRunItsCourse(run)),
      ends: ends ?? new Map(),
      questions,
      isAtWork: ({ key }) => atWork.has(key),
      held: holder !== null,
      whyQueued: (entry) =>
        whyQueued(entry, { run, holder, slots, maxSessions: places.config.maxSessions, stopKept }),
    }),
    skipped: skippedTask(queries, run),
    budget: queries.budget(run.rootId),
    questions,
    incidents: [
      ...findWaived(queries, run, entries),
      ...findIncidents(entries, queries.warnedSessions(runId, 'late-result')),
    ],
    atWork: atWork.size,
    drivenBy: holder?.pid ?? null,
    stopKept,
  };
}

function skippedTask({ plans }: RunPlaces['queries'], run: Run): string | null {
  const { id, state } = run;
  if (!familyOf(run).hasTasks || state.at !== 'ended' || state.outcome !== 'PARTIAL_SUCCESS') return null;
  return plans.nodes(planOfRunId(id)).find(({ at }) => at === 'skipped')?.id ?? null;
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
}

/** Waiting, paused and undriven are not states of a run: they follow from what it waits for, and for whom. */
export function summaryOf({ state }: Run, { entries, questions, holder, stopKept }: RunFacts): RunSummary {
  if (state.at !== 'running') return state.at;
  const waits = entries.filter((entry) => entry.state.at === 'open' || entry.state.at === 'launched');
  const works = ({ kind, sessionId }: Entry): boolean =>
    kind === 'child' || (isLaunchable(kind) && questionOf(questions, sessionId) === undefined);
  if (waits.length === 0 || waits.some(works)) return holder === null ? 'undriven' : 'running';
  // Nothing of it waits for people or time before it is resumed.
  if (stopKept && holder === null) return 'undriven';
  return waits.some(({ kind }) => kind === 'sleep') ? 'paused' : 'waiting';
}

/** The word for people: a stop that the database does not know yet is one. */
export function wordOfRun(state: RunSummary, stopKept: boolean): RunSummary | 'stopped' {
  return stopKept && state === 'undriven' ? 'stopped' : state;
}

/** The published form of `tutti status --json`. */
export function statusJson(status: RunStatus): object {
  const { run, budget } = status;
  return {
    run_id: run.id,
    workflow: run.workflow,
    state: status.state,
    outcome: status.outcome,
    exit_code: status.outcome === null ? null : exitCodeOf(status.outcome),
    message: status.message,
    started_at: instant(run.startedAt),
    ended_at: instant(run.endedAt),
    driven_by: status.drivenBy,
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
    })),
    questions: status.questions.map(({ id, key, question, askedAt, asker }) => ({
      id,
      key,
      text: question.text,
      options: question.options ?? [],
      asked_at: instant(askedAt),
      session_id: asker?.session ?? null,
      until: instant(question.until ?? null),
    })),
    budget: budget === null ? null : budgetJson(budget),
  };
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

export function instant(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
