import { executeRunId } from '../../../model/plan/task-row.ts';
import { isDriven } from '../../status/living-holder.ts';
import type { Tutti } from '../../tutti.ts';
import { isWorking } from '../state/working.ts';

/** A task that is said to be at work, with nobody there. */
export interface Orphan {
  readonly id: string;
  readonly by: string;
  /** `run`: the plan's own run takes it up by itself when it goes on. `agent`: somebody must choose what becomes of it. */
  readonly of: 'run' | 'agent';
}

/** Looked at before a plan is executed: adopt (`run`), retry, skip, or look into it. */
export function orphansOf(tutti: Tutti, plan: string): readonly Orphan[] {
  const runId = executeRunId(plan);
  return tutti.queries.plans.states(plan).flatMap(({ id, state }): readonly Orphan[] => {
    if (state.at !== 'running') return [];
    const { by } = state;
    if (by === runId)
      return isDriven(tutti, runId) ? [] : [{ id, by, of: knows(tutti, runId) ? 'run' : 'agent' }];
    return isWorking(tutti, by) === 'no' ? [{ id, by, of: 'agent' }] : [];
  });
}

/** A run that has ended may have left the task for later, or stopped at a ceiling: executing amends it, and it continues. */
function knows({ queries }: Tutti, runId: string): boolean {
  return queries.run(runId) !== null;
}
