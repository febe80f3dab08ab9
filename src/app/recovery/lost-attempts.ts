import { changeTask } from '../plan-record/change-plan.ts';
import { filterAsync } from '../../lib/async-list.ts';
import { digest } from '../../lib/digest.ts';
import { plain } from '../../lib/json.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { rootStepOf } from '../../model/key.ts';
import { basisOf, type ExecuteInput } from '../../model/plan/execute-input.ts';
import { executeRunId, type TaskRow, workDigest } from '../../model/plan/task-row.ts';
import { attemptsOf, type TaskState } from '../../model/plan/task-state.ts';
import type { Workspace } from '../../model/workspace.ts';
import { isTerminal, type Session } from '../../model/session.ts';
import { records } from '../../workspace/record.ts';
import { refusal, type Refusal } from '../refusal.ts';
import { sessionsOfRun } from '../sessions/sessions-now.ts';
import type { Tutti } from '../tutti.ts';

/**
 * Attempts at tasks that the plan's record does not know, because the database was recovered without them. Their workspaces
 * are on disk, and their agents may still work there: a task that is the same work continues in its workspace. Returns the
 * input with the numbers of these attempts. Refused while an agent works on a task that is other work now, because a second
 * agent would begin that task beside it. `before`: the input that the run has; null: there is no run.
 */
export async function takeUpLostAttempts(
  tutti: Tutti,
  input: ExecuteInput,
  before: ExecuteInput | null,
): Promise<Result<ExecuteInput, Refusal>> {
  const { plan } = input;
  const runId = executeRunId(plan);
  const lost = await lostWorkspaces(tutti, input, runId);
  if (before === null || lost.size === 0) return ok(input);
  const same = await filterAsync([...lost.values()], ({ task }) => isSameWork(tutti, task, input, before));
  const kept = new Set(same.map(({ task }) => task));
  const other = (await sessionsOfRun(tutti, runId)).filter(({ key, status }) => {
    const task = rootStepOf(key);
    return !isTerminal(status) && lost.has(task) && !kept.has(task);
  });
  if (other.length > 0) return err(refuseBeside(runId, other));
  for (const { task, attempt } of same) {
    const state: TaskState = {
      at: 'running',
      by: runId,
      attempt,
      since: tutti.clock.wall(),
      snapshot: null,
    };
    await changeTask(tutti, plan, task, (row) => ok(isLost(row, attempt) ? state : row.state));
  }
  const tasks = input.tasks.map((entry) => {
    const found = lost.get(entry.task.id);
    return found === undefined || !kept.has(found.task) ? entry : { ...entry, attempt: found.attempt };
  });
  return ok({ ...input, tasks });
}

/** By task; the last attempt of each. */
async function lostWorkspaces(
  { queries }: Tutti,
  { plan, target }: ExecuteInput,
  runId: string,
): Promise<ReadonlyMap<string, Workspace>> {
  const removed = (await queries.plans.one(plan))?.removed ?? {};
  const known = new Map((await queries.plans.tasks(plan)).map((row) => [row.task.id, row]));
  const lost = records(target)
    .filter(({ run }) => run === runId)
    .map(({ workspace }) => workspace)
    .filter(({ task, attempt }) => isLost(known.get(task) ?? removed[task], attempt));
  return new Map(lost.toSorted((a, b) => a.attempt - b.attempt).map((one) => [one.task, one]));
}

/** Numbers of attempts are given by the record, so that one beyond them was given by a record that is lost. */
function isLost(row: TaskRow | undefined, attempt: number): boolean {
  return row === undefined || attemptsOf(row.state) < attempt;
}

/** Whether the plan's record, the input and what the run has agree about a task. */
async function isSameWork(
  { queries }: Tutti,
  id: string,
  input: ExecuteInput,
  before: ExecuteInput,
): Promise<boolean> {
  const row = await queries.plans.task(input.plan, id);
  const entry = input.tasks.find(({ task }) => task.id === id);
  if (row === null || entry === undefined || workDigest(row.task) !== workDigest(entry.task)) return false;
  return workOf(input, id) === workOf(before, id);
}

/** What the turns of a task are made from, as far as it is known before the tasks that it needs are done; null: no such task. */
function workOf({ tasks, constraints, agents }: ExecuteInput, id: string): string | null {
  const entry = tasks.find(({ task }) => task.id === id);
  return entry === undefined ? null : digest(plain({ basis: basisOf(entry, constraints, {}), agents }));
}

function refuseBeside(runId: string, [first, ...more]: readonly Session[]): Refusal {
  if (first === undefined) throw new Error('no session works beside the tasks');
  const message = `session ${first.id} still works on task ${rootStepOf(first.key)} as it was defined before the database was lost`;
  const end = more.length === 0 ? `tutti session kill ${first.id}` : `tutti stop ${runId}`;
  return refusal('FAILURE', message, `wait until it has ended, or end it: ${end}`);
}
