import { homedir } from 'node:os';
import { findProject } from '../../../app/project.ts';
import { serviceUnit, type ServiceUnit } from '../../../app/service/unit.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Context } from '../../context.ts';
import { jsonFlag, type JsonFlag, switchFlag } from '../../define-command.ts';
import { fail } from '../../fail.ts';

export const serviceParameters = {
  flags: {
    dryRun: switchFlag('Print the changes without making them'),
    json: jsonFlag,
  },
} as const;

export const examples = [
  ['tutti service install --dry-run', 'print the unit without installing it'],
  ['tutti service install', 'start the conductor at the next login'],
  ['tutti service uninstall', 'remove the unit'],
] as const;

export interface ServiceFlags extends JsonFlag {
  readonly dryRun: boolean;
}

export function withUnit(context: Context, json: boolean, work: (unit: ServiceUnit) => Outcome): Outcome {
  const { env, folder, program, machine } = context;
  const unit = serviceUnit({
    root: findProject(folder),
    env,
    home: env['HOME'] ?? homedir(),
    ...machine,
    node: process.execPath,
    program,
  });
  return unit.ok ? work(unit.value) : fail(context, unit.error, json);
}
