import type { Outcome } from '../../../model/outcome.ts';
import type { Context } from '../../context.ts';
import { defineCommand, reasonFlag } from '../../define-command.ts';
import { planFlags } from '../../plan-flags.ts';
import { type DecideFlags, decidePlanAs } from './family.ts';

export const command = defineCommand<DecideFlags, []>({
  reads: false,
  parameters: { flags: { reason: reasonFlag, ...planFlags } },
  about:
    'For a person; an agent of a session is refused. Task files that were edited must be verified first, and tasks\n' +
    'that change afterwards approved again. Of two decisions at once, the first counts.',
  examples: [['tutti plan approve', 'it may be carried out']],
  run: approve,
});

function approve(flags: DecideFlags, context: Context): Promise<Outcome> {
  return decidePlanAs('approved', flags, context);
}
