import type { Agent } from '../agent.ts';
import type { GateSpec } from '../flow.ts';
import type { Tier } from '../turn.ts';
import type { ComposeLayer } from './layer.ts';

/*
 * What the files of the compose family define, checked and with every default filled in. Each layer above the executor works in
 * one of two modes: in tool mode it is a configuration that code follows, in agent mode a system prompt.
 */

interface Named {
  readonly name: string;
  readonly description: string;
  /** The file it was read from, relative to the project, or `built-in`. */
  readonly source: string;
}

/** Layer 1: one kind of work, bound to a fixed system prompt and a vocabulary of actions. */
export interface ExecutorDefinition extends Named {
  readonly layer: 'executor';
  readonly agent: Agent;
  readonly vocabulary: Vocabulary;
}

type Vocabulary =
  | { readonly kind: 'closed'; readonly actions: readonly ExecutorAction[] }
  /** An agent, skill or command of the project, which declares no actions: every word is one, by the same rules. */
  | { readonly kind: 'open'; readonly rules: ActionRules };

export interface ActionRules {
  readonly tier: Tier;
  /** Globs of the files that the action may write, relative to its directory; null: any file there. */
  readonly writes: readonly string[] | null;
  readonly gates: readonly GateSpec[];
  readonly timeoutMs: number;
}

export interface ExecutorAction extends ActionRules {
  readonly name: string;
  readonly description: string;
  readonly args: readonly ActionArgument[];
  /** The words of which the answer must be one; empty: the action answers with its status only. */
  readonly answers: readonly string[];
}

interface ActionArgument {
  readonly name: string;
  readonly required: boolean;
}

/** Layers 2 to 4 in agent mode: a model whose only tool is the layer below. */
export interface PromptedLayer {
  readonly mode: 'agent';
  readonly agent: Agent;
  /** Null: no deadline of its own. */
  readonly timeoutMs: number | null;
}

/** One of several parts that a layer runs in order. */
export interface Part {
  readonly name: string;
  readonly args: readonly string[];
  /** Null: the part before it. Empty: it starts at once. */
  readonly needs: readonly string[] | null;
  /** A part that is not required may fail without failing the whole. */
  readonly required: boolean;
  /** Null: no deadline of its own. */
  readonly timeoutMs: number | null;
}

/** Layer 2: stages, each of which calls an executor. */
interface OrchestratorDefinition extends Named {
  readonly layer: 'orchestrator';
  readonly work: StageSequence | PromptedLayer;
}

export interface StageSequence {
  readonly mode: 'tool';
  readonly stages: readonly Stage[];
  /** Names of stages by modifier. `full` means every stage unless the file defines it. */
  readonly modifiers: Readonly<Record<string, readonly string[]>>;
}

export interface Stage extends Part {
  readonly executor: string;
  /** Null: the tier of the action. */
  readonly tier: Tier | null;
  readonly retryMax: number;
  readonly timeoutMs: number;
  /** Earlier stages whose status, paths and summary become part of the prompt. */
  readonly inputs: readonly string[];
  readonly onDepth: OnDepth;
  /** May share one turn with the stages that remain. */
  readonly compressible: boolean;
}

/** What a stage does when the remaining depth is too small for it. */
export const onDepthChoices = ['compress', 'abort', 'escalate'] as const;
type OnDepth = (typeof onDepthChoices)[number];

/** Layer 3: phases, each of which calls an orchestrator. */
interface CoordinatorDefinition extends Named {
  readonly layer: 'coordinator';
  readonly work: PhaseGraph | PromptedLayer;
}

export interface PhaseGraph {
  readonly mode: 'tool';
  readonly phases: readonly CoordinatorPhase[];
}

export interface CoordinatorPhase extends Part {
  readonly orchestrator: string;
  readonly modifier: string;
  readonly retryMax: number;
}

/** Layer 4: phases, each of which calls a coordinator and is verified afterwards. */
interface CampaignDefinition extends Named {
  readonly layer: 'campaign';
  readonly work: VerifiedPhases | PromptedLayer;
}

export interface VerifiedPhases {
  readonly mode: 'tool';
  readonly phases: readonly CampaignPhase[];
  readonly sentinel: SentinelSpec;
  readonly approvals: readonly PersonApproval[];
  /** Convergence; null: the phases run once. */
  readonly until: Convergence | null;
}

interface CampaignPhase extends Part {
  readonly coordinator: string;
}

/** The verification loop after each phase and after each refinement. */
export interface SentinelSpec {
  readonly checks: readonly SentinelCheck[];
  /** The executor that compares the results with the specification. It is never the author of the work. */
  readonly auditor: string;
  /** Null: the tier of its action. */
  readonly auditorTier: Tier | null;
  /** Null: the driver of the executor. */
  readonly auditorDriver: string | null;
  /** Whether findings that do not block are fixed as well. */
  readonly fixWarnings: boolean;
}

/** A command that Tutti runs, never an agent. */
export interface SentinelCheck {
  readonly name: string;
  /** The program whose verdict it is, for people: `tsc`, `ruff`. */
  readonly tool: string;
  readonly argv: readonly [string, ...string[]];
  readonly severity: CheckSeverity;
  readonly errors: ErrorCount;
  readonly timeoutMs: number;
}

export const checkSeverities = ['blocking', 'warning'] as const;
type CheckSeverity = (typeof checkSeverities)[number];

/** How the errors of a check are counted. A command that fails has at least one. */
export type ErrorCount =
  /** One if the command fails. */
  | { readonly by: 'exit' }
  /** Lines of output that are not empty. */
  | { readonly by: 'lines' }
  /** Lines of output that match a regular expression. */
  | { readonly by: 'pattern'; readonly pattern: string }
  /** A number in the JSON that the command prints: `summary.errors`. */
  | { readonly by: 'json'; readonly member: string };

/** A point where a person must approve. */
export interface PersonApproval {
  readonly when: 'before' | 'after';
  readonly phase: string;
  readonly question: string;
}

export interface Convergence {
  readonly gates: readonly GateSpec[];
  /** How often all phases run at most. */
  readonly rounds: number;
}

export type Definition =
  | ExecutorDefinition
  | OrchestratorDefinition
  | CoordinatorDefinition
  | CampaignDefinition;

/** The definition of a name in a layer, wherever it comes from. */
export interface DefinitionLibrary {
  readonly find: (layer: ComposeLayer, name: string) => Definition | null;
  readonly names: (layer: ComposeLayer) => readonly string[];
}
