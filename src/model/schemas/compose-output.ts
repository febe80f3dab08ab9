import * as z from 'zod';
import { checkSeverities, onDepthChoices } from '../compose/definition.ts';
import { allLayers, callingLayers, composeLayers } from '../compose/layer.ts';
import { lintRules } from '../compose/lint-rules.ts';
import { recorded } from '../../lib/json.ts';
import type { LintRuleId } from '../compose/lint-rules.ts';
import { outcomes } from '../outcome.ts';
import { propagations } from '../propagation.ts';
import { permissions } from '../session-prompt.ts';
import { tiers } from '../turn.ts';

const layer = z.enum(composeLayers);
const tier = z.enum(tiers);
const texts = z.array(z.string());
const count = z.int().min(0);

/** `tool` follows a configuration, `agent` a system prompt; null for executors, which have no mode. */
const mode = z.enum(['tool', 'agent']).nullable();

/** `tutti compose list --json`: each line. */
export const composeRowForm = z.strictObject({
  layer,
  name: z.string(),
  mode,
  description: z.string(),
  /** Relative to the project, or `built-in`. */
  file: z.string(),
});

/** `tutti compose lint --json`: each line. */
export const composeFindingForm = z.strictObject({
  rule: z.enum(recorded<LintRuleId[]>(Object.keys(lintRules))),
  severity: z.enum(['error', 'advice']),
  file: z.string().nullable(),
  line: count.nullable(),
  column: count.nullable(),
  message: z.string(),
});

/** `tutti compose new --json`. */
export const composeNewForm = z.strictObject({ layer, name: z.string(), mode, file: z.string() });

const reaction = z.enum(propagations);

/** `tutti compose exits --json`: each line. */
export const composeExitForm = z.strictObject({
  code: count,
  outcome: z.enum(outcomes),
  raised_by: z.array(z.enum(allLayers)),
  /** What each layer does when the layer below ends with this code. */
  orchestrator: reaction,
  coordinator: reaction,
  campaign: reaction,
});

const gate = z.strictObject({
  kind: z.enum(['file', 'command', 'schema', 'diff', 'tools', 'verifier', 'approval']),
  path: z.string().optional(),
  command: texts.optional(),
  timeout_ms: count.optional(),
  schema: z.string().optional(),
  min: count.optional(),
  agent: z.string().optional(),
  question: z.string().optional(),
});

const head = {
  name: z.string(),
  description: z.string(),
  file: z.string(),
  /** The depth that a run of it should be allowed. */
  recommended_depth: count,
} as const;

const agentMembers = {
  tier,
  /** Null: the default of the project. */
  driver: z.string().nullable(),
  /** Null: that of the tier. */
  model: z.string().nullable(),
  system_prompt: z.string(),
} as const;

const executor = z.strictObject({
  layer: z.literal('executor'),
  mode: z.null(),
  ...head,
  ...agentMembers,
  tools: texts,
  skills: texts,
  allow: z.array(z.enum(permissions)),
  /** Null: every word is an action. */
  actions: z
    .array(
      z.strictObject({
        name: z.string(),
        description: z.string(),
        tier,
        args: z.array(z.strictObject({ name: z.string(), required: z.boolean() })),
        answers: texts,
        writes: texts.nullable(),
        gates: z.array(gate),
        timeout_ms: count,
      }),
    )
    .nullable(),
});

const prompted = z.strictObject({
  layer: z.enum(callingLayers),
  mode: z.literal('agent'),
  ...head,
  ...agentMembers,
  timeout_ms: count.nullable(),
});

const part = {
  name: z.string(),
  args: texts,
  needs: texts,
  required: z.boolean(),
  timeout_ms: count.nullable(),
} as const;

const orchestrator = z.strictObject({
  layer: z.literal('orchestrator'),
  mode: z.literal('tool'),
  ...head,
  stages: z.array(
    z.strictObject({
      ...part,
      executor: z.string(),
      /** Null: that of the action. */
      tier: tier.nullable(),
      retry: count,
      inputs: texts,
      on_depth: z.enum(onDepthChoices),
      compressible: z.boolean(),
    }),
  ),
  modifiers: z.record(z.string(), texts),
});

const coordinator = z.strictObject({
  layer: z.literal('coordinator'),
  mode: z.literal('tool'),
  ...head,
  phases: z.array(z.strictObject({ ...part, orchestrator: z.string(), modifier: z.string(), retry: count })),
});

const campaign = z.strictObject({
  layer: z.literal('campaign'),
  mode: z.literal('tool'),
  ...head,
  phases: z.array(z.strictObject({ ...part, coordinator: z.string() })),
  sentinel: z.strictObject({
    checks: z.array(
      z.strictObject({
        name: z.string(),
        tool: z.string(),
        command: texts,
        severity: z.enum(checkSeverities),
        errors: z.union([
          z.strictObject({ by: z.enum(['exit', 'lines']) }),
          z.strictObject({ by: z.literal('pattern'), pattern: z.string() }),
          z.strictObject({ by: z.literal('json'), member: z.string() }),
        ]),
        timeout_ms: count,
      }),
    ),
    auditor: z.string(),
    auditor_tier: tier.nullable(),
    auditor_driver: z.string().nullable(),
    fix_warnings: z.boolean(),
  }),
  approvals: z.array(
    z.strictObject({ when: z.enum(['before', 'after']), phase: z.string(), question: z.string() }),
  ),
  until: z.strictObject({ gates: z.array(gate), rounds: count }).nullable(),
});

/** `tutti compose show --json`. */
export const composeShowForm = z.union([executor, prompted, orchestrator, coordinator, campaign]);
