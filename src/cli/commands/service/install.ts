import { installService } from '../../../app/service/service.ts';
import type { ServiceUnit } from '../../../app/service/unit.ts';
import { terminalText } from '../../../lib/terminal-text.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Context } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { fail } from '../../fail.ts';
import { printJson, printLines } from '../../print.ts';
import { type ServiceFlags, serviceParameters, withUnit } from './group.ts';

export const command = defineCommand<ServiceFlags, []>({
  reads: false,
  parameters: serviceParameters,
  about:
    'Installs a systemd user unit, or a launch agent on macOS, so that parked runs continue after a reboot.',
  examples: [
    ['tutti service install --dry-run', 'print the unit without installing it'],
    ['tutti service install', 'start the conductor at the next login'],
  ],
  run: install,
});

function install({ json, dryRun }: ServiceFlags, context: Context): Outcome {
  return withUnit(context, json, (unit) => {
    const { path, content, startNow, manager } = unit;
    if (dryRun) {
      if (json) printJson(context, { path, content });
      else printLines(context, [`# ${path}`, terminalText(content)]);
      return 'SUCCESS';
    }
    const done = installService(unit);
    if (!done.ok) return fail(context, done.error, json);
    if (json) printJson(context, { path, state: 'installed' });
    else
      printLines(context, [
        `the conductor starts at every login: ${path}`,
        `  → have it now: ${startNow}`,
        ...linger(manager),
      ]);
    return 'SUCCESS';
  });
}

function linger(manager: ServiceUnit['manager']): string[] {
  return manager === 'systemd' ? ['  → also without a login, from boot on: loginctl enable-linger'] : [];
}
