import { silenceHint, takeOverHint } from '../../model/silent-holder.ts';
import { reachedCeiling, reachedDepth } from '../../app/status/reached-ceiling.ts';
import type { RunStatus } from '../../app/status/run-status.ts';
import type { StepStatus } from '../../app/status/step-status.ts';
import type { Budget } from '../../model/budget.ts';
import { type Ceiling, familyOf } from '../../model/family.ts';
import { isVerifierTurn } from '../../model/key.ts';
import type { Outcome } from '../../model/outcome.ts';
import { planOfRunId, retryCommand } from '../../model/plan/task-row.ts';
import type { Run } from '../../model/run.ts';

type Hinted = Pick<
  RunStatus,
  | 'run'
  | 'state'
  | 'outcome'
  | 'budget'
  | 'drivenBy'
  | 'silentHolder'
  | 'skipped'
  | 'source'
  | 'steps'
  | 'hasTaskFiles'
>;

/**
 * The command that helps a run in the state it is in, after the words that say for what; null: it does what it should, or
 * waits for an answer, whose command stands with the question.
 */
export function runHint(status: Hinted): string | null {
  const { run, state, outcome, drivenBy, silentHolder } = status;
  if (run.cancelled && state !== 'ended')
    // Advancing it would only end it.
    return drivenBy === null ? finishStopHint(run.id) : null;
  if (silentHolder !== null) return silenceHint(silentHolder, takeOverHint(silentHolder, run.id));
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

/** For a run that was stopped and whose end is not recorded: what is left of it is killed first. */
export function finishStopHint(runId: string): string {
  return `finish stopping it: tutti stop ${runId}`;
}

/** What to type after a run ended, or stands still, with this outcome. */
export function endedHint(
  status: Pick<Hinted, 'run' | 'budget' | 'skipped' | 'source' | 'steps' | 'hasTaskFiles'>,
  outcome: Outcome,
): string | null {
  const { run, skipped, steps } = status;
  if (outcome === 'SUCCESS') return null;
  if (outcome === 'HALTED' || outcome === 'INTERRUPTED') return resume(status);
  if (skipped !== null) return `do what was skipped: ${retryCommand(planOfRunId(run.id), skipped)}`;
  // Tasks were skipped and are open again; an optional step of a flow has failed.
  if (outcome === 'PARTIAL_SUCCESS' && familyOf(run).hasTasks) return resume(status);
  const raise = budgetHint(status, outcome);
  if (raise !== null) return raise;
  const lost = steps.find((step) => step.state === 'failed' && isLost(step));
  return lost === undefined
    ? `${editHint(status, outcome)}try what failed again: tutti resume ${run.id}`
    : `look into the system's log for what killed the agent of ${lost.id}, such as a lack of memory; then try again: tutti resume ${run.id}`;
}

/** Where trying the same again did not help, a person can change what is tried. */
function editHint(
  { run, steps, hasTaskFiles }: Pick<Hinted, 'run' | 'steps' | 'hasTaskFiles'>,
  outcome: Outcome,
): string {
  const failed = steps.find(({ state }) => state === 'failed')?.id ?? '';
  if (outcome !== 'NEEDS_ESCALATION' || !familyOf(run).isOfPlan) return '';
  const plan = planOfRunId(run.id);
  // What the tasks stand on failed, and no task: its own message says what to do.
  if (failed === '') return '';
  if (familyOf(run).hasTasks) return `change the task first: tutti plan edit ${failed} --plan ${plan}; or `;
  return failed === 'definition' && hasTaskFiles
    ? `fix the tasks yourself: tutti plan edit --plan ${plan} && tutti plan --plan ${plan}; or `
    : '';
}

/** Where to read what the agent printed because of which the first step failed; null: no agent failed. What the budget ended did not fail itself. */
export function logHint(steps: RunStatus['steps']): string | null {
  const all = steps.filter(
    ({ state, sessionId, outcome }) =>
      state === 'failed' && sessionId !== null && outcome !== 'BUDGET_EXCEEDED',
  );
  const [failed] = all;
  if (failed === undefined) return null;
  const whose = (one: string): string => (all.length === 1 ? `its ${one}` : `the ${one} of ${failed.id}`);
  const verifier = findRefusingVerifier(failed);
  if (verifier !== null) return `read what ${whose('verifier')} printed: tutti logs ${verifier}`;
  const own = failed.parts.findLast(({ key, sessionId }) => sessionId !== null && !isVerifierTurn(key));
  const what = isLost(failed) ? `see how far ${whose('agent')} came` : `read what ${whose('agent')} printed`;
  return `${what}: tutti logs ${own?.sessionId ?? failed.sessionId}`;
}

/** The session of the verifier because of which a step failed; null: something else went wrong after it, or none did. */
function findRefusingVerifier({ parts }: StepStatus): string | null {
  const bad = parts.filter(({ outcome }) => outcome !== null && outcome !== 'SUCCESS');
  // A judgement and a verdict only repeat what another part found.
  const last = bad.findLast(({ id }) => !/\/(?:judgement|verdict)$/.test(id));
  return last !== undefined && isVerifierTurn(last.key) ? last.sessionId : null;
}

/** Whether the last process of its agent vanished: something other than Tutti ended it. */
function isLost({ parts, sessionId }: StepStatus): boolean {
  return parts.some((part) => part.sessionId === sessionId && part.state === 'lost');
}

function resume({ run }: Pick<Hinted, 'run'>): string {
  return `continue: tutti resume ${run.id}`;
}

/**
 * The command that continues a run with a higher ceiling: resumed as it is, it would end at the same one. Null: the run
 * reached none of its ceilings, and something else ended it.
 */
function budgetHint(
  { run, budget, source, steps }: Pick<Hinted, 'run' | 'budget' | 'source' | 'steps'>,
  outcome: Outcome,
): string | null {
  // Work that no turn could heal any more ends with an outcome of its own.
  const isUnhealed = steps.some(
    ({ state, parts }) =>
      state === 'failed' && parts.findLast(({ kind }) => kind === 'session')?.outcome === 'BUDGET_EXCEEDED',
  );
  const ended = isUnhealed ? 'BUDGET_EXCEEDED' : outcome;
  const ceiling = budget === null ? null : ceilingOf(run, ended, budget);
  return ceiling === null ? null : familyOf(run).raise(run.id, ceiling, source);
}

function ceilingOf(run: Run, outcome: Outcome, budget: Budget): Ceiling | null {
  if (outcome === 'BUDGET_EXCEEDED') return reachedCeiling(budget);
  return outcome === 'DEPTH_EXCEEDED' ? reachedDepth(budget, run) : null;
}
