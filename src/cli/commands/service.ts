import { homedir } from 'node:os';
import { terminalText } from '../../lib/terminal-text.ts';
import type { Outcome } from '../../model/outcome.ts';
import { findProject } from '../../app/project.ts';
import { installService, serviceState, uninstallService } from '../../app/service/service.ts';
import { serviceUnit, type ServiceUnit } from '../../app/service/unit.ts';
import type { JsonFlag } from '../command.ts';
import type { Context } from '../context.ts';
import { fail } from '../fail.ts';
import { printJson, printLines } from '../print.ts';

export interface ServiceFlags extends JsonFlag {
  readonly dryRun: boolean;
}

export function install({ json, dryRun }: ServiceFlags, context: Context): Outcome {
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

export function uninstall({ json, dryRun }: ServiceFlags, context: Context): Outcome {
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

/** A predicate: code 0 or 1. */
export function status({ json }: JsonFlag, context: Context): Outcome {
  return withUnit(context, json, (unit) => {
    const state = serviceState(unit);
    const again = state === 'installed' ? [] : ['  → tutti service install'];
    if (json) printJson(context, { path: unit.path, state });
    else printLines(context, [`${state}: ${unit.path}`, ...again]);
    return state === 'absent' ? 'FAILURE' : 'SUCCESS';
  });
}

function withUnit(context: Context, json: boolean, work: (unit: ServiceUnit) => Outcome): Outcome {
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

function linger(manager: ServiceUnit['manager']): string[] {
  return manager === 'systemd' ? ['  → also without a login, from boot on: loginctl enable-linger'] : [];
}
