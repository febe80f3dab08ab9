import { err, ok, type Result } from '../../../lib/result.ts';
import {
  handEdits,
  type HandPhases,
  handPhases,
  type PlacedWork,
  type Works,
} from '../../../model/plan/hand-edits.ts';
import { isAtLeast } from '../../../model/plan/phase.ts';
import type { PlanInput } from '../../../model/plan/plan-input.ts';
import type { PlanRecord } from '../../../model/plan/plan-record.ts';
import type { PlanTask } from '../../../model/plan/plan-task.ts';
import { workDigest } from '../../../model/plan/task-row.ts';
import { refusalOfProblems, type Refusal } from '../../refusal.ts';
import { loadTasks } from '../../plan-files/load-tasks.ts';
import type { PlanPaths } from '../../plan-files/plan-paths.ts';
import { keepTexts, readTaskTexts, taskCopies, tasksIn } from './checked-copies.ts';

/**
 * What people have changed in the task files since an agent wrote them, with a copy of the files as they are. While an
 * author or an auditor may be at work on them, what was found before that holds. Undefined: nothing is known to compare with.
 */
export function takeHandEdits(
  record: PlanRecord,
  paths: PlanPaths,
  { known, isAsked }: { readonly known: PlanInput['hand']; readonly isAsked: boolean },
): Result<PlanInput['hand'], Refusal> {
  const { phase, checked, made } = record;
  const left = made?.tasks?.left;
  const isSettled = isAtLeast(phase, 'validation') && (phase !== 'sequencing' || isAsked);
  if (!isSettled || checked.tasks === undefined || left === undefined) return ok(known);
  const before = taskCopies(paths, left);
  if (before === null) return ok(known);
  const now = loadTasks(paths.dir);
  if (!now.ok) return err(refusalOfProblems(now.error, `repair it in ${paths.tasks}, then plan again`));
  const base = keepTexts(paths, readTaskTexts(paths, now.value.tasks));
  const works = worksOf([...tasksIn(before).values()]);
  const edits = handEdits(works, worksOf(now.value.tasks), known?.edits ?? {});
  const ordered = taskCopies(paths, made?.tasks?.ordered ?? checked.tasks);
  const phases: HandPhases =
    ordered === null
      ? (known?.phases ?? {})
      : handPhases(
          works,
          placesOf([...tasksIn(ordered).values()]),
          placesOf(now.value.tasks),
          known?.phases ?? {},
        );
  return ok({ base, edits, phases });
}

export function worksOf(tasks: readonly PlanTask[]): Works {
  return new Map(tasks.map((task) => [task.id, workDigest(task)]));
}

function placesOf(tasks: readonly PlanTask[]): ReadonlyMap<string, PlacedWork> {
  return new Map(tasks.map((task) => [task.id, { work: workDigest(task), phase: task.phase }]));
}
