import { err, ok, type Result } from '../../lib/result.ts';
import type { Delegable } from '../../model/decision.ts';
import { refusal, type Refusal } from '../refusal.ts';
import { decide, type DecisionPlace } from './decide.ts';
import { writeDelegation } from './delegations.ts';

/** `tutti allow`: leaves a decision to the agents of this project for some time; null ends that. */
export async function allowDecision(
  place: DecisionPlace,
  decision: Delegable,
  forMs: number | null,
): Promise<Result<{ readonly until: number | null }, Refusal>> {
  const until = forMs === null ? null : place.clock.wall() + forMs;
  const about =
    until === null ? `${decision}: revoked` : `${decision} until ${new Date(until).toISOString()}`;
  const decided = await decide(place, 'allow', about);
  if (!decided.ok) return decided;
  const { by } = decided.value;
  const written = writeDelegation(place, decision, until === null ? null : { by, until });
  if (written.ok) return ok({ until });
  return err(refusal('UNAVAILABLE', written.error, 'check who owns the folder'));
}
