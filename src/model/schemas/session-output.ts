import * as z from 'zod';
import { outcomes } from '../outcome.ts';
import { permissionAnswers } from '../permission.ts';
import { sessionStatuses } from '../session.ts';
import { sessionHosts, tiers } from '../turn.ts';

/*
 * What `tutti session … --json` prints. Strict: a member that is printed and not told here is a mistake of ours.
 */

const id = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/);
const instant = z.iso.datetime();
const status = z.enum(sessionStatuses);
const host = z.enum(sessionHosts);
const outcome = z.enum(outcomes);
const count = z.int().min(0);

const usage = z.strictObject({
  input_tokens: count.nullable(),
  output_tokens: count.nullable(),
  cost_usd: z.number().min(0).nullable(),
});

/** A cost that was computed says by the price list of which day; one that the CLI told says null. */
const sessionUsage = usage.extend({ priced_as_of: z.iso.date().nullable() });

/** Runs that a conductor continues besides, because this command started it, each with the command that stops it. */
export const alsoContinuesForm = z.array(z.strictObject({ run_id: id, stop: z.string() })).optional();

const row = {
  session_id: id,
  agent: z.string(),
  status,
  outcome: outcome.nullable(),
  outcome_code: count.nullable(),
  /** Whether its process vanished without a result. */
  lost: z.boolean(),
  created_at: instant,
  started_at: instant.nullable(),
  completed_at: instant.nullable(),
  exit_code: z.int().nullable(),
  parent_session: id.nullable(),
  tags: z.array(z.string()),
  step: z.string(),
  run_id: id,
  attempt: count,
  turn: count,
  continues: id.nullable(),
  driver: z.string(),
  tier: z.enum(tiers),
  host,
  requester: z.string(),
  usage: sessionUsage.nullable(),
  model: z.string().nullable(),
  archived_at: instant.nullable(),
};

const account = {
  /** What its agent handed over, in the agent's words. */
  summary: z.string().nullable(),
  /** Null where its driver does not tell. */
  tool_calls: count.nullable(),
};

/** `session list --json`, a line each. */
export const sessionRowForm = z.strictObject({
  ...row,
  /** What its agent asked and waits for: `Q7`. */
  question: z.string().nullable(),
});

/** `session wait --json`, a line each: the last session of what was waited for. */
export const sessionWaitForm = z.strictObject({
  waited_for: id,
  ...row,
  ...account,
  also_continues: alsoContinuesForm,
});

/** `session status --json`. */
export const sessionStatusForm = z.strictObject({
  ...row,
  activity: z.enum(['starting', 'working', 'waiting', 'limit_paused', 'stalled', 'dead', 'finished']),
  activity_detail: z.string().nullable(),
  elapsed_seconds: count,
  tmux_session: z.string().nullable(),
  tmux_active: z.boolean(),
  workspace: z.string().nullable(),
  task_prompt_file: z.string().nullable(),
  result_file: z.string().nullable(),
  cwd: z.string().nullable(),
  add_dirs: z.array(z.string()),
  metadata: z.strictObject({ max_duration_seconds: count.nullable(), priority: z.string() }),
  after: z.array(id),
  retried_as: id.nullable(),
  /** What its agent asked and waits for: `Q7`. */
  question: z.string().nullable(),
  /** Why no further retry was made. */
  no_retry: z.string().nullable(),
  ...account,
  conversation: z.string().nullable(),
  /** Continues the conversation in the CLI itself, in `cwd`. */
  resume_command: z.array(z.string()).nullable(),
  pid: count.nullable(),
  /** Processes that it left behind when it ended. */
  left_processes: z.array(count),
  /** Files that it made and that can start programs outside its sandbox; `to` is where they are now, null where they were made. */
  put_aside: z.array(z.strictObject({ from: z.string(), to: z.string().nullable() })),
  depth: count,
  /** Why it did not succeed. */
  message: z.string().nullable(),
  /** By what each is held; null: no such limit was asked for. */
  limits: z.record(z.string(), z.string().nullable()),
});

/** `session create --json`. */
export const sessionCreateForm = z.strictObject({
  session_id: id,
  status,
  host,
  workspace: z.string().nullable(),
  tmux_session: z.string().nullable(),
  after: z.array(id),
  warnings: z.array(z.string()),
  also_continues: alsoContinuesForm,
});

/** `session kill --json`, a line each. */
export const sessionKillForm = z.strictObject({
  session_id: id,
  how: z.enum(['killed', 'already']),
  status,
  outcome: outcome.nullable(),
  processes: count,
  /** What a session whose process had ended waits for: `Q7`. */
  question: z.string().nullable(),
  /** Why the end is not in the database yet; null when it is. */
  unrecorded: z.string().nullable(),
});

/** `session send --json`. */
export const sessionSendForm = z.strictObject({ session_id: id, delivered: z.literal(true) });

/** What any command prints on standard error when it could not. */
export const errorForm = z.strictObject({
  status: z.literal('error'),
  error: z.strictObject({
    code: outcome.exclude(['SUCCESS']),
    message: z.string().min(1),
    hint: z.string().min(1),
    detail: z.string().optional(),
  }),
});

const offset = count;

/** `session logs --json` and `session attach --json`, a line each. */
export const sessionLogForm = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string(), offset }),
  z.strictObject({ type: z.literal('tool'), name: z.string(), target: z.string(), offset }),
  z.strictObject({ type: z.literal('usage'), ...usage.shape, offset }),
  z.strictObject({
    type: z.literal('waiting'),
    why: z.string(),
    request: z
      .strictObject({
        number: count,
        tool: z.string(),
        target: z.string(),
        input: z.string(),
        options: z.array(z.enum(permissionAnswers)),
      })
      .optional(),
    offset,
  }),
  z.strictObject({ type: z.literal('answered'), request: count, answer: z.enum(permissionAnswers), offset }),
  z.strictObject({
    type: z.literal('limit'),
    reset_at: instant.nullable(),
    kind: z.literal('overload').optional(),
    offset,
  }),
  z.strictObject({
    type: z.literal('tool-failed'),
    name: z.string(),
    target: z.string(),
    reason: z.string(),
    offset,
  }),
  z.strictObject({ type: z.literal('files'), paths: z.array(z.string()), offset }),
  z.strictObject({ type: z.literal('conversation'), id: z.string(), offset }),
  z.strictObject({ type: z.literal('retrying'), reason: z.string(), offset }),
  z.strictObject({ type: z.literal('sign-in'), reason: z.string(), offset }),
  z.strictObject({
    type: z.literal('denied'),
    tool: z.string(),
    /** The path or command; absent where the log does not say. */
    target: z.string().optional(),
    reason: z.string(),
    offset,
  }),
  z.strictObject({ type: z.literal('blocked'), tool: z.string(), reason: z.string(), offset }),
  z.strictObject({ type: z.literal('problem'), message: z.string(), offset }),
  /** Of `session.log`, with --session-log. */
  z.strictObject({
    type: z.literal('log'),
    at: z.string().nullable(),
    level: z.enum(['INFO', 'WARN', 'ERROR']).nullable(),
    message: z.string(),
    offset,
  }),
  /** The last line of `attach`. */
  z.strictObject({ type: z.literal('session'), session_id: id, status, outcome: outcome.nullable() }),
]);
