import { existsSync } from 'node:fs';
import type { TaskRow } from '../../../model/plan/task-row.ts';
import { refuseGoneFiles } from '../../plan-files/kept-files.ts';
import { refusal, type Refusal } from '../../refusal.ts';
import type { Tutti } from '../../tutti.ts';
import { isTaskEdited } from '../changed-tasks.ts';
import type { FoundPlan } from '../find-plan.ts';
import { takeEditsCommand } from '../../../model/plan/take-edits.ts';
import { conductingRuns } from './plan-status.ts';

/**
 * Why a task is neither started nor judged: its file has another definition than the plan's record, and a person reads the
 * file. Null: both are the same work.
 */
export async function refuseEditedTask(
  tutti: Tutti,
  found: FoundPlan,
  { task, state }: TaskRow,
): Promise<Refusal | null> {
  const { plan, paths } = found;
  const { id } = task;
  const gone = refuseGoneFiles(tutti, plan);
  if (gone !== null) return gone;
  if (!(await isTaskEdited(found, task))) return null;
  const file = paths.task(id);
  const load = takeEditsCommand(plan.name, await conductingRuns(tutti, plan.name));
  if (!existsSync(file)) {
    const hint = `restore it: tutti recover; or remove the task from the plan: ${load}`;
    return refusal('FAILURE', `the file of task ${id} was removed: ${file}`, hint);
  }
  const message = `task ${id} was edited after plan ${plan.name} loaded it: ${file}`;
  // What is worked on can be neither changed nor removed.
  return state.at === 'running'
    ? refusal(
        'FAILURE',
        message,
        `undo the edit; or give the task up: tutti task fail ${id} MESSAGE, then load the edit: ${load}`,
      )
    : refusal('FAILURE', message, `load the edit: ${load}`);
}
