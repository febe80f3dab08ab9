import * as z from 'zod';
import type { ModelPrice } from '../price.ts';
import { filledText, members, wanted } from './basic-shapes.ts';

const amountWords = 'USD for a million tokens, 0 or more';
const usd = z.number(wanted(amountWords)).min(0, `must be ${amountWords}`);
const dayWords = 'the day on which the prices were looked up, such as 2026-11-01';

const modelForm = members({ input: usd, output: usd, cached_input: usd.optional() });

/** Tutti ships no prices: they change, and a wrong one is worse than none. */
export const pricesForm = members({
  as_of: z.iso.date(wanted(dayWords)),
  models: z.record(
    filledText('the name of a model'),
    modelForm,
    wanted('a mapping of prices by the name of the model'),
  ),
});

/** By model. Without a prototype: a model may be called `constructor`. */
export function pricesOf({ as_of: asOf, models }: z.output<typeof pricesForm>): Record<string, ModelPrice> {
  const prices: Record<string, ModelPrice> = Object.create(null);
  for (const [model, { input, output, cached_input: cachedInput = null }] of Object.entries(models)) {
    prices[model] = { input, output, cachedInput, asOf };
  }
  return prices;
}
