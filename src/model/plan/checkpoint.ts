import { firstFew } from '../../lib/first-few.ts';
import { err, ok } from '../../lib/result.ts';
import type { Checkpoint, PlanChange, PlanRecord } from './plan-record.ts';
import type { TaskState } from './task-state.ts';

/** What an executor said of a task when it came back. */
export type Acknowledged = 'success' | 'failed';

/** Tasks that are about to be worked on. One list at a time: a second one would hide whom the first still waits for. */
export function createCheckpoint(
  plan: PlanRecord,
  ids: readonly string[],
  { at, known }: { readonly at: number; readonly known: ReadonlySet<string> },
): PlanChange {
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined) return err(`there is no task ${unknown}`);
  const { checkpoint } = plan;
  const open = checkpoint?.status === 'active' ? waitedFor(checkpoint) : [];
  if (open.length > 0 && !isSame(open, ids)) {
    return err(`the checkpoint of ${firstFew(open, 5)} is not complete`);
  }
  const tasks = Object.fromEntries(ids.map((id) => [id, 'running' as const]));
  return ok({ ...plan, checkpoint: { status: 'active', createdAt: at, tasks } });
}

export function updateCheckpoint(plan: PlanRecord, id: string, status: Acknowledged): PlanChange {
  const { checkpoint } = plan;
  if (checkpoint === null) return err('there is no checkpoint');
  if (!Object.hasOwn(checkpoint.tasks, id)) return err(`the checkpoint does not have ${id}`);
  return ok({ ...plan, checkpoint: { ...checkpoint, tasks: { ...checkpoint.tasks, [id]: status } } });
}

export function completeCheckpoint(plan: PlanRecord): PlanChange {
  const { checkpoint } = plan;
  if (checkpoint === null) return err('there is no checkpoint');
  return ok({ ...plan, checkpoint: { ...checkpoint, status: 'complete' } });
}

export function clearCheckpoint(plan: PlanRecord): PlanRecord {
  return { ...plan, checkpoint: null };
}

/** What a look after a crash finds. */
export interface Recovery {
  readonly plan: PlanRecord;
  /** They ended, and nobody had taken note of it. */
  readonly acknowledged: Readonly<Record<string, Acknowledged>>;
  /** Said to be at work, and nobody is. */
  readonly orphans: readonly string[];
  /** Somebody still works on them. */
  readonly alive: readonly string[];
  /** Named by the checkpoint, and never begun. */
  readonly notStarted: readonly string[];
}

export interface RecoveryFacts {
  readonly at: number;
  readonly tasks: readonly { readonly id: string; readonly state: TaskState }[];
  readonly isAlive: (by: string) => boolean;
}

/** Looks also at tasks at work that no checkpoint names: whoever began them may have died before saying so. */
export function recover(plan: PlanRecord, { at, tasks, isAlive }: RecoveryFacts): Recovery {
  const marks: Record<string, Checkpoint['tasks'][string]> = { ...plan.checkpoint?.tasks };
  const acknowledged: Record<string, Acknowledged> = {};
  const [orphans, alive, notStarted]: [string[], string[], string[]] = [[], [], []];
  const states = new Map(tasks.map(({ id, state }) => [id, state]));
  const running = tasks.filter(({ state }) => state.at === 'running').map(({ id }) => id);
  for (const id of new Set([...Object.keys(marks), ...running])) {
    const known = marks[id] === 'success' || marks[id] === 'failed';
    const state = states.get(id) ?? { at: 'pending' };
    if (state.at === 'running') {
      const lives = isAlive(state.by);
      (lives ? alive : orphans).push(id);
      marks[id] = lives ? 'running' : 'orphaned';
    } else if (state.at === 'done' || state.at === 'failed') {
      const said = state.at === 'done' ? 'success' : 'failed';
      if (!known) acknowledged[id] = said;
      marks[id] = said;
    } else if (!known) {
      if (state.at === 'pending') notStarted.push(id);
      delete marks[id];
    }
  }
  const { checkpoint } = plan;
  const status = alive.length + orphans.length > 0 ? 'active' : 'complete';
  const left = Object.keys(marks).length > 0;
  const next: Checkpoint | null = left
    ? { status, createdAt: checkpoint?.createdAt ?? at, tasks: marks }
    : null;
  return { plan: { ...plan, checkpoint: next }, acknowledged, orphans, alive, notStarted };
}

/** What a checkpoint says of each task; `parked`: it was begun, and nothing works on it now. */
export type ShownMark = Checkpoint['tasks'][string] | 'parked';

/** The marks of a checkpoint as they are now: one is written when a task begins, and nothing may have worked on it since. */
export function marksNow(
  { tasks }: Pick<Checkpoint, 'tasks'>,
  parked: ReadonlySet<string>,
): Readonly<Record<string, ShownMark>> {
  const entries = Object.entries(tasks);
  return Object.fromEntries(
    entries.map(([id, mark]) => [id, mark === 'running' && parked.has(id) ? 'parked' : mark]),
  );
}

/** Found dead by a look, so that it may be taken from whoever had it. */
export function isOrphan({ checkpoint }: Pick<PlanRecord, 'checkpoint'>, id: string): boolean {
  return checkpoint?.tasks[id] === 'orphaned';
}

/** A task that begins again is nobody's orphan any more. */
export function withoutOrphan(plan: PlanRecord, id: string): PlanRecord {
  return isOrphan(plan, id) ? withoutMark(plan, id) : plan;
}

/** How a task ended says nothing any more once a person has skipped or reopened it. */
export function withoutMark(plan: PlanRecord, id: string): PlanRecord {
  const { checkpoint } = plan;
  if (checkpoint === null || !Object.hasOwn(checkpoint.tasks, id)) return plan;
  const { [id]: _gone, ...tasks } = checkpoint.tasks;
  return { ...plan, checkpoint: Object.keys(tasks).length === 0 ? null : { ...checkpoint, tasks } };
}

/** Those of whom nothing has been heard. */
export function waitedFor({ tasks }: Checkpoint): readonly string[] {
  return Object.keys(tasks).filter((id) => tasks[id] === 'running' || tasks[id] === 'orphaned');
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id) => b.includes(id));
}
