import { err, ok, type Result } from '../../lib/result.ts';
import { openEditor } from '../../runtime/editor.ts';
import { refusal, type Refusal } from '../refusal.ts';
import type { Environment, Tutti } from '../tutti.ts';
import type { FoundPlan } from './find-plan.ts';
import { checkArtifact, type CheckedArtifact } from './state/check-artifact.ts';
import { unknownTask } from './state/required-task.ts';

/** The files of these tasks, or of all there are, in the person's own editor. */
export async function editTasks(
  { queries, env }: Pick<Tutti, 'queries' | 'env'>,
  { plan, paths }: FoundPlan,
  ids: readonly string[],
): Promise<Result<null, Refusal>> {
  const known = queries.plans.nodes(plan.name).map(({ id }) => id);
  const unknown = ids.find((id) => !known.includes(id));
  if (unknown !== undefined) return err(unknownTask(plan.name, unknown, queries));
  const editor = editorOf(env);
  if (editor === null) {
    const hint = `edit the files in ${paths.tasks}, then: tutti plan edit --taken --plan ${plan.name}`;
    return err(refusal('UNAVAILABLE', 'neither VISUAL nor EDITOR says which editor to use', hint));
  }
  const edited = await openEditor(
    editor,
    (ids.length === 0 ? known : ids).map((id) => paths.task(id)),
  );
  return edited.ok ? edited : err(refusal('UNAVAILABLE', edited.error, 'name another: EDITOR=nano'));
}

function editorOf(env: Environment): string | null {
  const named = env['VISUAL'] ?? env['EDITOR'] ?? '';
  return named.trim() === '' ? null : named;
}

/** What the task files say now, checked and taken; finished work that is still the same work stays finished. */
export async function takeTaskFiles(
  tutti: Tutti,
  found: FoundPlan,
): Promise<Result<CheckedArtifact, Refusal>> {
  const taken = await checkArtifact(tutti, found, 'tasks');
  return taken.ok ? ok(taken.value) : taken;
}
