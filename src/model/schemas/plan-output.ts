import * as z from 'zod';
import { planPhases } from '../plan/phase.ts';
import { artifactNames } from '../plan/plan-record.ts';
import { fileActions } from '../plan/plan-task.ts';
import { errorCategories } from '../plan/task-state.ts';
import { planTaskForm } from './plan-task.ts';
import { alsoContinuesForm } from './session-output.ts';
import { planVerdicts } from './task-validation.ts';

/*
 * What the commands about plans print with `--json`.
 */

const name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/);
const instant = z.iso.datetime();
const count = z.int().min(0);
const ids = z.array(name);
const phase = z.enum(planPhases);
const taskStatus = z.enum(['ready', 'waiting', 'blocked', 'running', 'parked', 'done', 'failed', 'skipped']);

/** What work on a plan took, in `plan status` and in `state.json`. Null: no turn told any part of the sum. */
export const planTokensForm = z.strictObject({
  input: count.nullable(),
  output: count.nullable(),
  cost_usd: z.number().min(0).nullable(),
  turns_without_tokens: count,
  turns_without_price: count,
});

/** `plan init --json`. */
export const planInitForm = z.strictObject({
  plan: name,
  plan_dir: z.string(),
  target_dir: z.string(),
  project_type: z.enum(['new', 'existing']),
  phase,
  spec_checksum: z.string().nullable(),
  created: z.boolean(),
});

/** `plan list --json`, a line each. */
export const planRowForm = z.strictObject({
  plan: name,
  phase,
  target_dir: z.string(),
  tasks: count,
  done: count,
  updated_at: instant,
});

const checkpoint = z
  .strictObject({
    status: z.enum(['active', 'complete']),
    created_at: instant,
    tasks: z.record(z.string(), z.enum(['running', 'parked', 'success', 'failed', 'orphaned'])),
  })
  .nullable();

const said = { by: z.string(), at: instant, current: z.boolean() };

/** How many tasks of a plan stand where. */
export const taskCounts = z.strictObject({
  total: count,
  ready: count,
  waiting: count,
  blocked: count,
  running: count,
  done: count,
  failed: count,
  skipped: count,
});

/** `plan status --json`. */
export const planStatusForm = z.strictObject({
  plan: name,
  plan_dir: z.string(),
  target_dir: z.string(),
  project_type: z.enum(['new', 'existing']),
  tech_stack: z.string().nullable(),
  phase,
  spec_checksum: z.string().nullable(),
  artifacts: z.partialRecord(z.enum(artifactNames), z.string()),
  verdict: z
    .strictObject({
      verdict: z.enum(planVerdicts),
      summary: z.string(),
      issues: z.array(z.string()),
      ...said,
    })
    .nullable(),
  approval: z
    .strictObject({ said: z.enum(['approved', 'refused']), reason: z.string().nullable(), ...said })
    .nullable(),
  halt: z.strictObject({
    halted: z.boolean(),
    reason: z.string().nullable(),
    requested_at: instant.nullable(),
    confirmed_at: instant.nullable(),
    stop_file: z.boolean(),
  }),
  checkpoint,
  tasks: taskCounts.extend({ parked: count }),
  running: ids,
  /** Begun by a run of Tutti, and nothing works on them now. */
  parked: z.array(z.strictObject({ id: name, name: z.string(), reason: z.string() })),
  blocked: z.array(z.strictObject({ id: name, name: z.string(), by: name, reason: z.string() })),
  tokens: planTokensForm,
  /** The command to type next; null: nothing is left to do. */
  next: z.string().nullable(),
});

/** `plan advance --json`. */
export const planAdvanceForm = z.strictObject({ plan: name, from: phase, phase });

/** `plan validate --json` and `plan load-tasks --json`. */
export const planValidateForm = z.strictObject({
  plan: name,
  artifact: z.enum(artifactNames),
  digest: z.string(),
  phase,
  tasks: z
    .strictObject({
      total: count,
      changed: ids,
      removed: ids,
      /** Orders that nobody asked for: these tasks own one file. */
      added: z.array(z.strictObject({ before: name, after: name, file: z.string() })),
    })
    .nullable(),
  /** False from inside a sandbox: it is valid, and Tutti records that when it looks by itself. */
  recorded: z.boolean(),
});

/** `plan validate-tasks --json`. */
export const planVerdictForm = z.strictObject({
  plan: name,
  phase,
  verdict: z.enum(planVerdicts),
  summary: z.string(),
  issues: z.array(z.string()),
});

