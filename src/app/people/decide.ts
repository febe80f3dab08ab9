import { err, ok, type Result } from '../../lib/result.ts';
import type { Decision } from '../../model/decision.ts';
import type { DecisionEvent } from '../../model/event.ts';
import type { CallerFacts } from '../../model/ports/caller.ts';
import type { Clock } from '../../model/ports/clock.ts';
import { refusal, type Refusal } from '../refusal.ts';
import { decisions } from './decisions.ts';
import { findDelegation } from './delegations.ts';
import { identifyCaller } from './identify-caller.ts';

/** Where a decision is made. An opened project is one. */
export interface DecisionPlace {
  readonly caller: CallerFacts;
  readonly clock: Pick<Clock, 'wall'>;
  readonly paths: { readonly root: string };
  readonly store: { note(runId: null, event: DecisionEvent): Promise<void> };
}

/** A person's word, or that of an agent which a person gave it to. */
export interface Decided {
  /** For the record: `user:ada`, or `session:x for user:ada`. */
  readonly by: string;
}

/** A decision that may be made. Whoever carries it out gives `made` to the audit in the transaction in which it counts. */
export interface Permitted extends Decided {
  readonly made: DecisionEvent;
}

/**
 * The rule that only people decide. Every function that carries out a decision asks here first, so commands and programs
 * obey it alike. `about` names what is decided, for the audit.
 */
export async function decide(
  place: DecisionPlace,
  decision: Decision,
  about: string,
): Promise<Result<Decided, Refusal>> {
  const permitted = await permitDecision(place, decision, about);
  if (!permitted.ok) return permitted;
  const { by, made } = permitted.value;
  await place.store.note(null, made);
  return ok({ by });
}

/** The same for a decision of which only the first counts: the audit is told when it does. */
export async function permitDecision(
  place: DecisionPlace,
  decision: Decision,
  about: string,
): Promise<Result<Permitted, Refusal>> {
  const caller = identifyCaller(place.caller);
  if (caller.kind === 'person') return permit(decision, { about, by: caller.name, session: null });
  const { name, session, sign } = caller;
  const delegation = findDelegation(place, decision);
  if (delegation !== null) {
    return permit(decision, { about, by: `${name} for ${delegation.by}`, session });
  }
  const event = { type: 'decision.refused', decision, about, by: name, sign, session } as const;
  // An agent in a sandbox may not write here; it is refused in any case.
  await place.store.note(null, event).catch(() => undefined);
  const message = `only a person may ${decisions[decision].may}, and this comes from ${name} (${sign})`;
  return err(refusal('HUMAN_INPUT', message, hintFor(decision)));
}

function permit(
  decision: Decision,
  told: Pick<DecisionEvent, 'about' | 'by' | 'session'>,
): Result<Permitted, Refusal> {
  return ok({ by: told.by, made: { type: 'decision.made', decision, ...told } });
}

function hintFor(decision: Decision): string {
  const ask = 'ask the person who started you to do it in a terminal of their own';
  return decision === 'allow' ? ask : `${ask}, or to delegate it: tutti allow ${decision} --for 1h`;
}
