import { logTokens } from '../../app/plans/agent-led/log-tokens.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Output } from '../../model/schemas/published.ts';
import type { Context } from '../context.ts';
import { defineCommand } from '../define-command.ts';
import { fail } from '../fail.ts';
import { amount, wholeNumber } from '../parsers.ts';
import { planFlags } from '../plan-flags.ts';
import { type PlanFlags, withPlan } from '../plan-project.ts';
import { printJson } from '../print.ts';

const maxTokens = 999_999_999;

export const command = defineCommand<
  PlanFlags,
  [session: string, tokensIn: number, tokensOut: number, cost: number]
>({
  reads: false,
  parameters: {
    flags: planFlags,
    positional: {
      kind: 'tuple',
      parameters: [
        { parse: String, brief: 'Session that used the tokens', placeholder: 'SESSION' },
        { parse: wholeNumber(0, maxTokens), brief: 'Input tokens', placeholder: 'IN' },
        { parse: wholeNumber(0, maxTokens), brief: 'Output tokens', placeholder: 'OUT' },
        { parse: amount, brief: 'Cost in US dollars', placeholder: 'COST' },
      ],
    },
  },
  about:
    'For agents that Tutti did not start. Tutti counts the tokens of agents that it starts automatically.',
  examples: [['tutti log-tokens executor-1 12000 3400 0.21', 'record one turn']],
  run: addTokens,
});

function addTokens(
  flags: PlanFlags,
  context: Context,
  session: string,
  tokensIn: number,
  tokensOut: number,
  costUsd: number,
): Promise<Outcome> {
  return withPlan(context, flags, async (tutti, found): Promise<Outcome> => {
    const logged = await logTokens(tutti, found, session, { tokensIn, tokensOut, costUsd });
    if (!logged.ok) return fail(context, logged.error, flags.json);
    const { tokensIn: input, tokensOut: output, costUsd: cost } = logged.value;
    if (flags.json)
      printJson<Output<'log-tokens'>>(context, { plan: found.plan.name, input, output, cost_usd: cost });
    return 'SUCCESS';
  });
}
