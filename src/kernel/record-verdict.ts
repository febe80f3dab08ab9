import { plain, recorded } from '../lib/json.ts';
import { keyOf } from '../model/key.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Ctx } from './ctx.ts';

/**
 * Records how a step ended under the step's own name, so that people see one end for its many parts. What the verdict says is part
 * of its key: work that is judged again by other gates must not find the old verdict.
 */
export async function recordVerdict<Verdict>(
  ctx: Ctx,
  step: string,
  after: string,
  { verdict, outcome }: { readonly verdict: Verdict; readonly outcome: Outcome },
): Promise<Verdict> {
  const key = keyOf(`${step}/verdict`, { after, verdict: plain(verdict) });
  return recorded<Verdict>(await ctx.step(key, () => plain(verdict), { outcome: () => outcome }));
}
