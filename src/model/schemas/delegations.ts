import * as z from 'zod';
import { delegable } from '../decision.ts';

/** `delegations.json`: what a person left to agents with `tutti allow`. */
export const delegationsForm = z.strictObject({
  version: z.literal(1),
  delegations: z.array(
    z.strictObject({
      project: z.string().startsWith('/'),
      decision: z.enum(delegable),
      by: z.string(),
      at: z.int(),
      until: z.int(),
    }),
  ),
});
