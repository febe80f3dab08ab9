import * as z from 'zod';
import { repositoryClis } from '../trust.ts';

const instant = z.iso.datetime();
const path = z.string().startsWith('/');
const digest = z.string().regex(/^[0-9a-f]{32}$/);

/** `trust.json`: the repositories that a person trusts, and what each brought at that time. */
export const trustFileForm = z.strictObject({
  version: z.literal(1),
  repositories: z.record(
    path,
    z.strictObject({ trusted_at: instant, surfaces: z.record(z.string(), digest) }),
  ),
});

/** `tutti trust --json`. */
export const trustForm = z.strictObject({
  repository: path,
  trusted: z.boolean(),
  trusted_at: instant.nullable(),
  /** What this command did. */
  did: z.enum(['shown', 'trusted', 'revoked', 'nothing']),
  surfaces: z.array(
    z.strictObject({
      path: z.string(),
      cli: z.enum(repositoryClis),
      /** `acts`: can run programs or grant permissions. `tells`: text for the model. */
      power: z.enum(['acts', 'tells']),
      /** Since it was trusted; null where it is not. */
      change: z.enum(['same', 'changed', 'new']).nullable(),
    }),
  ),
  /** Why the record of trusted repositories could not be used; then none is trusted. */
  problem: z.string().nullable(),
});
