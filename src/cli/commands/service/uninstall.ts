import { serviceState, uninstallService } from '../../../app/service/service.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Context } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { fail } from '../../fail.ts';
import { printJson, printLines } from '../../print.ts';
import { type ServiceFlags, serviceParameters, withUnit } from './group.ts';

export const command = defineCommand<ServiceFlags, []>({
  reads: false,
  parameters: serviceParameters,
  about: 'Removes the unit and keeps runs and results.',
  examples: [['tutti service uninstall', 'remove the unit']],
  run: uninstall,
});

function uninstall({ json, dryRun }: ServiceFlags, context: Context): Outcome {
  return withUnit(context, json, (unit) => {
    const { path } = unit;
    const before = serviceState(unit);
    const done = dryRun || before === 'absent' ? null : uninstallService(unit);
    if (done !== null && !done.ok) return fail(context, done.error, json);
    const sentence =
      before === 'absent' ? 'it is not installed' : `${dryRun ? 'would remove' : 'removed'} ${path}`;
    if (json) printJson(context, { path, state: dryRun ? before : 'absent' });
    else printLines(context, [sentence]);
    return 'SUCCESS';
  });
}
