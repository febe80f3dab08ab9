import { lstatSync } from 'node:fs';
import { graphOf } from '../../../model/graph.ts';
import { type Board, boardOf } from '../../../model/plan/board.ts';
import { marksNow, type ShownMark } from '../../../model/plan/checkpoint.ts';
import { afterRefusal } from '../../../model/plan/objection.ts';
import { isAtLeast } from '../../../model/plan/phase.ts';
import type { PlanHalt, PlanRecord } from '../../../model/plan/plan-record.ts';
import { askingRun } from '../../../model/plan/take-edits.ts';
import { executeRunId, planRunId } from '../../../model/plan/task-row.ts';
import type { TaskState } from '../../../model/plan/task-state.ts';
import type { TaskNode } from '../../../model/ports/plan-queries.ts';
import type { Queries } from '../../../model/ports/queries.ts';
import { type PlanPaths, planPathsOf } from '../../plan-files/plan-paths.ts';
import { type PlanTokens, planTokens } from '../plan-tokens.ts';
import type { Run } from '../../../model/run.ts';
import { isHeld, isStopKept } from '../../status/living-holder.ts';
import { reachedCeiling } from '../../status/reached-ceiling.ts';
import { findHalt } from '../../plan-record/find-halt.ts';
import { type ConductingRun, nextCommand } from './next-command.ts';
import { findParked, type ParkedTask, type TaskPlaces } from './parked-tasks.ts';

export interface PlanStatus {
  readonly plan: PlanRecord;
  readonly paths: PlanPaths;
  readonly total: number;
  readonly board: Board;
  /** Begun by a run of Tutti, and nothing works on them now; not among those that run. */
  readonly parked: readonly ParkedTask[];
  readonly tokens: PlanTokens;
  /** What the checkpoint says of each task, as it is now. */
  readonly marks: Readonly<Record<string, ShownMark>>;
  /** With why, in words. */
  readonly blocked: readonly BlockedTask[];
  /** Nothing new is started: somebody asked for it, or put a file there. */
  readonly halted: boolean;
  readonly halt: PlanHalt | null;
  readonly stopFile: boolean;
  /** How task files differ from what was checked, in words; null: they do not, or nothing looked. */
  readonly changed: string | null;
  /** A run that conducts it could go on, and no process advances it. */
  readonly isUndriven: boolean;
  /** What a person who refused the plan can do, in words; null: it is not refused, agents conduct it, or a run asks about it again. */
  readonly afterRefusal: string | null;
  /** What to type next; null: nothing is left to do. */
  readonly next: string | null;
}

interface BlockedTask {
  readonly id: string;
  readonly name: string;
  /** The task that failed or was skipped. */
  readonly by: string;
  readonly reason: string;
}

/** What the caller looked up in files and repositories; absent: nothing looked. */
interface PlanLook {
  readonly changed?: string | null;
  readonly isDelivered?: boolean;
  readonly isGone?: boolean;
}

/** How a plan stands. Reads no definitions: of those there may be megabytes. */
export async function planStatus(
  tutti: TaskPlaces,
  plan: PlanRecord,
  { changed = null, isDelivered = false, isGone = false }: PlanLook = {},
): Promise<PlanStatus> {
  const { queries } = tutti;
  const paths = planPathsOf(tutti.paths, plan.name);
  const nodes = await queries.plans.nodes(plan.name);
  const parked = await findParked(tutti, plan.name, nodes);
  const board = withoutParked(boardOfNodes(nodes), parked);
  const stopFile = isStopped(paths);
  const halt = findHalt(plan, paths);
  const halted = halt !== null;
  const runs = await conductingRuns(tutti, plan.name);
  const next = nextCommand(plan, {
    isChanged: changed !== null,
    isGone,
    board,
    parked: parked.map(({ id }) => id),
    halted,
    isDelivered,
    runs,
  });
  const isDecided = next !== null && changed === null && isAtLeast(plan.phase, 'ready');
  const isAsking = runs.some(({ asks }) => asks);
  return {
    plan,
    paths,
    total: nodes.length,
    board,
    parked,
    marks: plan.checkpoint === null ? {} : marksNow(plan.checkpoint, new Set(parked.map(({ id }) => id))),
    tokens: await planTokens(queries, plan),
    blocked: await blockedTasks(tutti, plan.name, board, nodes),
    halted,
    halt,
    stopFile,
    changed,
    isUndriven: runs.some(({ isOver, held, asks }) => !isOver && !held && !asks),
    afterRefusal: isDecided && runs.length > 0 && !isAsking ? afterRefusal(plan) : null,
    next,
  };
}

/** What is parked does not run; what waits for it waits as before. */
function withoutParked(board: Board, parked: readonly ParkedTask[]): Board {
  const ids = new Set(parked.map(({ id }) => id));
  return { ...board, running: board.running.filter((id) => !ids.has(id)) };
}

/** Tutti's own runs that conduct the plan, the one that executes it first. */
export async function conductingRuns(tutti: TaskPlaces, plan: string): Promise<readonly ConductingRun[]> {
  const { queries } = tutti;
  return Promise.all(
    (
      await Promise.all(
        [executeRunId(plan), planRunId(plan)].map(async (id) => (await queries.run(id)) ?? []),
      )
    )
      .flat()
      .map(async (run) => {
        const open = (await isStopKept(tutti, run)) ? [] : await queries.openQuestions(run.id);
        return {
          ...askingRun(run.id, open),
          isOver: run.state.at !== 'running',
          held: await isHeld(tutti, run.id),
          raise: await findRaise(tutti, run),
        };
      }),
  );
}

/** Without a higher ceiling, the next command would end at the same one. */
async function findRaise({ queries }: TaskPlaces, { id, state }: Run): Promise<string | null> {
  if (state.at !== 'ended' || state.outcome !== 'BUDGET_EXCEEDED') return null;
  const budget = await queries.budget(id);
  return budget === null ? null : (reachedCeiling(budget)?.option ?? null);
}

export function boardOfNodes(nodes: readonly TaskNode[]): Board {
  const graph = graphOf(nodes);
  // They were checked before they were taken.
  if (!graph.ok) throw new Error('the tasks of a plan wait for each other');
  const states = new Map(nodes.map((node) => [node.id, node]));
  return boardOf(graph.value, (id) => states.get(id) ?? { at: 'pending' });
}

/** Whatever lies there, a link or a folder too, says stop. */
export function isStopped({ stop }: Pick<PlanPaths, 'stop'>): boolean {
  return lstatSync(stop, { throwIfNoEntry: false }) !== undefined;
}

async function blockedTasks(
  { queries }: { readonly queries: Pick<Queries, 'plans'> },
  plan: string,
  { blocked }: Board,
  nodes: readonly TaskNode[],
): Promise<readonly BlockedTask[]> {
  if (blocked.size === 0) return [];
  const names = new Map(nodes.map(({ id, name }) => [id, name]));
  const reasons = new Map<string, string>();
  return Promise.all(
    [...blocked].map(async ([id, by]) => {
      const reason = reasons.get(by) ?? reasonOf((await queries.plans.task(plan, by))?.state, by);
      reasons.set(by, reason);
      return { id, name: names.get(id) ?? '', by, reason };
    }),
  );
}

function reasonOf(state: TaskState | undefined, id: string): string {
  if (state?.at === 'failed') return `${id} failed: ${state.error.message}`;
  if (state?.at === 'skipped') return `${id} was skipped: ${state.reason}`;
  return `${id} is in the way`;
}
