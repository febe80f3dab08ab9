import type * as z from 'zod';
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
} from './leaf.ts';

const stepForm = members({
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
})
  .superRefine((form, context) => {
    const say = (path: readonly (string | number)[], message: string): void => {
      context.addIssue({ code: 'custom', path: [...path], message });
    };
    if (form.command !== undefined && form.agent !== undefined) say([], 'must have "command" or "agent", not both');
    if (form.command === undefined && form.agent === undefined) say([], 'must have "command" or "agent"');
    const prompts = (['prompt', 'prompt_file'] as const).filter((name) => form[name] !== undefined);
    if (form.agent !== undefined && prompts.length === 0) say(['agent'], 'needs "prompt" or "prompt_file"');
    if (form.agent !== undefined && prompts.length === 2) say(['prompt_file'], 'does not go with "prompt"');
    if (form.agent !== undefined) return;
    for (const name of prompts) say([name], 'is for a step with "agent"');
    for (const [index, gate] of (form.gates ?? []).entries()) {
      if (gate.tools !== undefined) say(['gates', index, 'tools'], 'is for a step with "agent"');
    }
  })
  .meta({
    oneOf: [
      { required: ['command'] },
      { required: ['agent'], oneOf: [{ required: ['prompt'] }, { required: ['prompt_file'] }] },
    ],
  });

/** A flow file as its author writes it. */
export const flowForm = members({
  $schema: jsonSchemaLink,
  name: text().regex(/^[^\p{Cc}]{1,100}$/u, 'must be one line of at most 100 characters').optional(),
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
export type StepForm = z.output<typeof stepForm>;

/** Fills in every default. `promptOf` gives the text of a step's prompt, wherever it is written. */
export function flowOf(form: FlowForm, fallbackName: string, promptOf: (step: StepForm) => string): Flow {
  const { launches, tokens, cost_usd: costUsd, wall: wallMs, depth } = form.budget ?? {};
  return {
    name: form.name ?? fallbackName,
    concurrency: form.concurrency ?? 3,
    budget: present({ launches, tokens, costUsd, wallMs, depth }),
    steps: form.steps.map((step) => stepOf(step, promptOf)),
  };
}

function stepOf(form: StepForm, promptOf: (step: StepForm) => string): FlowStep {
  const work = workOf(form, promptOf);
  return {
    id: form.id,
    needs: form.needs ?? [],
    work,
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

function workOf(form: StepForm, promptOf: (step: StepForm) => string): FlowWork {
  const { agent, command } = form;
  if (command !== undefined) return { kind: 'command', argv: command };
  return { kind: 'agent', agent: agent ?? '', prompt: promptOf(form) };
}
