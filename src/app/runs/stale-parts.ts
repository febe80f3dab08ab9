import { recorded } from '../../lib/json.ts';
import type { Entry } from '../../model/entry.ts';
import type { ExecuteInput } from '../../model/plan/execute-input.ts';
import { staleBegins } from '../../model/plan/stale-begin.ts';
import { planOfRunId, workDigest } from '../../model/plan/task-row.ts';
import type { Run } from '../../model/run.ts';
import type { Tutti } from '../tutti.ts';
import { familyOf } from '../../model/family.ts';

/**
 * Parts of a plan's execution whose result no longer holds; of other runs, none. Tasks that are other work by now are left
 * alone: the run has the definitions that it was given last.
 */
export async function findStaleParts(
  { queries }: Pick<Tutti, 'queries'>,
  run: Pick<Run, 'id' | 'workflow'>,
): Promise<(entry: Entry) => boolean> {
  if (!familyOf(run).hasTasks) return () => false;
  const { id } = run;
  const { tasks } = recorded<ExecuteInput>(await queries.input(id));
  const works = new Map(tasks.map(({ task }) => [task.id, workDigest(task)]));
  const same = (await queries.plans.tasks(planOfRunId(id)))
    .filter(({ task }) => works.get(task.id) === workDigest(task))
    .map(({ task, state }) => ({ id: task.id, state }));
  return staleBegins(id, same, await queries.entries(id));
}
