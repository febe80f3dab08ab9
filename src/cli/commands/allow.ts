import { allowDecision } from '../../app/people/allow.ts';
import type { DecisionPlace } from '../../app/people/decide.ts';
import { decisions } from '../../app/people/decisions.ts';
import { type Delegation, listDelegations } from '../../app/people/delegations.ts';
import { outsideProject } from '../../app/people/outside-project.ts';
import { findProject } from '../../app/project.ts';
import { refusal } from '../../app/refusal.ts';
import { delegable, type Delegable } from '../../model/decision.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Context } from '../context.ts';
import { defineCommand, jsonFlag, type JsonFlag, switchFlag } from '../define-command.ts';
import { fail } from '../fail.ts';
import { duration, oneOf } from '../parsers.ts';
import { printJson, printLines } from '../print.ts';
import { withProjectIfMade } from '../project.ts';

interface AllowFlags extends JsonFlag {
  readonly for?: number;
  readonly revoke: boolean;
}

export const command = defineCommand<AllowFlags, [decision?: Delegable]>({
  reads: false,
  parameters: {
    flags: {
      for: {
        kind: 'parsed',
        parse: duration,
        brief: 'How long agents may make the decision, such as 2h',
        placeholder: 'DURATION',
        optional: true,
      },
      revoke: switchFlag('End the delegation'),
      json: jsonFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [
        {
          parse: oneOf(delegable),
          brief: `${delegable.join(', ')}; without DECISION: list the delegations`,
          placeholder: 'DECISION',
          optional: true,
          proposeCompletions: (partial) => delegable.filter((decision) => decision.startsWith(partial)),
        },
      ],
    },
  },
  about:
    'Some decisions are reserved for people, and Tutti refuses agents that try to make them. `allow`\n' +
    'delegates one decision to the agents of this project. Each use is recorded with your name and the\n' +
    "agent's: `tutti session audit --event decision`. To delegate permanently, write\n" +
    '`delegate: {land: agents}` into ~/.config/tutti/config.yaml; in tutti.yaml it has no effect.',
  examples: [
    ['tutti allow land --for 2h', 'allow agents to land for two hours'],
    ['tutti allow', 'list the delegations'],
    ['tutti allow land --revoke', 'end the delegation'],
  ],
  run: allow,
});

/** Works in any folder and with any configuration: what it changes lies outside every project. */
function allow(flags: AllowFlags, context: Context, decision?: Delegable): Promise<Outcome> {
  const { folder, caller } = context;
  const { json } = flags;
  const work = (place: DecisionPlace): Promise<Outcome> => allowIn(place, flags, context, decision);
  const none = (): Promise<Outcome> => work(outsideProject(caller, findProject(folder)));
  return withProjectIfMade(context, { json, detach: true, despiteConfig: true }, none, work);
}

async function allowIn(
  place: DecisionPlace,
  { for: forMs, revoke, json }: AllowFlags,
  context: Context,
  decision: Delegable | undefined,
): Promise<Outcome> {
  if (decision === undefined) {
    if (!revoke && forMs === undefined) return showDelegations(context, listDelegations(place), json);
    const hint = `for example: tutti allow land ${revoke ? '--revoke' : '--for 1h'}`;
    return fail(context, refusal('USAGE', 'DECISION is missing', hint), json);
  }
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
