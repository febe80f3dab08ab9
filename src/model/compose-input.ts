import { type Json, plain } from '../lib/json.ts';
import { addContext, type CallPlace } from './compose/call-place.ts';
import {
  callIdentity,
  executorStep,
  type ExecutorInput,
  type ExecutorValue,
} from './compose/executor-call.ts';
import { type OrchestratorInput, type OrchestratorValue, stageStep } from './compose/orchestrator-call.ts';
import type { Failure } from './failure.ts';
import type { AgentSnapshot } from './flow.ts';
import type { Outcome } from './outcome.ts';
import type { Tier } from './turn.ts';

/** The input of the workflow `compose`, by the layer that was called. */
export type ComposeInput = SpawnInput | ExecutorInput | OrchestratorInput;

/** The value of its run. */
export type ComposeValue = SpawnValue | ExecutorValue | OrchestratorValue;

/** Id of the only step of a spawn. */
export const spawnStep = 'spawn';

/** One turn of an agent that a caller describes (`tutti spawn`). */
export interface SpawnInput extends CallPlace {
  readonly layer: 'primitive';
  readonly prompt: string;
  readonly call: SpawnCall;
  /** The agent that the call describes, ready to run here. */
  readonly agent: AgentSnapshot;
  readonly timeoutMs: number;
}

/**
 * The agent as its caller described it. The key of the turn covers this description and not the snapshot: an edited AGENTS.md or
 * another default driver pays for no finished call again.
 */
interface SpawnCall {
  readonly systemPrompt: string;
  readonly tier: Tier;
  /** Null: that of the tier. */
  readonly model: string | null;
  /** Null: those of an executor. */
  readonly tools: readonly string[] | null;
  /** Null: the default of the project. */
  readonly driver: string | null;
}

/** How a spawn ended: the value of its run. */
export interface SpawnValue {
  readonly layer: 'primitive';
  readonly outcome: Outcome;
  readonly failure: Failure | null;
  readonly sessionId: string;
  /** The agent's own account; the last words of an agent that gave none. */
  readonly summary: string;
  /** Files that the agent names as its work. */
  readonly artifacts: readonly string[];
}

/** Everything that makes a call a different one. Names of files are no part of it. */
export function spawnIdentity({ layer, cwd, prompt, call, context }: SpawnInput): Json {
  return plain({ layer, cwd, prompt, call, context: context.map(({ text }) => text) });
}

export function spawnPrompt({ prompt, context }: Pick<SpawnInput, 'prompt' | 'context'>): string {
  return addContext(prompt, context);
}

/** What makes each step of a call a different one, by the id of the step. */
export function identifySteps(input: ComposeInput): ReadonlyMap<string, Json> {
  switch (input.layer) {
    case 'primitive':
      return new Map([[spawnStep, spawnIdentity(input)]]);
    case 'executor':
      return new Map([[executorStep(input), callIdentity(input.call, input)]]);
    case 'orchestrator':
      return new Map(
        input.stages.map(({ name, call }) => [
          stageStep(input.orchestrator, name),
          callIdentity(call, input),
        ]),
      );
  }
}

/** What a step of a call may write, as patterns in its directory; null: any file there. */
export function writesOfStep(input: ComposeInput, step: string): readonly string[] | null {
  switch (input.layer) {
    case 'primitive':
      return null;
    case 'executor':
      return input.call.rules.writes;
    case 'orchestrator': {
      const stage = input.stages.find(({ name }) => stageStep(input.orchestrator, name) === step);
      return stage?.call.rules.writes ?? null;
    }
  }
}
