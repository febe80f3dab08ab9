import { isSafeId, isSafeName } from '../../../lib/ids.ts';
import { err, ok, type Result } from '../../../lib/result.ts';
import { firstFew } from '../../../lib/first-few.ts';
import { nearest } from '../../../lib/nearest.ts';
import { usualReason } from '../../people/identify-caller.ts';
import { refusal, type Refusal } from '../../refusal.ts';
import { newestRuns } from '../../runs/newest.ts';
import type { Tutti } from '../../tutti.ts';
import { findPlan, type FoundPlan } from '../find-plan.ts';

export interface HaltWords {
  readonly words: readonly string[];
  readonly plan: string | undefined;
  readonly reason: string | undefined;
}

export type HaltChoice =
  | { readonly what: 'run'; readonly run: string; readonly reason: string }
  | { readonly what: 'plan'; readonly found: FoundPlan; readonly reason: string };

/**
 * What `tutti halt WORDS` means. A first word that names a run or a plan names it; otherwise all of them are the reason
 * why the plan is halted, as agents say it. A word that is nearly a name is taken for a misspelt one.
 */
export async function haltChoice(
  tutti: Tutti,
  { words, plan, reason }: HaltWords,
): Promise<Result<HaltChoice, Refusal>> {
  const [first, ...rest] = words;
  const because = (said: readonly string[]): string =>
    reason ?? (said.join(' ') || usualReason(tutti.caller));
  const ofPlan = async (
    name: string | undefined,
    said: readonly string[],
  ): Promise<Result<HaltChoice, Refusal>> => {
    const found = await findPlan(tutti, name);
    return found.ok ? ok({ what: 'plan', found: found.value, reason: because(said) }) : found;
  };
  if (plan !== undefined) return ofPlan(plan, words);
  if (first === undefined) {
    const found = await ofPlan(undefined, []);
    return found.ok ? found : err(await refuseNoName(tutti));
  }
  if (isSafeId(first) && (await tutti.queries.run(first)) !== null) {
    return ok({ what: 'run', run: first, reason: because(rest) });
  }
  const plans = (await tutti.queries.plans.all()).map(({ name }) => name);
  if (isSafeName(first) && plans.includes(first)) return ofPlan(first, rest);
  const runs = (await newestRuns(tutti, { limit: 200, sessions: false })).map(({ id }) => id);
  const meant = rest.length === 0 ? nearest(first, [...plans, ...runs]) : null;
  if (plans.length > 0 && meant === null && reason === undefined) return ofPlan(undefined, words);
  const message = `there is no run ${plans.length === 0 ? '' : 'and no plan '}'${first.slice(0, 80)}'`;
  const question = meant === null ? '' : `; did you mean '${meant}'?`;
  return err(refusal('USAGE', `${message}${question}`, 'see which there are: tutti runs'));
}

/** There is no plan that could be meant. */
async function refuseNoName({ queries }: Tutti): Promise<Refusal> {
  const open = (await queries.runs(null)).filter(
    ({ state, parent }) => state.at === 'running' && parent === null,
  );
  const [first] = open;
  if (first === undefined) return refusal('USAGE', 'RUN is missing', 'see how it is used: tutti halt --help');
  const named = firstFew(
    open.map(({ id }) => id),
    10,
  );
  return refusal('USAGE', `RUN is missing; under way: ${named}`, `halt a run: tutti halt ${first.id}`);
}
