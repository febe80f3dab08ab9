import { serviceState } from '../../../app/service/service.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Context } from '../../context.ts';
import { defineCommand, jsonFlag, type JsonFlag } from '../../define-command.ts';
import { printJson, printLines } from '../../print.ts';
import { withUnit } from './group.ts';

export const command = defineCommand<JsonFlag, []>({
  reads: true,
  parameters: { flags: { json: jsonFlag } },
  about: 'Exits with 0 if the service is installed, otherwise with 1.',
  examples: [['tutti service status', 'check the service']],
  run: status,
});

/** A predicate: code 0 or 1. */
function status({ json }: JsonFlag, context: Context): Outcome {
  return withUnit(context, json, (unit) => {
    const state = serviceState(unit);
    const again = state === 'installed' ? [] : ['  → tutti service install'];
    if (json) printJson(context, { path: unit.path, state });
    else printLines(context, [`${state}: ${unit.path}`, ...again]);
    return state === 'absent' ? 'FAILURE' : 'SUCCESS';
  });
}
