import type { Outcome } from '../../../model/outcome.ts';
import type { Context } from '../../context.ts';
import { defineCommand, reasonFlag } from '../../define-command.ts';
import { planFlags } from '../../plan-flags.ts';
import { type DecideFlags, decidePlanAs } from './group.ts';

export const command = defineCommand<DecideFlags, []>({
  reads: false,
  parameters: { flags: { reason: reasonFlag, ...planFlags } },
  about:
    'Running tasks finish, no other task starts, and `tutti land` refuses the plan until it is approved.\n' +
    '`tutti plan --plan NAME` plans it again with the reason in the prompts of the author and the verifier.',
  examples: [['tutti plan refuse --reason "too much at once"', 'refuse it, with a reason']],
  run: refuse,
});

function refuse(flags: DecideFlags, context: Context): Promise<Outcome> {
  return decidePlanAs('refused', flags, context);
}
