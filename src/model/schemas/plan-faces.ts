import * as z from 'zod';
import { planPhases } from '../plan/phase.ts';
import { artifactNames } from '../plan/plan-record.ts';
import { fileActions } from '../plan/plan-task.ts';
import { errorCategories } from '../plan/task-state.ts';
import { planTokensForm, taskCounts } from './plan-output.ts';
import { planVerdicts } from './task-validation.ts';
import { alsoContinuesForm } from './session-output.ts';

/*
 * What the commands that make, show, execute and deliver plans print with `--json`, and the files that are views of them.
 */

const name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/);
const instant = z.iso.datetime();
const count = z.int().min(0);
const ids = z.array(name);
const texts = z.array(z.string());
const phase = z.enum(planPhases);
const verdict = z.enum(planVerdicts);
const said = z.enum(['approved', 'refused']);
const status = z.enum(['pending', 'running', 'parked', 'done', 'failed', 'skipped']);
const order = z.strictObject({ before: name, after: name, file: z.string() });

/** `plan show --json`. */
export const planShowForm = z.strictObject({
  plan: name,
  phase,
  target_dir: z.string(),
  verdict: verdict.nullable(),
  /** Of the tasks as they are now. */
  approval: said.nullable(),
  tasks: z.array(
    z.strictObject({
      id: name,
      name: z.string(),
      phase: count,
      status,
      needs: ids,
      behaviors: ids,
      files: z.array(z.strictObject({ path: z.string(), action: z.enum(fileActions) })),
      acceptance_criteria: z.array(z.strictObject({ criterion: z.string(), verification: z.string() })),
      estimate_hours: z.number().min(0),
    }),
  ),
  steel_thread: ids,
  one_by_one: z.array(order),
  agents: z.array(
    z.strictObject({
      agent: z.string(),
      driver: z.string(),
      tier: z.enum(['low', 'medium', 'high']),
      /** Null: the CLI's default, or no choice of the driver. */
      model: z.string().nullable(),
    }),
  ),
  estimate: z.strictObject({
    tasks: count,
    hours: z.number().min(0),
    longest_chain_hours: z.number().min(0),
    launches: count,
    may_follow: count,
    tokens: count.nullable(),
    cost_usd: z.number().min(0).nullable(),
    from_turns: count,
  }),
  uncommitted: texts,
  risks: texts,
  mermaid: z.string(),
});

/** `plan edit --json`. */
export const planEditForm = z.strictObject({
  plan: name,
  phase,
  changed: ids,
  removed: ids,
  /** The plan's run waited for this, and looks at the tasks again. */
  run_waits: z.boolean(),
  also_continues: alsoContinuesForm,
});

/** `execute --json` when there is nothing to do; otherwise events, a line each, and the status of the run at last. */
export const executeIdleForm = z.strictObject({ plan: name, run_id: z.string(), tasks: count, to_do: count });

const landed = { plan: name, target_dir: z.string(), done: count, tasks: count };

/** `land --json`. */
export const landForm = z.discriminatedUnion('at', [
  z.strictObject({
    ...landed,
    at: z.literal('delivered'),
    commit: z.string(),
    files: count,
    branch: z.string().nullable(),
  }),
  z.strictObject({ ...landed, at: z.literal('nothing') }),
  /** A run that worked in the checkout itself. */
  z.strictObject({ run_id: z.string(), target_dir: z.string(), at: z.literal('in-place') }),
]);

const begun = { attempt: count, started_at: instant };
const ended = { ...begun, completed_at: instant };
const task = { name: z.string(), depends_on: ids };
const error = z.strictObject({
  category: z.enum(errorCategories),
  message: z.string(),
  retryable: z.boolean(),
});

/** `state.json` of a plan. */
export const planStateForm = z.strictObject({
  version: z.literal('2.0'),
  plan: name,
  phase,
  completed_phases: z.array(phase),
  target_dir: z.string(),
  project_type: z.enum(['new', 'existing']),
  tech_stack: z.string().nullable(),
  created_at: instant,
  updated_at: instant,
  spec_checksum: z.string().nullable(),
  artifacts: z.partialRecord(z.enum(artifactNames), z.string()),
  task_validation: z
    .strictObject({
      verdict,
      summary: z.string(),
      issues: texts,
      by: z.string(),
      at: instant,
      tasks: z.string(),
    })
    .nullable(),
  approval: z
    .strictObject({
      said,
      reason: z.string().nullable(),
      by: z.string(),
      at: instant,
      tasks: z.string(),
    })
    .nullable(),
  halt: z
    .strictObject({ reason: z.string(), requested_at: instant, confirmed_at: instant.nullable() })
    .nullable(),
  execution: taskCounts.extend({ parked: count }),
  tokens: planTokensForm,
  tasks: z.record(
    name,
    z.discriminatedUnion('status', [
      z.strictObject({ ...task, status: z.literal('pending') }),
      z.strictObject({ ...task, status: z.literal('running'), ...begun, by: z.string() }),
      z.strictObject({ ...task, status: z.literal('parked'), ...begun, by: z.string(), reason: z.string() }),
      z.strictObject({
        ...task,
        status: z.literal('done'),
        ...ended,
        files_created: texts,
        files_modified: texts,
      }),
      z.strictObject({
        ...task,
        status: z.literal('failed'),
        ...ended,
        error,
        rescue: z.string().nullable(),
      }),
      z.strictObject({
        ...task,
        status: z.literal('skipped'),
        completed_at: instant,
        reason: z.string(),
      }),
    ]),
  ),
});

/** `checkpoint.json` of a plan. */
export const planCheckpointForm = z.strictObject({
  version: z.literal('1.0'),
  plan: name,
  status: z.enum(['active', 'complete']),
  created_at: instant,
  tasks: z.record(name, z.enum(['running', 'parked', 'success', 'failed', 'orphaned'])),
});
