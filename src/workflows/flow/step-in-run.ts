import type { Json } from '../../lib/json.ts';
import type { Ctx, OperationOptions } from '../../kernel/ctx.ts';
import type { FlowInput, FlowStep } from '../../model/flow.ts';
import { keyOf } from '../../model/key.ts';

/** One step of one run: what it is, and what it stands on. */
export interface StepInRun {
  readonly step: FlowStep;
  readonly input: FlowInput;
  /** Digests of what the steps it needs produced. */
  readonly upstream: Readonly<Record<string, string>>;
  readonly priority: number;
}

/** Parts of a step that is under way go before steps that have not begun. */
const begun = 1_000_000;

export function workspaceOf({ step, input }: StepInRun): string {
  return step.cwd === '.' || step.cwd === '' ? input.projectDir : `${input.projectDir}/${step.cwd}`;
}

export function optionsOf(
  place: StepInRun,
  part: 'first' | 'later',
  timeoutMs: number | null,
): OperationOptions {
  const priority = part === 'first' ? place.priority : place.priority + begun;
  return { workspace: workspaceOf(place), priority, timeoutMs };
}

/**
 * Contents of the declared input files, read where they are. The digest taken when the run was started or amended is part
 * of the key, so that a file somebody edited meanwhile is read again.
 */
export async function inputDigest(ctx: Ctx, place: StepInRun): Promise<string> {
  const { step, input, upstream } = place;
  if (step.inputs.length === 0) return '';
  const submitted = input.inputDigests[step.id] ?? '';
  const key = keyOf(`${step.id}/inputs`, { globs: step.inputs, submitted, upstream, cwd: step.cwd });
  return ctx.operation(key, 'digest', { globs: step.inputs }, optionsOf(place, 'later', null));
}

/** What makes this step this step: a change here is a different key, and nothing else is. */
export function identityOf({ step, upstream }: StepInRun, inputs: string): { readonly [name: string]: Json } {
  return { cwd: step.cwd, inputs, upstream };
}
