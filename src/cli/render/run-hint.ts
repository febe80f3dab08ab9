import type { RunStatus } from '../../app/status/run-status.ts';
import type { Outcome } from '../../model/outcome.ts';
import { planOfRunId, retryCommand } from '../../model/plan/task-row.ts';
import { budgetHint } from './budget-hint.ts';
import { familyOf } from '../../model/family.ts';

type Hinted = Pick<RunStatus, 'run' | 'state' | 'outcome' | 'budget' | 'drivenBy' | 'skipped'>;

/**
 * The command that helps a run in the state it is in, after the words that say for what; null: it does what it should, or
 * waits for an answer, whose command stands with the question.
 */
export function runHint(status: Hinted): string | null {
  const { run, state, outcome, drivenBy } = status;
  if (run.cancelled && state !== 'ended')
    // Advancing it would only end it.
    return drivenBy === null ? `end what is left of it: tutti stop ${run.id}` : null;
  switch (state) {
    case 'running':
    case 'waiting':
      return null;
    case 'undriven':
    case 'halted':
      return resume(status);
    case 'paused':
    case 'halting':
      return drivenBy === null ? resume(status) : null;
    case 'ended':
      return outcome === null ? null : endedHint(status, outcome);
  }
}

/** What to type after a run ended, or stands still, with this outcome. */
export function endedHint(
  status: Pick<Hinted, 'run' | 'budget' | 'skipped'>,
  outcome: Outcome,
): string | null {
  const { run, budget, skipped } = status;
  if (outcome === 'SUCCESS') return null;
  if (outcome === 'HALTED' || outcome === 'INTERRUPTED') return resume(status);
  if (skipped !== null) return `do what was skipped: ${retryCommand(planOfRunId(run.id), skipped)}`;
  // Tasks were skipped and are open again; an optional step of a flow has failed.
  if (outcome === 'PARTIAL_SUCCESS' && familyOf(run).hasTasks) return resume(status);
  const raise = outcome === 'BUDGET_EXCEEDED' ? budgetHint(run, budget) : null;
  return raise ?? `try what failed again: tutti resume ${run.id}`;
}

function resume({ run }: Pick<Hinted, 'run'>): string {
  return `continue: tutti resume ${run.id}`;
}
