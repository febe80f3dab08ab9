import { type EndReport, endProcesses } from '../lib/process/end-processes.ts';
import { familyFinder } from '../lib/process/family.ts';
import { endingTimes } from './follow.ts';

/** Stop means stop: every process that the run or a child run of it ever started, wherever it moved to. */
export async function endRun(runId: string): Promise<EndReport> {
  const accepts = (value: string): boolean => value === runId || value.startsWith(`${runId}.`);
  const find = familyFinder({ variable: 'TUTTI_RUN_ID', accepts, leader: null });
  return endProcesses({ ...endingTimes, find, recorder: null });
}
