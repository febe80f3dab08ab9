import { counted } from '../../lib/counted.ts';
/** Something that a recovery could not bring back, named so that a person knows what to do again. */
export type Loss =
  /** Transactions; null where it is not known how many, or since when. */
  | { readonly what: 'changes'; readonly count: number | null; readonly since: number | null }
  | { readonly what: 'run' | 'session' | 'plan'; readonly id: string; readonly why: string };

export function describeLoss(loss: Loss): string {
  if (loss.what !== 'changes') return `${loss.what} ${loss.id}: ${loss.why}`;
  const { count, since } = loss;
  const then = 'answers, approvals and finished commands';
  if (since === null) return `no copy of the database is kept: ${then} are not known`;
  const changes = count === null ? 'changes' : counted(count, 'change');
  return `${changes} after ${new Date(since).toISOString()} could not be restored: ${then} since then are not known`;
}
