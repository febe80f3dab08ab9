import { findPlan } from '../../app/plans/find-plan.ts';
import { openApproval } from '../../app/plans/open-approval.ts';
import { clearInterrupt } from '../../app/plans/agent-led/clear-halt.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Context } from '../context.ts';
import { defineCommand, trustFlag } from '../define-command.ts';
import { fail } from '../fail.ts';
import { checkoutLines } from '../render/plan-outlook.ts';
import {
  ceilingFlags,
  parallelFlag,
  planFlags,
  planningFlags,
  specArgument,
  undeclaredFlag,
} from '../plan-flags.ts';
import { type ExecuteFlags, executePlan } from './execute.ts';
import { advanceToDecision, type MakeFlags, withPlanned } from './plan/make.ts';

type BuildFlags = Omit<MakeFlags, 'detach'> & Pick<ExecuteFlags, 'parallel' | 'undeclared'>;

export const command = defineCommand<BuildFlags, [spec?: string]>({
  reads: false,
  parameters: {
    flags: {
      ...planningFlags,
      parallel: parallelFlag,
      undeclared: undeclaredFlag,
      ...ceilingFlags,
      trust: trustFlag,
      ...planFlags,
    },
    positional: { kind: 'tuple', parameters: [specArgument] },
  },
  about:
    'Combines `tutti plan`, `tutti plan approve` and `tutti execute`. Run it again to continue where it\n' +
    'stopped.',
  examples: [
    ['tutti build spec.md', 'ask for approval, then build'],
    ['tutti build spec.md --yes --json', 'build without asking, in CI'],
  ],
  run: build,
});

/** A plan, a person's word on it, and its execution: one command, which goes on from wherever it stopped. */
function build(flags: BuildFlags, context: Context, spec?: string): Promise<Outcome> {
  const { json } = flags;
  return withPlanned(
    context,
    { ...flags, detach: false },
    { command: 'build', spec },
    async (tutti, started) => {
      const planned = await advanceToDecision(context, tutti, started, { detach: false, json });
      if (planned !== 'SUCCESS') {
        if (planned === 'HUMAN_INPUT' && !json && (await openApproval(tutti, started.plan)) !== null) {
          context.process.stderr.write(`  → once it is approved: tutti execute --plan ${started.plan}\n`);
        }
        return planned;
      }
      const planFound = await findPlan(tutti, started.plan);
      const found = planFound.ok ? await clearInterrupt(tutti, planFound.value) : planFound;
      if (!found.ok) return fail(context, found.error, json);
      // Whoever said yes to the plan a moment ago is not asked again.
      const asked = { ...flags, batch: true, interactive: false, verify: true, detach: false };
      return executePlan(context, tutti, found.value, asked, checkoutLines(started.checkout));
    },
  );
}
