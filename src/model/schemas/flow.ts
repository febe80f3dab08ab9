import * as z from 'zod';
import type { Flow, FlowStep, FlowWork } from '../flow.ts';
import { gateForm, gateOf } from './gate.ts';
import {
  argv,
  duration,
  filledText,
  jsonSchemaLink,
  list,
  members,
  pathBelow,
  positiveAmount,
  present,
  safeName,
  text,
  wholeNumber,
  yesOrNo,
} from './basic-shapes.ts';

/** Where the words for an agent stand. */
export type PromptForm = { readonly text: string } | { readonly file: string };

type WorkForm =
  | Extract<FlowWork, { kind: 'command' }>
  | { readonly kind: 'agent'; readonly agent: string; readonly prompt: PromptForm };

const stepMembers = members({
  id: safeName(),
  needs: list(safeName(), 'a list of step ids').optional(),
  command: argv().optional(),
  agent: safeName().optional(),
  prompt: filledText('the prompt for the agent').optional(),
  prompt_file: filledText('the path of a file with the prompt').optional(),
  cwd: pathBelow('the project').optional(),
  inputs: list(filledText('a pattern of file names'), 'a list of patterns of file names').optional(),
  gates: list(gateForm, 'a list of gates').optional(),
  retry: members({ max: wholeNumber(0, 10) }).optional(),
  timeout: duration.optional(),
  required: yesOrNo().optional(),
  estimate: duration.optional(),
});

const stepForm = stepMembers
  .meta({
    oneOf: [
      { required: ['command'] },
      { required: ['agent'], oneOf: [{ required: ['prompt'] }, { required: ['prompt_file'] }] },
    ],
  })
  .transform((form, context) => ({
    ...form,
    work: workOf(form, (path, message) => {
      context.addIssue({ code: 'custom', path: [...path], message });
    }),
  }));

/** A flow file as its author writes it. */
export const flowForm = members({
  $schema: jsonSchemaLink,
  name: text()
    .regex(/^[^\p{Cc}]{1,100}$/u, 'must be one line of at most 100 characters')
    .optional(),
  concurrency: wholeNumber(1, 1000).optional(),
  budget: members({
    launches: wholeNumber(0, 1_000_000).optional(),
    tokens: wholeNumber(0, Number.MAX_SAFE_INTEGER).optional(),
    cost_usd: positiveAmount().optional(),
    wall: duration.optional(),
    depth: wholeNumber(0, 100).optional(),
  }).optional(),
  steps: list(stepForm, 'a list of steps').min(1, 'must have at least one step'),
});

export type FlowForm = z.output<typeof flowForm>;
/** Fills in every default. `textOf` gives the words of a prompt, wherever they stand. */
export function flowOf(form: FlowForm, fallbackName: string, textOf: (prompt: PromptForm) => string): Flow {
  const { launches, tokens, cost_usd: costUsd, wall: wallMs, depth } = form.budget ?? {};
  return {
    name: form.name ?? fallbackName,
    concurrency: form.concurrency ?? 3,
    budget: present({ launches, tokens, costUsd, wallMs, depth }),
    steps: form.steps.map((step) => stepOf(step, textOf)),
  };
}

function stepOf(form: z.output<typeof stepForm>, textOf: (prompt: PromptForm) => string): FlowStep {
  const { work } = form;
  return {
    id: form.id,
    needs: form.needs ?? [],
    work: work.kind === 'agent' ? { ...work, prompt: textOf(work.prompt) } : work,
    cwd: form.cwd ?? '.',
    inputs: form.inputs ?? [],
    gates: (form.gates ?? []).map(gateOf),
    // A program that failed on the same files fails again; an agent that is told why it failed may not.
    retryMax: form.retry?.max ?? (work.kind === 'agent' ? 2 : 0),
    timeoutMs: form.timeout ?? null,
    required: form.required ?? true,
    estimateMs: form.estimate ?? null,
  };
}

type Say = (path: readonly (string | number)[], message: string) => void;

/** A step runs a command or an agent, and says only what goes with it. */
function workOf(form: z.output<typeof stepMembers>, say: Say): WorkForm {
  const { command, agent, prompt, prompt_file: file } = form;
  if (agent !== undefined) {
    if (command !== undefined) say([], 'must have "command" or "agent", not both');
    for (const [at, gate] of (form.gates ?? []).entries()) {
      if (gate.verifier === agent)
        say(['gates', at, 'verifier'], 'must be another agent than that of the step');
    }
    return { kind: 'agent', agent, prompt: promptOf(prompt, file, say) };
  }
  if (command === undefined) {
    say([], 'must have "command" or "agent"');
    return z.NEVER;
  }
  for (const name of ['prompt', 'prompt_file'] as const) {
    if (form[name] !== undefined) say([name], 'is for a step with "agent"');
  }
  for (const [index, gate] of (form.gates ?? []).entries()) {
    if (gate.tools !== undefined) say(['gates', index, 'tools'], 'is for a step with "agent"');
  }
  return { kind: 'command', argv: command };
}

function promptOf(words: string | undefined, file: string | undefined, say: Say): PromptForm {
  if (words !== undefined) {
    if (file !== undefined) say(['prompt_file'], 'does not go with "prompt"');
    return { text: words };
  }
  if (file !== undefined) return { file };
  say(['agent'], 'needs "prompt" or "prompt_file"');
  return z.NEVER;
}
