import { allowDecision } from '../../app/people/allow.ts';
import { decisions } from '../../app/people/decisions.ts';
import { type Delegation, listDelegations } from '../../app/people/delegations.ts';
import type { DecisionPlace } from '../../app/people/decide.ts';
import { outsideProject } from '../../app/people/outside-project.ts';
import { findProject } from '../../app/project.ts';
import { refusal } from '../../app/refusal.ts';
import { openIfMade } from '../../app/sessions/prepare.ts';
import type { Delegable } from '../../model/decision.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { JsonFlag } from '../command.ts';
import type { Context } from '../context.ts';
import { fail } from '../fail.ts';
import { printJson, printLines } from '../print.ts';
import { withOpened } from '../project.ts';

export interface AllowFlags extends JsonFlag {
  readonly for?: number;
  readonly revoke: boolean;
}

/** Works in any folder and with any configuration: what it changes lies outside every project. */
export function allow(flags: AllowFlags, context: Context, decision?: Delegable): Promise<Outcome> {
  const { folder, env, caller } = context;
  const { json } = flags;
  const opened = openIfMade({ folder, env, caller, despiteConfig: true });
  if (!opened.ok) return Promise.resolve(fail(context, opened.error, json));
  const work = (place: DecisionPlace): Promise<Outcome> => allowIn(place, flags, context, decision);
  return opened.value === null
    ? work(outsideProject(caller, findProject(folder)))
    : withOpened(context, { json, detach: true }, opened.value, work);
}

async function allowIn(
  place: DecisionPlace,
  { for: forMs, revoke, json }: AllowFlags,
  context: Context,
  decision: Delegable | undefined,
): Promise<Outcome> {
  if (decision === undefined) return showDelegations(context, listDelegations(place), json);
  if (revoke === (forMs !== undefined)) {
    const hint = `for example: tutti allow ${decision} --for 1h`;
    return fail(context, refusal('USAGE', 'give either --for DURATION or --revoke', hint), json);
  }
  const allowed = await allowDecision(place, decision, forMs ?? null);
  if (!allowed.ok) return fail(context, allowed.error, json);
  const until = allowed.value.until === null ? null : new Date(allowed.value.until).toISOString();
  if (json) printJson(context, { decision, until });
  else
    printLines(context, [
      until === null
        ? `agents of this project may no longer ${decisions[decision].may}`
        : `agents of this project may ${decisions[decision].may} until ${until}`,
    ]);
  return 'SUCCESS';
}

function showDelegations(context: Context, all: readonly Delegation[], json: boolean): Outcome {
  const rows = all.map(({ decision, by, until }) => ({
    decision,
    by,
    until: until === null ? null : new Date(until).toISOString(),
  }));
  if (json) printJson(context, { delegations: rows });
  else if (rows.length === 0) printLines(context, ['no decision is delegated: only you decide']);
  else
    printLines(
      context,
      rows.map(
        ({ decision, by, until }) =>
          `${decision}: delegated to agents by ${by}${until === null ? ' (configuration)' : ` until ${until}`}`,
      ),
    );
  return 'SUCCESS';
}
