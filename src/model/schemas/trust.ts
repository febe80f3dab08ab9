import * as z from 'zod';
import { agentClis } from '../agent-clis.ts';

const readers = [...agentClis, 'tutti'] as const;

const instant = z.iso.datetime();
const path = z.string().startsWith('/');
const word = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** `tutti trust --json`. */
export const trustForm = z.strictObject({
  repository: path,
  /** Everything that it brings, as it is now. */
  trusted: z.boolean(),
  trusted_at: instant.nullable(),
  /** What this command did. */
  did: z.enum(['shown', 'trusted', 'revoked', 'nothing']),
  surfaces: z.array(
    z.strictObject({
      path: z.string(),
      cli: z.enum(readers),
      /** `acts`: can run programs or grant permissions. `tells`: text for the model. */
      power: z.enum(['acts', 'tells']),
      /** Since it was trusted; null where it is not. */
      change: z.enum(['same', 'changed', 'new']).nullable(),
      /** Every setting of a `tutti.yaml`, an agent and a skill, and every command, agent and prompt of a flow, whole; empty for other files. */
      members: z.array(z.strictObject({ name: z.string(), value: z.union([word, z.array(word)]) })),
    }),
  ),
  /** Commands that its files suggest: install, test, lint. */
  commands: z.array(z.strictObject({ command: z.string(), change: z.enum(['same', 'new']).nullable() })),
  /** Why the record of trusted repositories could not be used; then none is trusted. */
  problem: z.string().nullable(),
  /** With --revoke: runs of which a process still works with what was trusted; `pid` advances the run, null: none does. */
  under_way: z.array(z.strictObject({ run_id: z.string(), pid: z.number().nullable() })).optional(),
});
