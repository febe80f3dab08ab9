import { err, ok, type Result } from '../../lib/result.ts';
import type { Entry } from '../../model/entry.ts';
import { rootStepOf } from '../../model/key.ts';
import { isOver } from '../../model/run.ts';
import { runsAgain } from '../../model/try-again.ts';
import { didYouMean } from '../../model/schemas/nearest.ts';
import { refusal, type Refusal } from '../refusal.ts';
import { runStatus } from '../status/run-status.ts';
import { failedSteps } from '../status/step-status.ts';
import { workflows, type Tutti } from '../tutti.ts';
import { leaseOn, type MayDetach } from './drive-run.ts';
import { required } from './find-run.ts';
import { recordWishes } from './stop-run.ts';

/** Lets what is under way finish, and starts nothing new. */
export async function haltRun(
  tutti: Tutti,
  runId: string,
  reason: string,
): Promise<Result<'halting' | 'halted', Refusal>> {
  const run = required(tutti, runId);
  if (!run.ok) return run;
  if (!(await tutti.store.halt(runId, reason))) {
    const { at } = run.value.state;
    if (at === 'halted' || at === 'halting') return ok(at);
    return err(refusal('USAGE', `run ${runId} is over`, `look at it: tutti status ${runId}`));
  }
  return ok('halting');
}

export type Resumed = { readonly runId: string; readonly how: 'resumed' | 'running' } | Reopened;
interface Reopened {
  readonly runId: string;
  readonly how: 'reopened';
  readonly steps: readonly string[];
}

/** Makes a run go on: back from a halt or a stop, or with its failed steps (or the named ones) open again. */
export async function resumeRun(
  tutti: Tutti,
  runId: string,
  steps: readonly string[],
  how: MayDetach = {},
): Promise<Result<Resumed, Refusal>> {
  await recordWishes(tutti);
  tutti.wishes.release(runId);
  const run = required(tutti, runId);
  if (!run.ok) return run;
  const status = runStatus(tutti.queries, workflows, runId);
  const known = new Set(status?.steps.map(({ id }) => id));
  const unknown = steps.find((step) => !known.has(step));
  if (unknown !== undefined) {
    return err(
      refusal(
        'USAGE',
        `run ${runId} has no step '${unknown.slice(0, 80)}'${didYouMean(unknown, [...known])}`,
        `see its steps: tutti status ${runId}`,
      ),
    );
  }
  const lease = leaseOn(tutti, runId, how);
  if (steps.length === 0 && (await tutti.store.resume(runId, lease))) return ok({ runId, how: 'resumed' });
  const chosen = steps.length > 0 ? new Set(steps) : failedSteps(status?.steps ?? []);
  if (!isOver(run.value.state) && steps.length === 0) return ok({ runId, how: 'running' });
  const select =
    steps.length > 0
      ? ({ key }: Pick<Entry, 'key'>) => chosen.has(rootStepOf(key))
      : runsAgain(tutti.queries.entries(runId), chosen);
  const keys = await tutti.store.reopen(runId, select, lease);
  if (keys.length === 0) {
    return err(
      refusal(
        'USAGE',
        `run ${runId} succeeded: there is nothing to resume`,
        `look at it: tutti report ${runId}`,
      ),
    );
  }
  const again = [...new Set(keys.map(rootStepOf))];
  return ok({ runId, how: 'reopened', steps: again.filter((step) => known.has(step)) });
}
