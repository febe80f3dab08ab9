import { isAbsolute, relative } from 'node:path';
import { err, type Result } from '../../../lib/result.ts';
import { pathTrouble } from '../../../model/plan/target-path.ts';
import { ownPaths, type TaskRow } from '../../../model/plan/task-row.ts';
import { widenTask as widened } from '../../../model/plan/task-state.ts';
import { decide } from '../../people/decide.ts';
import { refusal, type Refusal } from '../../refusal.ts';
import type { Tutti } from '../../tutti.ts';
import { logActivity } from '../../plan-files/activity-log.ts';
import type { FoundPlan } from '../find-plan.ts';
import { changeTask } from './change-and-show.ts';
import { requiredTask } from './required-task.ts';

/**
 * A person lets files that a task does not declare belong to it. The definition stays what was approved; the record of the
 * attempt says what was added, and its result names the files.
 */
export async function widenTask(
  tutti: Tutti,
  { plan, paths }: FoundPlan,
  id: string,
  files: readonly string[],
): Promise<Result<TaskRow, Refusal>> {
  const row = await requiredTask(tutti, plan.name, id);
  if (!row.ok) return row;
  const wanted = files.map((path) => (isAbsolute(path) ? relative(plan.targetDir, path) : path));
  for (const path of wanted) {
    const trouble = pathTrouble(path);
    if (trouble === null) continue;
    const message = `${JSON.stringify(path.slice(0, 200))} ${trouble}`;
    return err(refusal('USAGE', message, `name files of ${plan.targetDir}`));
  }
  const decided = await decide(tutti, 'widen', `${id} of plan ${plan.name}: ${wanted.join(', ')}`);
  if (!decided.ok) return decided;
  const changed = await changeTask(tutti, plan.name, id, async ({ state }) => {
    const other = await ownerAtWork(tutti, plan.name, id, wanted);
    return other === null
      ? widened(state, wanted)
      : err(`cannot have ${other.path}: ${other.id} is at work on it`);
  });
  if (!changed.ok) return changed;
  const message = `${id}: may write ${wanted.join(', ')} too`;
  await logActivity(tutti, paths, { level: 'INFO', agent: decided.value.by, event: 'task-widen', message });
  return changed;
}

/** Of two that are at work at a time, each owns its files alone. */
async function ownerAtWork(
  { queries }: Tutti,
  plan: string,
  id: string,
  wanted: readonly string[],
): Promise<{ readonly id: string; readonly path: string } | null> {
  for (const node of await queries.plans.nodes(plan)) {
    const row = node.at === 'running' && node.id !== id ? await queries.plans.task(plan, node.id) : null;
    const path = row === null ? undefined : ownPaths(row).find((one) => wanted.includes(one));
    if (path !== undefined) return { id: node.id, path };
  }
  return null;
}
