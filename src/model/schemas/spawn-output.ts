import * as z from 'zod';
import { outcomes } from '../outcome.ts';
import { alsoContinuesForm } from './session-output.ts';

/** What `tutti spawn --output-format json` prints. Strict: a member that is printed and not told here is a mistake of ours. */
export const spawnForm = z.strictObject({
  /** The outcome, or DETACHED while the conductor has the run. */
  status: z.enum([...outcomes, 'DETACHED']),
  exit_code: z.int().min(0),
  run_id: z.string(),
  /** Null: no session was started. */
  session_id: z.string().nullable(),
  trace_id: z.string(),
  /** Of the session: 1 where a person called. */
  depth: z.int().min(1),
  elapsed_seconds: z.number().min(0),
  /** Files that the agent names as its work. */
  artifacts: z.array(z.string()),
  /** The agent's own account; null: it gave none. */
  summary: z.string().nullable(),
  /** Why it did not succeed; null: it did, or it has not ended. */
  message: z.string().nullable(),
  also_continues: alsoContinuesForm,
});

/** Each line on standard error meanwhile. Further members depend on the type. */
export const spawnProgressForm = z.looseObject({
  time: z.iso.datetime(),
  trace_id: z.string(),
  layer: z.literal('primitive'),
  depth: z.int().min(1),
  elapsed_seconds: z.number().min(0),
  run_id: z.string(),
  /** An event of `tutti events --json`, `agent.line` (`--stream`), `warning` or `note`. */
  type: z.string(),
});
