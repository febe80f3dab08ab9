import type * as z from 'zod';
import { campaignForm, coordinatorForm, orchestratorForm } from './compose-configuration.ts';
import { executorForm } from './compose-executor.ts';
import {
  composeExitForm,
  composeFindingForm,
  composeNewForm,
  composeRowForm,
  composeShowForm,
} from './compose-output.ts';

/** The files of compositions that people write, by the name of the published schema: what it is of, and its form. */
export const composeFiles = {
  'executor.schema.json': ['compose/executors/NAME.yaml: a kind of work, with its actions', executorForm],
  'orchestrator.schema.json': [
    'compose/orchestrators/NAME.yaml: stages that call executors',
    orchestratorForm,
  ],
  'coordinator.schema.json': [
    'compose/coordinators/NAME.yaml: phases that call orchestrators',
    coordinatorForm,
  ],
  'campaign.schema.json': [
    'compose/campaigns/NAME.yaml: phases that call coordinators and are verified',
    campaignForm,
  ],
} as const satisfies Readonly<Record<string, readonly [title: string, form: z.ZodType]>>;

/** What the commands about compositions print. */
export const composeOutputs = {
  'compose-row.schema.json': ['tutti compose list --json: each line', composeRowForm],
  'compose-show.schema.json': ['tutti compose show --json', composeShowForm],
  'compose-finding.schema.json': ['tutti compose lint --json: each line', composeFindingForm],
  'compose-new.schema.json': ['tutti compose new --json', composeNewForm],
  'compose-exit.schema.json': ['tutti compose exits --json: each line', composeExitForm],
} as const satisfies Readonly<Record<string, readonly [title: string, form: z.ZodType]>>;
