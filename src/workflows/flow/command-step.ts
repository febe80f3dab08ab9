import { digest } from '../../lib/digest.ts';
import { plain } from '../../lib/json.ts';
import type { Ctx } from '../../kernel/ctx.ts';
import { mayRetry, type FailedTry } from '../../kernel/retry.ts';
import { failureOfCommand } from '../../model/command-failure.ts';
import type { FlowWork } from '../../model/flow.ts';
import { keyOf } from '../../model/key.ts';
import type { OperationArgs } from '../../model/operations.ts';
import { passStepGates } from './step-gates.ts';
import { identityOf, inputDigest, optionsOf, type StepInRun } from './step-in-run.ts';
import { type StepVerdict, verdictStep } from './verdict.ts';

/** A program of the author's: an operation, with no agent, no session and no depth. */
export async function commandStep(
  ctx: Ctx,
  place: StepInRun,
  { argv }: Extract<FlowWork, { kind: 'command' }>,
): Promise<StepVerdict> {
  const { step } = place;
  const inputs = step.inputs.length === 0 ? '' : await inputDigest(ctx, place);
  const identity = { argv, ...identityOf(place, inputs) };
  const tries: FailedTry[] = [];
  for (let n = 0; ; n += 1) {
    const key = keyOf(n === 0 ? step.id : `${step.id}/retry-${n}`, identity);
    const options = optionsOf(place, n === 0 ? 'first' : 'later', step.timeoutMs);
    // Whoever tells of its end must know that it is not judged yet.
    const args: OperationArgs<'command'> = step.gates.length === 0 ? { argv } : { argv, gated: true };
    const end = await ctx.operation(key, 'command', args, options);
    const broken = failureOfCommand(argv, end);
    const judged =
      broken === null
        ? await passStepGates(ctx, place, key, { toolCalls: 0, artifacts: [] })
        : { failure: broken, of: { exit: end.exitCode } };
    if (judged === null) {
      const verdict = {
        at: 'succeeded',
        id: step.id,
        summary: end.lastLine,
        digest: end.outputDigest,
      } as const;
      if (step.gates.length === 0) return verdict;
      return verdictStep(ctx, place, digest(plain({ key, gates: step.gates })), verdict);
    }
    tries.push({ ...judged, progress: end.outputDigest });
    const decision = mayRetry(tries, step.retryMax);
    if (decision.verdict === 'give-up') return { at: 'failed', id: step.id, failure: decision.failure };
  }
}
