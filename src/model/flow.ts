import type { BudgetLimits } from './budget.ts';
import type { Tier, TurnRole } from './turn.ts';

/** A graph of steps as its author wrote it, checked and with every default filled in. */
export interface Flow {
  readonly name: string;
  readonly concurrency: number;
  readonly budget: Partial<BudgetLimits>;
  readonly steps: readonly FlowStep[];
}

export interface FlowStep {
  readonly id: string;
  readonly needs: readonly string[];
  readonly work: FlowWork;
  /** Directory the step works in, relative to the project. */
  readonly cwd: string;
  /** Globs, relative to `cwd`: a change of these files is a change of the step. */
  readonly inputs: readonly string[];
  readonly gates: readonly GateSpec[];
  readonly retryMax: number;
  readonly timeoutMs: number | null;
  /** A step that is not required may fail without failing the run. */
  readonly required: boolean;
  /** How long it may take, if the author knows; orders steps when slots are short. */
  readonly estimateMs: number | null;
}

export type FlowWork =
  /** An operation: no agent, no session, no depth. */
  | { readonly kind: 'command'; readonly argv: readonly [string, ...string[]] }
  | { readonly kind: 'agent'; readonly agent: string; readonly prompt: string };

/** Code that decides from evidence; the evidence is recorded. */
export type GateSpec =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'command'; readonly argv: readonly [string, ...string[]]; readonly timeoutMs: number }
  | { readonly kind: 'schema'; readonly path: string; readonly schema: string }
  /** The working directory differs from its last commit. */
  | { readonly kind: 'diff' }
  /** The agent used at least this many tools. */
  | { readonly kind: 'tools'; readonly min: number }
  /** An agent that did not do the work accepts it. */
  | { readonly kind: 'verifier'; readonly agent: string }
  /** A person says yes. */
  | { readonly kind: 'approval'; readonly question: string };

/** Agent definitions and driver choices, taken once when the run starts: later edits do not reach it. */
export interface AgentSnapshot {
  readonly name: string;
  readonly systemPrompt: string;
  readonly driver: string;
  readonly tier: Tier;
  readonly result: 'required' | 'optional';
  /** Only where the agent's file says it: what is part of a snapshot is part of what its steps stand on. */
  readonly minTools?: number;
  readonly startsSessions?: true;
  /** Of an agent that may change no code. */
  readonly role?: TurnRole;
  readonly tools?: readonly string[];
  readonly model?: string;
}

export function commandOfGate(gate: GateSpec): readonly (readonly string[])[] {
  return gate.kind === 'command' ? [gate.argv] : [];
}

export function verifierOfGate(gate: GateSpec): readonly string[] {
  return gate.kind === 'verifier' ? [gate.agent] : [];
}

/** Agents of a step: the one that works, and those that judge. */
export function agentsOfStep({ work, gates }: FlowStep): readonly string[] {
  const judges = gates.flatMap(verifierOfGate);
  return work.kind === 'agent' ? [work.agent, ...judges] : judges;
}

/** The input of the `flow` workflow: everything it may depend on. */
export interface FlowInput {
  readonly flow: Flow;
  /** The file it was read from, relative to the project where it is inside. Absent: an earlier release. */
  readonly file?: string;
  readonly projectDir: string;
  readonly agents: Readonly<Record<string, AgentSnapshot>>;
  /** Digest of each step's input files when the run was started or amended. */
  readonly inputDigests: Readonly<Record<string, string>>;
  /** For turns whose step sets no timeout of its own. */
  readonly sessionTimeoutMs: number;
}
