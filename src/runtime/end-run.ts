import { type EndReport, endProcesses } from '../lib/process/end-processes.ts';
import { familyFinder } from '../lib/process/process-family.ts';
import type { ProcessIdentity } from '../lib/process/identity.ts';
import { endingTimes, type killingTimes } from './follow.ts';
import { GroupSweep, isGroupOfProject, isGroupOfRun } from './limits/group.ts';
import { markerVariable } from './process-spec.ts';

/**
 * Stop means stop: every process that the run or a child run of it ever started, wherever it moved to. The mark is an
 * attempt's (`<project>:<run>#<key>#<n>`), so a run of the same name in another project is never touched.
 * `before`: called with each process that is found, before a signal is sent to it.
 */
export async function endRun(
  project: string,
  runId: string,
  before: (process: ProcessIdentity) => void = () => undefined,
  times: typeof endingTimes | typeof killingTimes = endingTimes,
): Promise<EndReport> {
  const groups = new GroupSweep(isGroupOfRun(`${project}:${runId}`));
  groups.look();
  const all = finderOf(project, runId);
  const find = (): readonly ProcessIdentity[] => {
    const found = all();
    for (const process of found) before(process);
    return found;
  };
  const report = await endProcesses({ ...times, find, recorder: null, sweep: groups.kill });
  groups.remove();
  return report;
}

/** Every process in the control group of a session of the project, also one that no file and no mark leads to. */
export async function endSessionGroups(project: string): Promise<EndReport> {
  const inGroup = isGroupOfProject(project);
  const groups = new GroupSweep(inGroup);
  groups.look();
  const find = familyFinder({ variable: markerVariable, accepts: () => false, inGroup, leader: null });
  const report = await endProcesses({ ...endingTimes, find, recorder: null, sweep: groups.kill });
  groups.remove();
  return report;
}

/** How many of them are alive now. */
export function runProcesses(project: string, runId: string): number {
  return finderOf(project, runId)().length;
}

function finderOf(project: string, runId: string): ReturnType<typeof familyFinder> {
  const run = `${project}:${runId}`;
  const accepts = (value: string): boolean => value.startsWith(`${run}#`) || value.startsWith(`${run}.`);
  return familyFinder({ variable: markerVariable, accepts, inGroup: isGroupOfRun(run), leader: null });
}
