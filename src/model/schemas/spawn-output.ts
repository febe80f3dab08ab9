import * as z from 'zod';
import { allLayers } from '../compose/layer.ts';
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

/** What `tutti executor --output-format json` prints. */
export const executorAnswerForm = spawnForm.extend({
  /** The word that it answered with; null: its action has no answers, or it gave none. */
  answer: z.string().nullable(),
  /** The request for a resolution, relative to the project; null: it left none. */
  refinement: z.string().nullable(),
  /** Ref under which work is kept that was put aside; null: nothing was. */
  rescue: z.string().nullable(),
});

const stageName = z.string();

/** What `tutti orchestrator --output-format json` prints: the stage manifest, and the run that it is about. */
export const orchestratorAnswerForm = z.strictObject({
  orchestrator: z.string(),
  /** Every stage of the modifier, in its order. */
  stages: z.array(
    z.discriminatedUnion('status', [
      z.strictObject({
        name: stageName,
        status: z.literal('success'),
        exit_code: z.literal(0),
        artifact: z.string().nullable(),
      }),
      z.strictObject({
        name: stageName,
        status: z.literal('failure'),
        exit_code: z.int().min(1),
        error: z.string(),
      }),
      z.strictObject({ name: stageName, status: z.literal('not_run'), exit_code: z.null() }),
    ]),
  ),
  summary: z.strictObject({
    total: z.int().min(0),
    passed: z.int().min(0),
    failed: z.int().min(0),
    exit_code: z.int().min(0),
  }),
  /** The outcome, or DETACHED while the conductor has the run. */
  status: z.enum([...outcomes, 'DETACHED']),
  run_id: z.string(),
  trace_id: z.string(),
  /** Of the sessions: 1 where a person called. */
  depth: z.int().min(1),
  elapsed_seconds: z.number().min(0),
  /** Requests for a resolution, relative to the project. */
  refinements: z.array(z.string()),
  /** Refs under which work is kept that was put aside. */
  rescues: z.array(z.string()),
  /** Why it did not succeed; null: it did, or it has not ended. */
  message: z.string().nullable(),
  also_continues: alsoContinuesForm,
});

/** Each line on standard error meanwhile. Further members depend on the type. */
export const spawnProgressForm = z.looseObject({
  time: z.iso.datetime(),
  trace_id: z.string(),
  layer: z.enum(allLayers),
  depth: z.int().min(1),
  elapsed_seconds: z.number().min(0),
  run_id: z.string(),
  /** An event of `tutti events --json`, `agent.line` (`--stream`), `warning` or `note`. */
  type: z.string(),
});
