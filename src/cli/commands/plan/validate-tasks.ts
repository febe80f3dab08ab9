import { requesterOf } from '../../../app/plans/agent-led/requester.ts';
import { registerVerdict } from '../../../app/plans/agent-led/say-of-plan.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { PlanVerdict } from '../../../model/plan/plan-record.ts';
import type { Output } from '../../../model/schemas/published.ts';
import type { Context } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { fail } from '../../fail.ts';
import { oneOf } from '../../parsers.ts';
import { listFlag, planFlags } from '../../plan-flags.ts';
import { type PlanFlags, withPlan } from '../../plan-project.ts';
import { printJson, printLines } from '../../print.ts';

interface VerdictFlags extends PlanFlags {
  readonly issues?: readonly string[];
}

const verdicts = ['READY', 'READY_WITH_NOTES', 'BLOCKED'] as const;

export const command = defineCommand<VerdictFlags, [verdict: (typeof verdicts)[number], summary?: string]>({
  reads: false,
  parameters: {
    flags: { issues: listFlag('Issue to record (repeatable)', 'TEXT'), ...planFlags },
    positional: {
      kind: 'tuple',
      parameters: [
        {
          parse: oneOf(verdicts),
          brief: verdicts.join(', '),
          placeholder: 'VERDICT',
          proposeCompletions: (partial) => verdicts.filter((verdict) => verdict.startsWith(partial)),
        },
        { parse: String, brief: 'Summary in one sentence', placeholder: 'SUMMARY', optional: true },
      ],
    },
  },
  about: 'BLOCKED returns the plan to the validation phase.',
  examples: [
    ['tutti plan validate-tasks READY "all behaviors are covered"', 'accept the tasks'],
    [
      'tutti plan validate-tasks BLOCKED "two gaps" --issues "T004 tests nothing" "no task for B7"',
      'block the tasks, with two issues',
    ],
  ],
  run: validateTasks,
});

function validateTasks(
  flags: VerdictFlags,
  context: Context,
  verdict: PlanVerdict['verdict'],
  summary = '',
): Promise<Outcome> {
  const { json, issues = [] } = flags;
  return withPlan(context, flags, async (tutti, found): Promise<Outcome> => {
    const { by } = await requesterOf(tutti, undefined);
    const said = await registerVerdict(tutti, found, { verdict, summary, issues, by });
    if (!said.ok) return fail(context, said.error, json);
    const { name, phase } = said.value;
    if (json) printJson<Output<'plan-verdict'>>(context, { plan: name, phase, verdict, summary, issues });
    else {
      const next =
        verdict === 'BLOCKED' ? 'fix the tasks, then: tutti plan load-tasks' : 'tutti plan advance';
      printLines(context, [`plan ${name}: verdict ${verdict}`, `  → ${next}`]);
    }
    return 'SUCCESS';
  });
}
