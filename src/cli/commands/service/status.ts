import { serviceState } from '../../../app/service/service.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Context } from '../../context.ts';
import { defineCommand, jsonFlag, type JsonFlag } from '../../define-command.ts';
import { printJson, printLines } from '../../print.ts';
import { examples, withUnit } from './family.ts';

export const command = defineCommand<JsonFlag, []>({
  reads: true,
  parameters: { flags: { json: jsonFlag } },
  about: 'Exits with 0 if it is installed, else with 1.',
  examples,
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
