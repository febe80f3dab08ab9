import * as z from 'zod';
import { auditKinds } from '../audit.ts';
import { delegable } from '../decision.ts';
import { sessionWarnings } from '../event.ts';
import { outcomes } from '../outcome.ts';
import { sessionStatuses } from '../session.ts';

/*
 * What the commands that keep order among sessions print with `--json`.
 */

const id = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/);
const instant = z.iso.datetime();
const count = z.int().min(0);
const refused = z.array(z.strictObject({ session_id: id, why: z.string() }));

/** `session archive --json`. */
export const sessionArchiveForm = z.strictObject({ archived: z.array(id), refused });

/** `session prune --json`. */
export const sessionPruneForm = z.strictObject({
  dry_run: z.boolean(),
  /** Those that ended within this time stay; null where there is no project. */
  keep_seconds: count.nullable(),
  pruned: z.array(id),
  refused,
});

/** `session watchdog --json`, a line each look. */
export const sessionWatchdogForm = z.strictObject({
  at: instant,
  sessions: count,
  actions: z.array(
    z.strictObject({
      session_id: id.nullable(),
      action: z.enum(['ended', 'warned', 'settled', 'gave-up', 'repaired', 'failed']),
      message: z.string(),
    }),
  ),
  /** Null: not looked for in this look. */
  leftovers: z.strictObject({ folders: z.array(z.string()), missing: z.array(id) }).nullable(),
});

/** `session audit --json`, a line each. */
export const sessionAuditForm = z.strictObject({
  seq: count,
  at: instant,
  event: z.enum(auditKinds),
  session_id: id.nullable(),
  level: z.enum(['INFO', 'WARN', 'ERROR']),
  message: z.string(),
  run_id: id.nullable(),
  agent: z.string().optional(),
  requester: z.string().optional(),
  from: z.enum(sessionStatuses).optional(),
  status: z.enum(sessionStatuses).optional(),
  outcome: z.enum(outcomes).optional(),
  exit_code: z.int().nullable().optional(),
  reason: z.string().optional(),
  by: z.string().optional(),
  /** What a warning is about, or what was decided on. */
  about: z.union([z.enum(sessionWarnings), z.string()]).optional(),
  decision: z.enum([...delegable, 'allow']).optional(),
  /** What gave an agent away that was refused a decision. */
  sign: z.string().optional(),
  refused: z.literal(true).optional(),
});
