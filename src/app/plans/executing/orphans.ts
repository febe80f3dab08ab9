import { executeRunId } from '../../../model/plan/task-row.ts';
import { isAdvancing } from '../../status/living-holder.ts';
import type { Tutti } from '../../tutti.ts';
import { isWorking } from '../agent-led/is-working.ts';

/** A task that is said to be at work, with nobody there. */
export interface Orphan {
  readonly id: string;
  readonly by: string;
  /** `run`: the plan's own run takes it up by itself when it goes on. `agent`: somebody must choose what becomes of it. */
  readonly of: 'run' | 'agent';
}

/** Looked at before a plan is executed: adopt (`run`), retry, skip, or look into it. */
export async function orphansOf(tutti: Tutti, plan: string): Promise<readonly Orphan[]> {
  const runId = executeRunId(plan);
  return (
    await Promise.all(
      (
        await tutti.queries.plans.states(plan)
      ).map(async ({ id, state }): Promise<readonly Orphan[]> => {
        if (state.at !== 'running') return [];
        const { by } = state;
        if (by === runId)
          return (await isAdvancing(tutti, runId))
            ? []
            : [{ id, by, of: (await knows(tutti, runId)) ? 'run' : 'agent' }];
        return (await isWorking(tutti, by)) === 'no' ? [{ id, by, of: 'agent' }] : [];
      }),
    )
  ).flat();
}

/** A run that has ended may have left the task for later, or stopped at a ceiling: executing amends it, and it continues. */
async function knows({ queries }: Tutti, runId: string): Promise<boolean> {
  return (await queries.run(runId)) !== null;
}
