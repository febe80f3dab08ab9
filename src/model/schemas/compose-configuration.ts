import * as z from 'zod';
import type {
  Convergence,
  ErrorCount,
  PersonApproval,
  PhaseGraph,
  SentinelCheck,
  SentinelSpec,
  Stage,
  StageSequence,
  VerifiedPhases,
} from '../compose/definition.ts';
import { checkSeverities, onDepthChoices } from '../compose/definition.ts';
import { fullModifier } from '../compose/choose-stages.ts';
import {
  argv,
  duration,
  filledText,
  jsonSchemaLink,
  list,
  members,
  oneOf,
  safeName,
  text,
  wanted,
  wholeNumber,
  yesOrNo,
} from './basic-shapes.ts';
import {
  buildPart,
  gates,
  partShape,
  sentence,
  tierWord,
  toolName,
  usualRetries,
  usualTimeoutMs,
} from './compose-shapes.ts';
import { gateOf } from './gate.ts';

const retry = wholeNumber(0, 10).optional();

const stageForm = members({
  ...partShape,
  executor: toolName,
  tier: tierWord.optional(),
  model: tierWord.optional(),
  retry,
  inputs: list(safeName(), 'a list of stages').optional(),
  on_depth: oneOf(onDepthChoices).optional(),
  compressible: yesOrNo().optional(),
}).superRefine(({ tier, model }, context) => {
  if (tier !== undefined && model !== undefined)
    context.addIssue({ code: 'custom', path: ['model'], message: 'does not go with "tier"' });
});

/** `compose/orchestrators/NAME.yaml` or `.json`. */
export const orchestratorForm = members({
  $schema: jsonSchemaLink,
  description: sentence.optional(),
  stages: list(stageForm, 'a list of stages').min(1, 'must have at least one stage'),
  modifiers: z
    .record(
      safeName(),
      list(safeName(), 'a list of stages').min(1, 'must have at least one stage'),
      wanted('a mapping from modifiers to lists of stages'),
    )
    .optional(),
});

export function buildStages({ stages, modifiers }: z.output<typeof orchestratorForm>): StageSequence {
  return { mode: 'tool', stages: stages.map(buildStage), modifiers: modifiers ?? {} };
}

function buildStage(form: z.output<typeof stageForm>): Stage {
  return {
    ...buildPart(form),
    executor: form.executor,
    tier: form.tier ?? form.model ?? null,
    retryMax: form.retry ?? usualRetries,
    timeoutMs: form.timeout ?? usualTimeoutMs,
    inputs: form.inputs ?? [],
    onDepth: form.on_depth ?? 'abort',
    compressible: form.compressible ?? false,
  };
}

const phases = 'a list of phases';
const onePhase = 'must have at least one phase';

const coordinatorPhaseForm = members({
  ...partShape,
  orchestrator: toolName,
  modifier: safeName().optional(),
  retry,
});

/** `compose/coordinators/NAME.yaml` or `.json`. */
export const coordinatorForm = members({
  $schema: jsonSchemaLink,
  description: sentence.optional(),
  phases: list(coordinatorPhaseForm, phases).min(1, onePhase),
});

export function buildPhases(form: z.output<typeof coordinatorForm>): PhaseGraph {
  return {
    mode: 'tool',
    phases: form.phases.map((phase) => ({
      ...buildPart(phase),
      orchestrator: phase.orchestrator,
      modifier: phase.modifier ?? fullModifier,
      retryMax: phase.retry ?? usualRetries,
    })),
  };
}

const countWords = 'exit, lines, or a mapping with pattern or json';

const errorsForm = z.union(
  [
    oneOf(['exit', 'lines']),
    z.strictObject({ pattern: text().min(1).max(200).refine(isPattern, 'must be a regular expression') }),
    z.strictObject({ json: text().regex(/^[\w-]+(?:\.[\w-]+)*$/) }),
  ],
  wanted(countWords),
);

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, 'u').source !== '';
  } catch {
    return false;
  }
}

