import { getKnown } from '../../lib/get-known.ts';
import { type Json, plain } from '../../lib/json.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { Failure } from '../failure.ts';
import type { AgentSnapshot } from '../flow.ts';
import { fence } from '../heal-prompt.ts';
import type { BadOutcome, Outcome } from '../outcome.ts';
import { type Tier, tiers } from '../turn.ts';
import type { CallPlace } from './call-place.ts';
import { type ChosenStage, listBefore } from './choose-stages.ts';
import type { CallEnd, ExecutorCall } from './executor-call.ts';
import { isNeverAbsorbed } from './part-summary.ts';
import type { StageManifest } from './stage-manifest.ts';
import type { WriteScope } from './write-scope.ts';

/** A stage with the call that it makes. */
export interface StageCall
  extends Pick<
    ChosenStage,
    'name' | 'needs' | 'inputs' | 'required' | 'retryMax' | 'onDepth' | 'compressible'
  > {
  readonly call: ExecutorCall;
}

/** `tutti orchestrator` in tool mode: stages in one run. */
export interface OrchestratorInput extends CallPlace {
  readonly layer: 'orchestrator';
  /** The beginning of its command: `orchestrator ospec`. */
  readonly source: string;
  readonly orchestrator: string;
  readonly modifier: string;
  /** Those of the modifier, in its order. */
  readonly stages: readonly StageCall[];
  /** Agents that judge work (`verifier` gates), by name. */
  readonly judges: Readonly<Record<string, AgentSnapshot>>;
  /** How many levels of sessions fit below the caller. */
  readonly levels: number;
}

/** How a stage ended. */
export type StageEnd =
  | {
      readonly at: 'ended';
      readonly name: string;
      readonly end: CallEnd;
      /** Of what it produced: stages that stand on it run again only when this changes. */
      readonly digest: string;
    }
  /** Something that it needs did not succeed, or ended everything. */
  | { readonly at: 'not-run'; readonly name: string; readonly because: string };

/** The value of a run of an orchestrator. */
export interface OrchestratorValue {
  readonly layer: 'orchestrator';
  readonly orchestrator: string;
  readonly outcome: Outcome;
  readonly failure: Failure | null;
  readonly manifest: StageManifest;
  readonly stages: readonly StageEnd[];
  /** The request for a resolution of the whole; null: it succeeded, or partly. */
  readonly refinement: string | null;
}

/** Id of the step of a stage. */
export function stageStep(orchestrator: string, stage: string): string {
  return `${orchestrator}.${stage}`;
}

/** Whether a stage may begin after this end of one that it needs. */
export function allowsNext(end: StageEnd, required: boolean): boolean {
  if (end.at === 'not-run') return false;
  const { outcome } = end.end;
  return outcome === 'SUCCESS' || (!required && !isNeverAbsorbed(outcome));
}

/** By stage, the scopes of the stages that may be at work at the same time. */
export function listScopesBeside({
  stages,
  cwd,
}: Pick<OrchestratorInput, 'stages' | 'cwd'>): ReadonlyMap<string, readonly WriteScope[]> {
  const before = listBefore(stages.map(({ name, needs }) => ({ id: name, needs })));
  const isOrdered = (one: string, other: string): boolean =>
    one === other || getKnown(before, one).has(other) || getKnown(before, other).has(one);
  return new Map(
    stages.map(({ name }) => [
      name,
      stages
        .filter((other) => !isOrdered(name, other.name))
        .map(({ call }) => ({ cwd, writes: call.rules.writes })),
    ]),
  );
}

/** Why no session fits for a stage, as the outcome that its definition asks for. */
export function depthOutcome({ onDepth }: Pick<StageCall, 'onDepth'>): BadOutcome {
  return onDepth === 'escalate' ? 'NEEDS_ESCALATION' : 'DEPTH_EXCEEDED';
}

/**
 * The stages as they run at the depth that is left. With one level left, the first stage that asks for it shares one turn with all
 * stages after it, if each of them may: the turn does their work in order. `shared`: the stages whose work that is.
 */
