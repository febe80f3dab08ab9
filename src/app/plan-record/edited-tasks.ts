import { recorded } from '../../lib/json.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { familyOf } from '../../model/family.ts';
import { editsOfRun } from '../../model/plan/edited-tasks.ts';
import type { ExecuteInput } from '../../model/plan/execute-input.ts';
import { isAtLeast } from '../../model/plan/phase.ts';
import type { PlanTask } from '../../model/plan/plan-task.ts';
import { notExecutable, type PlanRecord } from '../../model/plan/plan-record.ts';
import { askingRun, takeEditsCommand } from '../../model/plan/take-edits.ts';
import { planOfRunId, planRunId } from '../../model/plan/task-row.ts';
import type { Queries } from '../../model/ports/queries.ts';
import { problemSentence } from '../../model/schemas/problem.ts';
import { refuseGoneFiles } from '../plan-files/kept-files.ts';
import { type PlanPaths, planPathsOf } from '../plan-files/plan-paths.ts';
import type { ProjectPaths } from '../project.ts';
import { refusal, type Refusal } from '../refusal.ts';
import type { Variables } from '../state-folder.ts';
import { findHalt } from './find-halt.ts';

interface Place {
  readonly queries: Pick<Queries, 'run' | 'input' | 'plans' | 'openQuestions'>;
  readonly paths: Pick<ProjectPaths, 'state' | 'mark'>;
  readonly env: Variables;
}

/**
 * Why a run may not continue: tasks of the plan that it executes were edited since it loaded them, and it would work by the old
 * definitions. Null: it may.
 */
export async function faultOfEditedTasks(place: Place, runId: string): Promise<Refusal | null> {
  const edits = await findEdits(place, runId);
  if (edits === null) return null;
  const gone = edits.isUnreadable ? refuseGoneFiles(place, edits.plan) : null;
  if (gone !== null) return gone;
  const plan = planOfRunId(runId);
  const message = `the tasks of plan ${plan} were edited after run ${runId} loaded them: ${edits.words}`;
  const first = edits.isHalted ? `end the halt: tutti resume ${plan} --clear-only; then ` : '';
  return refusal('FAILURE', message, `${first}${await editsHint(place, edits.plan, edits.isOpen)}`);
}

/**
 * What takes edited tasks up for the run that executes them: verifying them comes first, unless they are approved already. Files
 * that are gone are restored. `isOpen`: the plan's record does not have the edits yet.
 */
export async function editsHint(
  place: Pick<Place, 'paths' | 'env'> & { readonly queries: Pick<Queries, 'openQuestions'> },
  plan: PlanRecord,
  isOpen: boolean,
): Promise<string> {
  const gone = isOpen ? refuseGoneFiles(place, plan) : null;
  if (gone !== null) return gone.hint;
  const { queries } = place;
  if (!isOpen && notExecutable(plan) === null) return `load the edits: tutti execute --plan ${plan.name}`;
  const id = planRunId(plan.name);
  const planning = askingRun(id, await queries.openQuestions(id));
  return `have the edits verified: ${takeEditsCommand(plan.name, [planning])}`;
}

interface Edits {
  readonly plan: PlanRecord;
  readonly words: string;
  /** The files cannot be read as tasks, such as when they were deleted. */
  readonly isUnreadable: boolean;
  /** Files have edits that the plan's record does not have yet. */
  readonly isOpen: boolean;
  /** Nothing loads them before the halt of the plan is cleared. */
  readonly isHalted: boolean;
}

async function findEdits({ queries, paths }: Place, runId: string): Promise<Edits | null> {
  const run = await queries.run(runId);
  if (run === null || !familyOf(run).hasTasks) return null;
  const name = planOfRunId(runId);
  const plan = await queries.plans.one(name);
  if (plan === null) return null;
  const { tasks } = recorded<ExecuteInput>(await queries.input(runId));
  const known = { run: tasks.map(({ task }) => task), record: await queries.plans.tasks(name) };
  const planPaths = planPathsOf(paths, name);
  // While a plan is planned again, agents write the files.
  const files = isAtLeast(plan.phase, 'ready') ? await readFiles(planPaths) : ok(null);
  const words = files.ok ? editsOfRun({ ...known, files: files.value }) : files.error;
  if (words === null) return null;
  const recordedTasks = known.record.map(({ task }) => task);
  const isOpen = !files.ok || editsOfRun({ ...known, run: recordedTasks, files: files.value }) !== null;
  return { plan, words, isUnreadable: !files.ok, isOpen, isHalted: findHalt(plan, planPaths) !== null };
}

async function readFiles({ dir }: PlanPaths): Promise<Result<readonly PlanTask[], string>> {
  const { loadTasks } = await import('../plan-files/load-tasks.ts');
  const loaded = loadTasks(dir);
  return loaded.ok ? ok(loaded.value.tasks) : err(loaded.error.slice(0, 1).map(problemSentence).join(''));
}
