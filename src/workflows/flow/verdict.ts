import { type Json, recorded } from '../../lib/json.ts';
import type { Ctx } from '../../kernel/ctx.ts';
import { recordVerdict } from '../../kernel/record-verdict.ts';
import type { Failure } from '../../model/failure.ts';
import type { FlowStep } from '../../model/flow.ts';
import { gravestOf, type Outcome } from '../../model/outcome.ts';

/** How one step of a flow ended; what it depends on downstream is only `digest`. */
export type StepVerdict =
  | {
      readonly at: 'succeeded';
      readonly id: string;
      readonly summary: string;
      /** Of what the step produced: dependents run again only when this changes. */
      readonly digest: string;
    }
  | { readonly at: 'failed'; readonly id: string; readonly failure: Failure }
  /** Something it needs did not succeed. */
  | { readonly at: 'skipped'; readonly id: string; readonly because: string };

export interface FlowValue {
  readonly steps: readonly StepVerdict[];
  /** Steps whose failure does not fail the run. */
  readonly optional: readonly string[];
}

function outcomeOfVerdict(verdict: StepVerdict): Outcome {
  if (verdict.at === 'succeeded') return 'SUCCESS';
  return verdict.at === 'failed' ? verdict.failure.outcome : 'FAILURE';
}

/**
 * Required steps decide; optional ones can only lower success to partial success. A required step that did not run fails
 * the run with the outcome of the failed step because of which it did not, even if that one is optional.
 */
export function endOfFlow(value: Json): { readonly outcome: Outcome; readonly message: string | null } {
  const { steps, optional } = recorded<FlowValue>(value);
  const isRequired = ({ id }: StepVerdict): boolean => !optional.includes(id);
  const unrun = steps.filter((step) => step.at === 'skipped').filter(isRequired);
  const causes = new Set(unrun.map((step) => findCause(step, steps)));
  const failed = steps.filter((step) => step.at === 'failed');
  const fatal = failed.filter((step) => isRequired(step) || causes.has(step.id));
  if (fatal.length > 0) {
    const why = fatal.map(({ id, failure }) => `${id}: ${failure.message}`).join('; ');
    const behind = unrun.length === 0 ? '' : `; did not run: ${unrun.map(({ id }) => id).join(', ')}`;
    return { outcome: gravestOf(fatal.map(outcomeOfVerdict)), message: `${why}${behind}` };
  }
  if (failed.length > 0) {
    return {
      outcome: 'PARTIAL_SUCCESS',
      message: `optional steps failed: ${failed.map(({ id }) => id).join(', ')}`,
    };
  }
  return { outcome: 'SUCCESS', message: null };
}

/** Id of the failed step at the start of the chain of needs because of which a step did not run. */
function findCause(skipped: StepVerdict, steps: readonly StepVerdict[]): string {
  const byId = new Map(steps.map((step) => [step.id, step]));
  let step: StepVerdict | undefined = skipped;
  let id = skipped.id;
  while (step?.at === 'skipped') {
    id = step.because;
    step = byId.get(id);
  }
  return id;
}

/** Records the verdict of a step of a flow. */
export function verdictStep(
  ctx: Ctx,
  { step }: { readonly step: Pick<FlowStep, 'id'> },
  after: string,
  verdict: StepVerdict,
): Promise<StepVerdict> {
  return recordVerdict(ctx, step.id, after, { verdict, outcome: outcomeOfVerdict(verdict) });
}
