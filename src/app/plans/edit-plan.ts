import { err, ok, type Result } from '../../lib/result.ts';
import { openEditor } from '../../runtime/editor.ts';
import type { PlanRecord } from '../../model/plan/plan-record.ts';
import { takeEditsCommand } from '../../model/plan/take-edits.ts';
import { executeRunId } from '../../model/plan/task-row.ts';
import { decidePlanChange } from '../people/decide-plan-change.ts';
import { refusal, type Refusal } from '../refusal.ts';
import type { Environment } from '../opened-project.ts';
import { tasksWithFile } from '../plan-files/load-tasks.ts';
import type { Tutti } from '../tutti.ts';
import type { FoundPlan } from './find-plan.ts';
import { answerApproval } from './open-approval.ts';
import { conductingRuns, planStatus } from './agent-led/plan-status.ts';
import { checkArtifact, type CheckedArtifact } from './agent-led/check-artifact.ts';
import { unknownTask } from './agent-led/required-task.ts';

/** Tasks of the plan, and those that only have a file: an author may have left tasks that were never valid. */
async function findEditable(
  { queries }: Pick<Tutti, 'queries'>,
  { plan, paths }: FoundPlan,
): Promise<readonly string[]> {
  const known = (await queries.plans.nodes(plan.name)).map(({ id }) => id);
  return [...new Set([...known, ...tasksWithFile(paths.dir)])];
}

/** Refuses the first of these tasks that the plan does not have, and a plan without any; null: all can be edited. */
export async function refuseUneditable(
  tutti: Tutti,
  found: FoundPlan,
  ids: readonly string[],
): Promise<Refusal | null> {
  const { plan } = found;
  const known = await findEditable(tutti, found);
  if (known.length === 0) {
    const { next } = await planStatus(tutti, plan);
    const command = next ?? `tutti plan status --plan ${plan.name}`;
    return refusal('FAILURE', `plan ${plan.name} has no tasks to edit yet`, `continue: ${command}`);
  }
  const unknown = ids.find((id) => !known.includes(id));
  return unknown === undefined ? null : unknownTask(plan.name, unknown, tutti.queries);
}

/** The files of these tasks, or of all there are, in the person's own editor. */
export async function editTasks(
  { queries, env }: Pick<Tutti, 'queries' | 'env'>,
  found: FoundPlan,
  ids: readonly string[],
): Promise<Result<null, Refusal>> {
  const { paths } = found;
  const editor = editorOf(env);
  const hint = editHint(found);
  if (editor === null)
    return err(refusal('UNAVAILABLE', 'neither VISUAL nor EDITOR says which editor to use', hint));
  const all = ids.length > 0 ? ids : await findEditable({ queries }, found);
  const edited = await openEditor(
    editor,
    all.map((id) => paths.task(id)),
  );
  return edited.ok
    ? edited
    : err(refusal('UNAVAILABLE', edited.error, `name another with EDITOR, or ${hint}`));
}

/** How tasks are edited without Tutti's opening an editor. */
export function editHint({ plan, paths }: FoundPlan): string {
  return `edit the files in ${paths.tasks}, then: tutti plan edit --taken --plan ${plan.name}`;
}

function editorOf(env: Environment): string | null {
  const named = env['VISUAL'] ?? env['EDITOR'] ?? '';
  return named.trim() === '' ? null : named;
}

export interface TakenFiles extends CheckedArtifact {
  /** The plan's run waited for a word on its tasks, and looks at them again. */
  readonly waits: boolean;
}

/** What has taken edits verified, in words or as the command alone. No task of the plan is planned while its run executes it. */
export async function verifyEditsHint(tutti: Tutti, plan: PlanRecord): Promise<string | null> {
  const { name } = plan;
  const runs = await conductingRuns(tutti, name);
  const executing = runs.find(({ id, held, asks }) => id === executeRunId(name) && (held || asks));
  if (executing === undefined) return (await planStatus(tutti, plan)).next;
  const verify = takeEditsCommand(name, runs);
  if (!executing.held) return verify;
  return `once run ${executing.id} has ended (sooner: tutti halt ${name}), have the edits verified: ${verify}`;
}

/**
 * What the task files say now, checked and taken; finished work that is still the same work stays finished. While Tutti
 * plans, that is a person's decision, and the run that asks about the tasks has them verified and asks again.
 */
export async function takeTaskFiles(tutti: Tutti, found: FoundPlan): Promise<Result<TakenFiles, Refusal>> {
  const { name } = found.plan;
  const decided = await decidePlanChange(tutti, name, 'take the edited tasks');
  if (!decided.ok) return decided;
  const taken = await checkArtifact(tutti, found, 'tasks', { isDecided: true });
  if (!taken.ok) return taken;
  const waits = decided.value !== null && (await answerApproval(tutti, name, 'edit', decided.value));
  return ok({ ...taken.value, waits });
}
