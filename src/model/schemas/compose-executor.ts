import type * as z from 'zod';
import { defaultActionTier } from '../compose/action-tier.ts';
import type {
  ActionRules,
  ExecutorAction,
  ExecutorDefinition,
  PromptedLayer,
} from '../compose/definition.ts';
import type { Tier } from '../turn.ts';
import { agentFrontMatterForm, agentFrontMatterOf } from './agent-front-matter.ts';
import {
  duration,
  filledText,
  jsonSchemaLink,
  list,
  members,
  pathBelow,
  safeName,
  text,
} from './basic-shapes.ts';
import {
  type DefinitionHead,
  gates,
  readTierWord,
  sentence,
  tierWord,
  usualTimeoutMs,
  writableGlobs,
} from './compose-shapes.ts';
import { gateOf } from './gate.ts';

const argumentWords = 'the name of an argument, with "?" at its end if it may be left out';

/** What an executor and each of its actions may declare; an action overrides its executor. */
const rulesShape = {
  tier: tierWord.optional(),
  writes: writableGlobs.optional(),
  gates: gates.optional(),
  timeout: duration.optional(),
} as const;

const actionForm = members({
  name: safeName(),
  description: sentence.optional(),
  ...rulesShape,
  args: list(
    text(argumentWords).regex(/^[a-z][a-z0-9_-]{0,39}\??$/, `must be ${argumentWords}`),
    'a list of names of arguments',
  ).optional(),
  answers: list(safeName(), 'a list of words').min(2, 'must have at least two words').optional(),
});

const agentShape = {
  description: sentence.optional(),
  driver: agentFrontMatterForm.shape.driver,
  result: agentFrontMatterForm.shape.result,
  min_tools: agentFrontMatterForm.shape.min_tools,
  tools: agentFrontMatterForm.shape.tools,
  model: agentFrontMatterForm.shape.model,
  skills: agentFrontMatterForm.shape.skills,
  allow: agentFrontMatterForm.shape.allow,
} as const;

const executorShape = {
  ...agentShape,
  ...rulesShape,
  actions: list(actionForm, 'a list of actions').min(1, 'must have at least one action').optional(),
} as const;

/** Front matter of `compose/executors/NAME.md`; the text below it is the system prompt. */
export const executorFrontMatterForm = members({ name: safeName().optional(), ...executorShape });

/** `compose/executors/NAME.yaml` or `.json`. */
export const executorForm = members({
  $schema: jsonSchemaLink,
  ...executorShape,
  system_prompt: filledText('the system prompt').optional(),
  system_prompt_file: pathBelow('the folder of this file')
    .refine((path) => path.includes('/'), 'must be in a folder beside this file, such as prompts/NAME.md')
    .optional(),
})
  .superRefine((form, context) => {
    const { system_prompt: prompt, system_prompt_file: file } = form;
    if (prompt === undefined && file === undefined)
      context.addIssue({ code: 'custom', message: 'must have "system_prompt" or "system_prompt_file"' });
    if (prompt !== undefined && file !== undefined) {
      const message = 'does not go with "system_prompt"';
      context.addIssue({ code: 'custom', path: ['system_prompt_file'], message });
    }
  })
  .meta({ oneOf: [{ required: ['system_prompt'] }, { required: ['system_prompt_file'] }] });

type ExecutorMembers = Omit<z.output<typeof executorFrontMatterForm>, 'name'>;

/** An executor without actions accepts every word as one. */
export function buildExecutor(
  form: ExecutorMembers,
  { name, source }: DefinitionHead,
  systemPrompt: string,
): ExecutorDefinition {
  const front = agentFrontMatterOf(form);
  const tierOfModel = readTierWord(front.model);
  const chosen = form.tier ?? tierOfModel;
  const agent = {
    name,
    source,
    systemPrompt,
    ...front,
    tier: chosen ?? front.tier,
    model: tierOfModel === null ? front.model : null,
  };
  return {
    layer: 'executor',
    name,
    description: front.description,
    source,
    agent,
    vocabulary:
      form.actions === undefined
        ? { kind: 'open', rules: buildRules(form, agent.tier) }
        : { kind: 'closed', actions: form.actions.map((action) => buildAction(action, form, chosen)) },
  };
}

/** An action inherits from its executor what it does not say itself. */
function buildAction(
  form: z.output<typeof actionForm>,
  executor: ExecutorMembers,
  tier: Tier | null,
): ExecutorAction {
  return {
    name: form.name,
    description: form.description ?? '',
    args: (form.args ?? []).map((argument) => ({
      name: argument.replace('?', ''),
      required: !argument.endsWith('?'),
    })),
    answers: form.answers ?? [],
    ...buildRules(
      {
        writes: form.writes ?? executor.writes,
        gates: form.gates ?? executor.gates,
        timeout: form.timeout ?? executor.timeout,
      },
      form.tier ?? tier ?? defaultActionTier(form.name),
    ),
  };
}

function buildRules(
  { writes, gates: declared, timeout }: Pick<ExecutorMembers, 'writes' | 'gates' | 'timeout'>,
  tier: Tier,
): ActionRules {
  return {
    tier,
    writes: writes ?? null,
    gates: (declared ?? []).map(gateOf),
    timeoutMs: timeout ?? usualTimeoutMs,
  };
}

/** Rules of an agent, a skill or a command of the project that is used as an executor. */
export function openRules(tier: Tier): ActionRules {
  return buildRules({}, tier);
}

/** Front matter of a system prompt of layers 2 to 4. */
export const layerFrontMatterForm = members({
  name: safeName().optional(),
  description: sentence.optional(),
  tier: tierWord.optional(),
  driver: agentFrontMatterForm.shape.driver,
  model: agentFrontMatterForm.shape.model,
  timeout: duration.optional(),
});

/** A layer in agent mode: its decisions need the high tier, and it may change no file. */
export function buildPromptedLayer(
  form: z.output<typeof layerFrontMatterForm>,
  { name, source }: DefinitionHead,
  systemPrompt: string,
): PromptedLayer {
  const front = agentFrontMatterOf({ description: form.description, driver: form.driver, model: form.model });
  const tierOfModel = readTierWord(front.model);
  return {
    mode: 'agent',
    agent: {
      name,
      source,
      systemPrompt,
      ...front,
      tier: form.tier ?? tierOfModel ?? 'high',
      model: tierOfModel === null ? front.model : null,
      allow: [],
    },
    timeoutMs: form.timeout ?? null,
  };
}