const checkForm = members({
  name: safeName(),
  tool: filledText('the name of the program that checks').optional(),
  command: argv(),
  severity: oneOf(checkSeverities).optional(),
  errors: errorsForm.optional(),
  timeout: duration.optional(),
});

/** The verification loop: the commands that Tutti runs, and the executor that judges them. */
const sentinelForm = members({
  checks: list(checkForm, 'a list of checks').min(1, 'must have at least one check'),
  auditor: toolName.optional(),
  auditor_tier: tierWord.optional(),
  auditor_driver: safeName().optional(),
  fix_warnings: yesOrNo().optional(),
});

/** The executor that audits unless the file names another one. */
const usualAuditor = 'evaluator';

function buildSentinel(form: z.output<typeof sentinelForm>): SentinelSpec {
  return {
    checks: form.checks.map(buildCheck),
    auditor: form.auditor ?? usualAuditor,
    auditorTier: form.auditor_tier ?? null,
    auditorDriver: form.auditor_driver ?? null,
    fixWarnings: form.fix_warnings ?? false,
  };
}

function buildCheck(form: z.output<typeof checkForm>): SentinelCheck {
  return {
    name: form.name,
    tool: form.tool ?? form.command[0],
    argv: form.command,
    severity: form.severity ?? 'blocking',
    errors: buildErrorCount(form.errors ?? 'exit'),
    timeoutMs: form.timeout ?? usualTimeoutMs,
  };
}

function buildErrorCount(form: z.output<typeof errorsForm>): ErrorCount {
  if (typeof form === 'string') return { by: form };
  return 'pattern' in form ? { by: 'pattern', pattern: form.pattern } : { by: 'json', member: form.json };
}

const approvalForm = members({
  before: safeName().optional(),
  after: safeName().optional(),
  question: filledText('the question to ask'),
})
  .transform(({ before, after, question }, context): PersonApproval => {
    if (before !== undefined && after === undefined) return { when: 'before', phase: before, question };
    if (after !== undefined && before === undefined) return { when: 'after', phase: after, question };
    context.addIssue({ code: 'custom', message: 'must have either "before" or "after"' });
    return z.NEVER;
  })
  .meta({ oneOf: [{ required: ['before'] }, { required: ['after'] }] });

const untilForm = members({
  gates: gates.min(1, 'must have at least one gate'),
  rounds: wholeNumber(1, 100).optional(),
}).superRefine(({ gates: found }, context) => {
  for (const [at, { tools }] of found.entries()) {
    const path = ['gates', at, 'tools'];
    if (tools !== undefined)
      context.addIssue({ code: 'custom', path, message: 'is for the work of one agent' });
  }
});

/** How often the phases of a campaign run at most, unless its file says otherwise. */
const usualRounds = 3;

const campaignPhaseForm = members({ ...partShape, coordinator: toolName });

/** `compose/campaigns/NAME.yaml` or `.json`. */
export const campaignForm = members({
  $schema: jsonSchemaLink,
  description: sentence.optional(),
  phases: list(campaignPhaseForm, phases).min(1, onePhase),
  sentinel: sentinelForm,
  approvals: list(approvalForm, 'a list of approvals').optional(),
  until: untilForm.optional(),
});

export function buildCampaign(form: z.output<typeof campaignForm>): VerifiedPhases {
  return {
    mode: 'tool',
    phases: form.phases.map((phase) => ({ ...buildPart(phase), coordinator: phase.coordinator })),
    sentinel: buildSentinel(form.sentinel),
    approvals: form.approvals ?? [],
    until: form.until === undefined ? null : buildConvergence(form.until),
  };
}

function buildConvergence({ gates: found, rounds }: z.output<typeof untilForm>): Convergence {
  return { gates: found.map(gateOf), rounds: rounds ?? usualRounds };
}
