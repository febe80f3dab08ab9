import type { Config } from '../model/config.ts';
import type { JsonFlag } from './define-command.ts';
import type { Context } from './context.ts';

/** Says which CLI agents run with where no file, variable or flag names one, so that a person need not guess. */
export function sayFoundDriver(
  { process }: Context,
  { json }: JsonFlag,
  { driver, driverFrom, drivers }: Pick<Config, 'driver' | 'driverFrom' | 'drivers'>,
): void {
  if (json || driverFrom !== 'path' || !Object.hasOwn(drivers, driver)) return;
  process.stderr.write(`driver ${driver}, found on PATH; name another with "driver:" in tutti.yaml\n`);
}
