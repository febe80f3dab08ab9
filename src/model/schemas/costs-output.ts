import * as z from 'zod';
import { costGroups } from '../price-sum.ts';

/*
 * What `tutti costs --json` and `tutti run --estimate --json` print. Null is unknown, never zero.
 */

const count = z.int().min(0);
const amount = z.number().min(0);
const id = z.string().min(1);

const sum = {
  /** Turns that have ended: a session is one. */
  turns: count,
  /** Not ended yet, and in none of the sums. */
  running: count,
  input_tokens: count.nullable(),
  output_tokens: count.nullable(),
  turns_without_tokens: count,
  /** Of the turns whose price is known. */
  cost_usd: amount.nullable(),
  turns_without_price: count,
  /** The part of it that was computed from tokens by `prices` of tutti.yaml. */
  computed_cost_usd: amount,
  price_dates: z.array(z.iso.date()),
};

/** `costs --json`. */
export const costsForm = z.strictObject({
  run_id: id.nullable(),
  by: z.enum(costGroups),
  since: z.iso.datetime().nullable(),
  groups: z.array(z.strictObject({ name: id, ...sum })),
  total: z.strictObject(sum),
});

const estimate = {
  tokens: count.nullable(),
  cost_usd: amount.nullable(),
  seconds: amount.nullable(),
};

/** `run --estimate --json`. */
export const estimateForm = z.strictObject({
  flow: z.string(),
  steps: z.array(
    z.strictObject({
      step: id,
      agent: id.nullable(),
      driver: id.nullable(),
      tier: id.nullable(),
      model: id.nullable(),
      /** Earlier runs that the numbers are the median of. */
      runs: count,
      ...estimate,
      /** Where the time is from. */
      time_from: z.enum(['history', 'declared', 'unknown']),
    }),
  ),
  total: z.strictObject({
    ...estimate,
    steps_without_tokens: count,
    steps_without_cost: count,
    steps_without_time: count,
  }),
  budget: z.strictObject({
    tokens: count.nullable(),
    cost_usd: amount.nullable(),
    launches: count.nullable(),
  }),
});