export function compressStages(
  stages: readonly StageCall[],
  levels: number,
): { readonly stages: readonly StageCall[]; readonly shared: readonly string[] } {
  const at = levels === 1 ? stages.findIndex(({ onDepth }) => onDepth === 'compress') : -1;
  const rest = at < 0 ? [] : stages.slice(at);
  const names = new Set(rest.map(({ name }) => name));
  const [first] = rest;
  const kept = stages.slice(0, Math.max(0, at));
  const isClosed = kept.every(({ needs }) => needs.every((need) => !names.has(need)));
  if (first === undefined || rest.length < 2 || !isClosed || !rest.every(({ compressible }) => compressible))
    return { stages, shared: [] };
  const outside = (list: readonly string[]): readonly string[] => [
    ...new Set(list.filter((name) => !names.has(name))),
  ];
  const merged: StageCall = {
    ...first,
    needs: outside(rest.flatMap(({ needs }) => needs)),
    inputs: outside(rest.flatMap(({ inputs }) => inputs)),
    required: rest.some(({ required }) => required),
    call: mergeCalls(
      first.call,
      rest.slice(1).map(({ call }) => call),
    ),
  };
  return { stages: [...kept, merged], shared: [...names] };
}

/** One call that does the work of several: the strongest tier, the scopes, gates and times of all of them. */
function mergeCalls(first: ExecutorCall, others: readonly ExecutorCall[]): ExecutorCall {
  const all = [first, ...others];
  const tier = all.reduce<Tier>(
    (best, { agent }) => (tiers.indexOf(agent.tier) > tiers.indexOf(best) ? agent.tier : best),
    first.agent.tier,
  );
  const prompts = new Set(all.map(({ agent }) => agent.systemPrompt));
  return {
    ...first,
    also: others.map(({ executor, action, args }) => ({ executor, action, args })),
    agent: {
      ...first.agent,
      tier,
      systemPrompt: [...prompts].join('\n\n---\n\n'),
    },
    rules: {
      writes: mergeWrites(all),
      gates: all.flatMap(({ rules }) => rules.gates),
      timeoutMs: all.reduce((sum, { rules }) => sum + rules.timeoutMs, 0),
      answers: [],
    },
  };
}

/** Null as soon as one of them may write any file. */
function mergeWrites(calls: readonly ExecutorCall[]): readonly string[] | null {
  const patterns = new Set<string>();
  for (const { rules } of calls) {
    if (rules.writes === null) return null;
    for (const pattern of rules.writes) patterns.add(pattern);
  }
  return [...patterns];
}

const longestSummary = 2_000;

/** What a stage receives from the stages before it. */
export interface Received {
  /** For the key: a change here is another call. */
  readonly identity: Json;
  /** For the prompt: the status line, the paths and a summary of each input, never the contents of files. */
  readonly blocks: readonly string[];
}

/** What a stage stands on. `ends`: those of all stages before it. */
export function receive(
  { needs, inputs }: Pick<StageCall, 'needs' | 'inputs'>,
  ends: ReadonlyMap<string, StageEnd>,
): Received {
  const digestOf = (name: string): string => {
    const end = getKnown(ends, name);
    return end.at === 'not-run' ? end.at : end.digest;
  };
  const names = [...new Set([...needs, ...inputs])].toSorted();
  return {
    identity: plain(Object.fromEntries(names.map((name) => [name, digestOf(name)]))),
    blocks: inputs.map((name) => describeInput(name, getKnown(ends, name))),
  };
}

function describeInput(name: string, end: StageEnd): string {
  if (end.at === 'not-run') return `## Stage ${name} (data)\n\nStatus: not run`;
  const { outcome, failure, artifacts, summary } = end.end;
  const why = failure === null ? '' : `: ${oneLine(failure.message, 300)}`;
  const files =
    artifacts.length === 0 ? '' : `\n\nFiles:\n${artifacts.map((path) => `- ${path}`).join('\n')}`;
  const said = summary.trim().slice(0, longestSummary);
  const words = said === '' ? '' : `\n\nSummary:\n\n${fence(said)}`;
  return `## Stage ${name} (data)\n\nStatus: ${outcome}${why}${files}${words}`;
}
