import type { Outcome } from '../../../model/outcome.ts';
import type { Context } from '../../context.ts';
import { defineCommand, reasonFlag } from '../../define-command.ts';
import { planFlags } from '../../plan-flags.ts';
import { type DecideFlags, decidePlanAs } from './group.ts';

export const command = defineCommand<DecideFlags, []>({
  reads: false,
  parameters: { flags: { reason: reasonFlag, ...planFlags } },
  about:
    'Requires a person; Tutti refuses agents unless you delegate it: `tutti allow approve`. Verify edited\n' +
    'task files first. Tasks that change later need a new approval. If two decisions arrive at once, the\n' +
    'first one wins.',
  examples: [['tutti plan approve', 'approve the newest plan']],
  run: approve,
});

function approve(flags: DecideFlags, context: Context): Promise<Outcome> {
  return decidePlanAs('approved', flags, context);
}
