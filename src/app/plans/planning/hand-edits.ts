import { digest } from '../../../lib/digest.ts';
import { plain } from '../../../lib/json.ts';
import { err, ok, type Result } from '../../../lib/result.ts';
import { handEdits, type Works } from '../../../model/plan/hand-edits.ts';
import { isAtLeast } from '../../../model/plan/phase.ts';
import type { PlanInput } from '../../../model/plan/plan-input.ts';
import type { PlanRecord } from '../../../model/plan/plan-record.ts';
import type { PlanTask } from '../../../model/plan/plan-task.ts';
import { workDigest } from '../../../model/plan/task-row.ts';
import { refusalOfProblems, type Refusal } from '../../refusal.ts';
import { loadTasks } from '../load-tasks.ts';
import type { PlanPaths } from '../paths.ts';
import { keepTaskCopies, readTaskTexts, taskCopies, tasksIn } from './checked-copies.ts';

/**
 * What people have changed in the task files since an agent wrote them, with a copy of the files as they are. While an
 * author may be at work on them, what was found before that holds. Undefined: nothing is known to compare with.
 */
export function takeHandEdits(
  { phase, checked, made }: PlanRecord,
  paths: PlanPaths,
  known: PlanInput['hand'],
): Result<PlanInput['hand'], Refusal> {
  const left = made?.tasks?.left;
  const isSettled = isAtLeast(phase, 'validation') && phase !== 'sequencing';
  if (!isSettled || checked.tasks === undefined || left === undefined) return ok(known);
  const before = taskCopies(paths, left);
  if (before === null) return ok(known);
  const now = loadTasks(paths.dir);
  if (!now.ok) return err(refusalOfProblems(now.error, `repair it in ${paths.tasks}, then plan again`));
  const texts = readTaskTexts(paths, now.value.tasks);
  const base = digest(plain(Object.fromEntries(texts)));
  keepTaskCopies(paths, base, texts);
  const edits = handEdits(
    worksOf([...tasksIn(before).values()]),
    worksOf(now.value.tasks),
    known?.edits ?? {},
  );
  return ok({ base, edits });
}

export function worksOf(tasks: readonly PlanTask[]): Works {
  return new Map(tasks.map((task) => [task.id, workDigest(task)]));
}
