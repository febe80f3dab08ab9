import { err, ok, type Result } from '../../lib/result.ts';
import type { Run } from '../../model/run.ts';
import { didYouMean } from '../../lib/nearest.ts';
import { refusal, type Refusal } from '../refusal.ts';
import type { OpenedProject } from '../opened-project.ts';
import { newestRuns } from './newest.ts';

export async function required(
  tutti: Pick<OpenedProject, 'queries'>,
  runId: string,
): Promise<Result<Run, Refusal>> {
  const run = await tutti.queries.run(runId);
  if (run !== null) return ok(run);
  const runs = (await newestRuns(tutti, { limit: 200, sessions: false })).map(({ id }) => id);
  return err(unknownRun(runId, [...runs, ...(await tutti.queries.plans.all()).map(({ name }) => name)]));
}

/** `known`: what the person may have meant. */
export function unknownRun(runId: string, known: readonly string[] = []): Refusal {
  const message = `there is no run '${runId.slice(0, 80)}'${didYouMean(runId, known)}`;
  return refusal('USAGE', message, 'see which there are: tutti runs');
}
