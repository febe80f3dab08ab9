import type { Config } from './config.ts';
import type { ModelPrice } from './price.ts';

type Drivers = Pick<Config, 'drivers'>;

/** The model that the configuration names for a tier; null where that is left to the CLI. */
export function modelOf(config: Drivers, driver: string, tier: string): string | null {
  const found = driverForm(config, driver);
  // What a recorder records runs on its own model.
  const working = found?.type === 'record' ? driverForm(config, found.driver) : found;
  if (working === undefined || !('models' in working)) return null;
  const named = Object.entries(working.models).find(([name]) => name === tier);
  return named?.[1] ?? null;
}

function driverForm({ drivers }: Drivers, name: string): Config['drivers'][string] | undefined {
  return Object.hasOwn(drivers, name) ? drivers[name] : undefined;
}

/** The price of a model; null where nobody told it. */
export function priceOf(config: Pick<Config, 'prices'>, model: string | null): ModelPrice | null {
  if (model === null) return null;
  return Object.entries(config.prices).find(([name]) => name === model)?.[1] ?? null;
}