/** `plan approve --json` and `plan refuse --json`. */
export const planDecisionForm = z.strictObject({
  plan: name,
  phase,
  said: z.enum(['approved', 'refused']),
  reason: z.string().nullable(),
  /** What was approved, where no question of a run has shown it. */
  tasks: z
    .array(
      z.strictObject({
        id: name,
        files: z.array(z.strictObject({ path: z.string(), action: z.enum(fileActions) })),
        commands: z.array(z.string()),
      }),
    )
    .optional(),
  also_continues: alsoContinuesForm,
});

/** `task ready --json` and `task list --json`, a line each. */
export const taskRowForm = z.strictObject({
  task_id: name,
  name: z.string(),
  status: taskStatus,
  needs: ids,
});

const criteria = z.array(
  z.strictObject({ name: z.string(), status: z.enum(['PASS', 'FAIL', 'WAIVED']), evidence: z.string() }),
);
const verdict = z.enum(['PASS', 'FAIL']);

/** `task show --json`. */
export const taskShowForm = z.strictObject({
  task_id: name,
  name: z.string(),
  status: z.enum(['pending', 'running', 'parked', 'done', 'failed', 'skipped']),
  needs: ids,
  attempt: count.nullable(),
  by: z.string().nullable(),
  started_at: instant.nullable(),
  ended_at: instant.nullable(),
  verification: z.strictObject({ verdict, criteria }).nullable(),
  error: z
    .strictObject({ category: z.enum(errorCategories), message: z.string(), retryable: z.boolean() })
    .nullable(),
  /** Files beyond the declared ones that a person let belong to it. */
  widened: z.array(z.string()),
  /** Its file has another definition, which no command has loaded: `definition` is what counts. */
  edited: z.boolean(),
  definition: planTaskForm,
});

/** `task start --json`. */
export const taskStartForm = z.strictObject({
  task_id: name,
  status: z.literal('running'),
  attempt: count,
  by: z.string(),
  /** Commit that holds what the target was like. */
  snapshot: z.string().nullable(),
});

/** `task complete --json`; `running`: the claim did not pass. */
export const taskCompleteForm = z.strictObject({
  task_id: name,
  status: z.enum(['done', 'running']),
  verdict,
  criteria,
  /** Files that it wrote and that are not its own. */
  undeclared: z.array(z.string()),
  /** Commands that could not be run while nothing else speaks against the work: a person must act. */
  not_run: z.array(z.strictObject({ command: z.string(), program: z.string() })),
});

/** `task widen --json`. */
export const taskWidenForm = z.strictObject({
  task_id: name,
  status: z.literal('running'),
  widened: z.array(z.string()),
});

/** `task fail --json`. */
export const taskFailForm = z.strictObject({
  task_id: name,
  status: z.literal('failed'),
  restored: z.array(z.string()),
  rescue: z.string().nullable(),
  blocked: ids,
});

/** `task retry --json` and `task skip --json`. */
export const taskReopenForm = z.strictObject({
  task_id: name,
  status: z.enum(['pending', 'skipped']),
  rescue: z.string().nullable(),
});

/** `bundle generate`, `generate-ready`, `validate`, `validate-integrity` and `list` with `--json`, a line each. */
export const bundleRowForm = z.strictObject({
  task_id: name,
  path: z.string(),
  problem: z.string().nullable(),
});

/** `bundle clean --json`. */
export const bundleCleanForm = z.strictObject({ plan: name, removed: ids });

/** `checkpoint create|update|complete|status|clear --json`. */
export const checkpointForm = z.strictObject({ plan: name, checkpoint });

/** `checkpoint recover --json`. */
export const checkpointRecoverForm = z.strictObject({
  plan: name,
  checkpoint,
  acknowledged: z.record(z.string(), z.enum(['success', 'failed'])),
  orphans: ids,
  alive: ids,
  not_started: ids,
  /** What may be done with the orphans. */
  commands: z.array(z.string()),
});

/** `halt-status`, `check-halt` and `confirm-halt` with `--json`. */
export const haltStatusForm = z.strictObject({
  plan: name,
  halted: z.boolean(),
  reason: z.string().nullable(),
  requested_at: instant.nullable(),
  confirmed_at: instant.nullable(),
  stop_file: z.boolean(),
  running: ids,
});

/** `halt --json`, of a plan. */
export const planHaltForm = z.strictObject({
  plan: name,
  state: z.enum(['halted', 'halting']),
  reason: z.string(),
  running: ids,
  also_continues: alsoContinuesForm,
});

/** `resume --json`, of an agent-led plan. */
export const planResumeForm = z.strictObject({ plan: name, cleared: z.boolean() });

/** `log --json`. */
export const logForm = z.strictObject({ line: z.string() });

/** `log-tokens --json`: the sum of the plan. */
export const logTokensForm = z.strictObject({
  plan: name,
  input: count,
  output: count,
  cost_usd: z.number().min(0),
});
