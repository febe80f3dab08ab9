import { existsSync } from 'node:fs';
import { oneLine } from '../../lib/terminal-text.ts';
import type { PlanRecord } from '../../model/plan/plan-record.ts';
import { executeRunId, planRunId } from '../../model/plan/task-row.ts';
import { refusal, type Refusal } from '../refusal.ts';
import { inputForHere } from '../runs/moved-run.ts';
import type { HostParts } from '../host/host-parts.ts';

/**
 * Why a plan cannot be worked on here: the project was moved or copied, and the plan's target, repository and workspaces
 * belong to the folder that it was in. Null: it was made here.
 */
export async function refuseMovedPlan(
  tutti: Pick<HostParts, 'queries' | 'paths'>,
  { name, targetDir, projectType }: PlanRecord,
): Promise<Refusal | null> {
  for (const id of [planRunId(name), executeRunId(name)]) {
    const run = await tutti.queries.run(id);
    const here = run === null ? null : await inputForHere(tutti, run);
    if (here !== null && !here.ok) return here.error;
  }
  // Without a run nothing says where it was made. Work on a project that exists cannot be anywhere else, though.
  if (projectType === 'new' || existsSync(targetDir)) return null;
  const message = `plan ${name} works on ${oneLine(targetDir, 300)}, which does not exist`;
  return refusal('UNAVAILABLE', message, 'if the project was moved, move it back');
}
