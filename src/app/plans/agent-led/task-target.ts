import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { err, type Result } from '../../../lib/result.ts';
import { oneLine } from '../../../lib/terminal-text.ts';
import { planOwner } from '../../../model/owner.ts';
import type { PlanRecord, ProjectType } from '../../../model/plan/plan-record.ts';
import { executeRunId, planRunId } from '../../../model/plan/task-row.ts';
import type { Target } from '../../../model/workspace.ts';
import { locked } from '../../../workspace/lock.ts';
import { findOpened, openTarget, refuseTarget } from '../../../workspace/target.ts';
import type { HostParts } from '../../host/host-parts.ts';
import { refusal, type Refusal } from '../../refusal.ts';
import { inputForHere } from '../../runs/moved-run.ts';
import { stateFolder } from '../../state-folder.ts';

/** Where the plan's code goes, with the repository outside it that holds snapshots. Ten agents may be the first at once. */
export async function targetOf(
  tutti: Place & Pick<HostParts, 'queries'>,
  plan: PlanRecord,
): Promise<Result<Target, Refusal>> {
  const moved = await refuseMovedPlan(tutti, plan);
  if (moved !== null) return err(moved);
  const { name, targetDir } = plan;
  const stateDir = stateDirOf(tutti);
  const opened = await locked(
    lockOf(tutti, name),
    () => openTarget({ dir: targetDir, owner: planOwner(name), stateDir }),
    { label: `the lock of plan ${name}` },
  );
  return opened.ok ? opened : err(unusable(opened.error));
}

/**
 * Why a plan cannot be worked on here: the project was moved or copied, and the plan's target, repository and workspaces
 * belong to the folder that it was in. Null: it was made here.
 */
async function refuseMovedPlan(
  tutti: Pick<HostParts, 'queries' | 'paths'>,
  { name, targetDir, projectType }: PlanRecord,
): Promise<Refusal | null> {
  for (const id of [planRunId(name), executeRunId(name)]) {
    const run = await tutti.queries.run(id);
    const here = run === null ? null : await inputForHere(tutti, run);
    if (here !== null && !here.ok) return here.error;
  }
  // Without a run, no record says where the plan was made; a plan for an existing project needs its folder, though.
  if (projectType === 'new' || existsSync(targetDir)) return null;
  const message = `plan ${name} works on ${oneLine(targetDir, 300)}, which does not exist`;
  return refusal('UNAVAILABLE', message, 'if the project was moved, move it back');
}

/** The same target for a command that only looks; null: it was not made yet, or is not here. */
export function findTarget(tutti: Place, { name, targetDir }: PlanRecord): Target | null {
  return findOpened({ dir: targetDir, owner: planOwner(name), stateDir: stateDirOf(tutti) });
}

/** Refuses what `tutti execute` would refuse, before anything is made or paid for. */
export async function refuseUnusable(
  tutti: Place,
  dir: string,
  needs: 'files' | 'nothing',
): Promise<Refusal | null> {
  const fault = await refuseTarget({ dir, stateDir: stateDirOf(tutti) }, needs);
  return fault === null ? null : refusal('UNAVAILABLE', fault.what, fault.fix);
}

/** A plan for an existing project begins with its files. */
export function neededOf(type: ProjectType): 'files' | 'nothing' {
  return type === 'existing' ? 'files' : 'nothing';
}

/** One agent at a time takes, ends or gives back a task: two snapshots of one attempt would be one too many. */
export function oneAtATime<T>(tutti: Place, plan: string, id: string, act: () => Promise<T>): Promise<T> {
  return locked(lockOf(tutti, `${plan}-${id}`), act, { label: `the lock of task ${id} of plan ${plan}` });
}

type Place = Pick<HostParts, 'env' | 'paths'>;

function stateDirOf({ env, paths }: Place): string {
  return join(stateFolder(env), paths.mark);
}

function lockOf(tutti: Place, name: string): string {
  return join(stateDirOf(tutti), 'locks', name);
}

/** What git, or the folder, could not do. */
export function unusable(message: string): Refusal {
  return refusal('UNAVAILABLE', message, 'see what is wrong: tutti doctor');
}
