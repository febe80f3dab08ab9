import * as z from 'zod';
import { agentResultForm } from './agent-result.ts';
import { capabilityMapForm } from './capability-map.ts';
import { cassetteForm } from './cassette.ts';
import { configForm } from './config.ts';
import { costsForm, estimateForm } from './costs-output.ts';
import { flowForm } from './flow.ts';
import { physicalMapForm } from './physical-map.ts';
import { planBundleForm } from './plan-bundle.ts';
import { planResultForm } from './plan-result.ts';
import { planTaskForm } from './plan-task.ts';
import { composeFiles, composeOutputs } from './published-compose.ts';
import { planOutputs } from './published-plans.ts';
import {
  sessionArchiveForm,
  sessionAuditForm,
  sessionPruneForm,
  sessionWatchdogForm,
} from './session-order-output.ts';
import {
  errorForm,
  sessionCreateForm,
  sessionKillForm,
  sessionLogForm,
  sessionRowForm,
  sessionSendForm,
  sessionStatusForm,
  sessionWaitForm,
} from './session-output.ts';
import { executorAnswerForm, orchestratorAnswerForm, spawnForm, spawnProgressForm } from './spawn-output.ts';
import { taskValidationForm } from './task-validation.ts';
import { trustForm } from './trust.ts';

/** What commands print with `--json`, by the name of the published schema: what it is of, and its form. */
const outputs = {
  'session-create.schema.json': ['tutti session create --json', sessionCreateForm],
  'session-row.schema.json': ['tutti session list --json: each line', sessionRowForm],
  'session-status.schema.json': ['tutti session status --json', sessionStatusForm],
  'session-wait.schema.json': ['tutti session wait --json: each line', sessionWaitForm],
  'session-kill.schema.json': ['tutti session kill --json: each line', sessionKillForm],
  'session-log.schema.json': ['tutti session logs --json and attach --json: each line', sessionLogForm],
  'session-send.schema.json': ['tutti session send --json', sessionSendForm],
  'session-archive.schema.json': ['tutti session archive --json', sessionArchiveForm],
  'session-prune.schema.json': ['tutti session prune --json', sessionPruneForm],
  'session-watchdog.schema.json': ['tutti session watchdog --json: each look', sessionWatchdogForm],
  'session-audit.schema.json': ['tutti session audit --json: each line', sessionAuditForm],
  'spawn.schema.json': ['tutti spawn --output-format json', spawnForm],
  'executor-answer.schema.json': ['tutti executor --output-format json', executorAnswerForm],
  'orchestrator-answer.schema.json': [
    'tutti orchestrator --output-format json: the stage manifest',
    orchestratorAnswerForm,
  ],
  'spawn-progress.schema.json': [
    'tutti spawn and the other layers, --output-format json: each line on standard error',
    spawnProgressForm,
  ],
  'costs.schema.json': ['tutti costs --json', costsForm],
  'estimate.schema.json': ['tutti run --estimate --json', estimateForm],
  'trust.schema.json': ['tutti trust --json', trustForm],
  'error.schema.json': ['What a command with --json prints on standard error when it could not', errorForm],
  ...planOutputs,
  ...composeOutputs,
} as const satisfies Readonly<Record<string, readonly [title: string, form: z.ZodType]>>;

/**
 * What a command prints with `--json`, by the name of its published schema: `Output<'task-start'>`. The functions that build
 * outputs return it, so that a member that is misspelt, missing or too many does not compile.
 */
export type Output<NAME extends OutputName> = Plain<z.input<(typeof outputs)[`${NAME}.schema.json`][1]>>;

type OutputName = keyof typeof outputs extends `${infer NAME}.schema.json` ? NAME : never;

type Plain<VALUE> = VALUE extends object ? { readonly [MEMBER in keyof VALUE]: Plain<VALUE[MEMBER]> } : VALUE;

/** The JSON Schemas that ship in `schemas/`, by file name: editors check and complete with them. */
export function publishedSchemas(): Readonly<Record<string, object>> {
  return {
    'tutti.schema.json': published('tutti.yaml: the configuration of a project or a person', configForm),
    'flow.schema.json': published('A flow file: a graph of steps for `tutti run`', flowForm),
    'cassette.schema.json': published('A cassette: the turns that the replay driver plays', cassetteForm),
    'result.schema.json': published("result.json: an agent's account of its turn", agentResultForm),
    'capability-map.schema.json': published(
      'artifacts/capability-map.json of a plan: what the specification wants',
      capabilityMapForm,
    ),
    'physical-map.schema.json': published(
      'artifacts/physical-map.json of a plan: which files the behaviors become',
      physicalMapForm,
    ),
    'task.schema.json': published('tasks/T001.json of a plan: one task', planTaskForm),
    'task-validation.schema.json': published(
      "reports/task-validation.json of a plan: the verifier's verdict",
      taskValidationForm,
    ),
    'bundle.schema.json': published(
      'bundles/T001-bundle.json of a plan: all that a task needs',
      planBundleForm,
    ),
    'task-result.schema.json': published(
      'bundles/T001-result.json of a plan: how a task ended',
      planResultForm,
    ),
    ...Object.fromEntries(
      Object.entries({ ...composeFiles, ...outputs }).map(([name, [title, form]]) => [
        name,
        published(title, form),
      ]),
    ),
  };
}

function published(title: string, form: z.ZodType): object {
  return { title, ...z.toJSONSchema(form, { io: 'input', target: 'draft-2020-12' }) };
}
