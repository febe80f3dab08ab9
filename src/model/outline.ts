import { isObject, type Json, recorded } from '../lib/json.ts';
import { type ComposeInput, type ComposeValue, spawnStep } from './compose-input.ts';
import { executorStep } from './compose/executor-call.ts';
import { stageStep } from './compose/orchestrator-call.ts';
import { listRunFiles, signalStatus } from './compose/run-files.ts';
import type { FamilyName } from './family.ts';
import type { FlowInput, FlowStep } from './flow.ts';
import type { Outcome } from './outcome.ts';
import type { Signal } from './signal.ts';
import { type ExecuteInput, executeNodes } from './plan/execute-input.ts';

/** `blocked`: what it needs did not succeed. `skipped`: a person left it out. `left`: not asked for this time. */
export type StepEnd = 'succeeded' | 'failed' | 'blocked' | 'skipped' | 'left';

/** A step that a run will have, before it has begun. */
export interface OutlineStep {
  readonly id: string;
  readonly needs: readonly string[];
  /** What people call it, where its id does not say it. */
  readonly name?: string;
  /**
   * Which part's success is that of the step: its recorded verdict, whichever was last (absent), the last one but an answer,
   * after which something always follows (`work`), or none: only the end of the run is (`end`).
   */
  readonly proof?: 'verdict' | 'any' | 'work' | 'end';
}

/** The steps of a run, from what is recorded of it: a command that shows a run does not load the workflow. */
export interface Outline {
  /** How each step of the plan ended, from the run's value: after an edit the newest record need not be what counts. */
  stepEnds?(value: Json): ReadonlyMap<string, StepEnd>;
  /** Why steps ended as they did, from the run's value, where none of their parts says it. */
  whyEnded?(value: Json): ReadonlyMap<string, string>;
  /** The steps of the plan, for people who look before anything ran. */
  outline?(input: Json): readonly OutlineStep[];
  /** Files of the run's directory that its value holds, by name. */
  files?(value: Json): ReadonlyMap<string, string>;
  /** The signal of the run as a whole; null: it has none beside those of its steps. */
  signal?(value: Json): RunSignal | null;
}

/** What a signal says about a run that has ended. `path`: one of its files. */
export type RunSignal = Pick<Signal, 'layer' | 'name' | 'status' | 'path'>;

/** Steps of the workflow `plan`, one after another. */
const planSteps = [
  'ingestion',
  'logical',
  'physical',
  'definition',
  'validation',
  'sequencing',
  'approval',
] as const;
export type PlanStep = (typeof planSteps)[number];

export const outlines = {
  flow: {
    outline: (input) =>
      recorded<FlowInput>(input).flow.steps.map((step) => ({
        id: step.id,
        needs: step.needs,
        proof: flowProof(step),
      })),
    stepEnds: (value) =>
      new Map(isObject(value) ? recorded<FlowEnds>(value).steps.map(({ id, at }) => [id, flowEnd(at)]) : []),
  },
  plan: {
    outline: () =>
      planSteps.map((id, index) => ({
        id,
        needs: planSteps.slice(Math.max(0, index - 1), index),
        // An earlier round may have looked up or recorded an approval of other tasks.
        proof: id === 'approval' ? 'end' : 'work',
      })),
    stepEnds: planEnds,
    whyEnded: whyPlanEnded,
  },
  execute: {
    outline: (input) => outlineTasks(recorded<ExecuteInput>(input)),
    stepEnds: (value) =>
      new Map(isObject(value) ? recorded<TaskEnds>(value).tasks.map(({ id, at }) => [id, taskEnd(at)]) : []),
  },
  session: {},
  compose: {
    outline: (input) => outlineCall(recorded<ComposeInput>(input)),
    stepEnds: (value) => new Map(isObject(value) ? endsOfCall(recorded<ComposeValue>(value)) : []),
    whyEnded: (value) => new Map(isObject(value) ? whyStagesEnded(recorded<ComposeValue>(value)) : []),
    files: (value) => new Map(isObject(value) ? listRunFiles(recorded<ComposeValue>(value)) : []),
    signal: (value) => (isObject(value) ? signalOfCall(recorded<ComposeValue>(value)) : null),
  },
} as const satisfies Record<FamilyName, Outline>;

/** By the name that runs are recorded with. */
export const outlinesByName: ReadonlyMap<string, Outline> = new Map(Object.entries(outlines));

/** What is read of the value of each workflow. */
interface FlowEnds {
  readonly steps: readonly { readonly id: string; readonly at: 'succeeded' | 'failed' | 'skipped' }[];
}
interface TaskEnds {
  readonly tasks: readonly { readonly id: string; readonly at: string }[];
}
type PlanEnd =
  | { readonly at: 'planned' }
  | { readonly at: 'refused'; readonly by: string; readonly reason: string }
  | { readonly at: 'failed'; readonly step: PlanStep; readonly failure: { readonly message: string } };

function flowProof({ work, gates }: FlowStep): NonNullable<OutlineStep['proof']> {
  return work.kind === 'command' && gates.length === 0 ? 'any' : 'verdict';
}

/** No person skips a step of a flow. */
function flowEnd(at: FlowEnds['steps'][number]['at']): StepEnd {
  return at === 'skipped' ? 'blocked' : at;
}

function outlineTasks({ tasks }: ExecuteInput): readonly OutlineStep[] {
  return tasks.flatMap((entry) =>
    executeNodes([entry]).map(({ id, needs }) => ({ id, needs, name: entry.task.name, proof: 'verdict' })),
  );
}

function taskEnd(at: string): StepEnd {
  if (at === 'done') return 'succeeded';
  return at === 'left' || at === 'failed' || at === 'blocked' ? at : 'skipped';
}

function outlineCall(input: ComposeInput): readonly OutlineStep[] {
  switch (input.layer) {
    case 'primitive':
      return [{ id: spawnStep, needs: [], proof: 'any' }];
    case 'executor':
      return [{ id: executorStep(input), needs: [], proof: 'verdict' }];
    case 'orchestrator': {
      const idOf = (name: string): string => stageStep(input.orchestrator, name);
      return input.stages.map(({ name, needs }) => ({
        id: idOf(name),
        needs: needs.map(idOf),
        proof: 'verdict',
      }));
    }
  }
}

function endsOfCall(value: ComposeValue): readonly (readonly [string, StepEnd])[] {
  switch (value.layer) {
    case 'primitive':
      return [[spawnStep, endOfOutcome(value)]];
    case 'executor':
      return [[value.step, endOfOutcome(value)]];
    case 'orchestrator':
      return value.stages.map((stage) => [
        stageStep(value.orchestrator, stage.name),
        stage.at === 'ended' ? endOfOutcome(stage.end) : 'blocked',
      ]);
  }
}

function endOfOutcome({ outcome }: { readonly outcome: Outcome }): StepEnd {
  return outcome === 'SUCCESS' ? 'succeeded' : 'failed';
}

/** What no part of a stage says: that it was refused, or what it waited for. */
function whyStagesEnded(value: ComposeValue): readonly (readonly [string, string])[] {
  if (value.layer !== 'orchestrator') return [];
  return value.stages.flatMap((stage): readonly (readonly [string, string])[] => {
    const why = stage.at === 'ended' ? stage.end.failure?.message : `needs ${stage.because}`;
    return why === undefined ? [] : [[stageStep(value.orchestrator, stage.name), why]];
  });
}

/** An orchestrator tells how it ended as its steps do. */
function signalOfCall(value: ComposeValue): RunSignal | null {
  if (value.layer !== 'orchestrator') return null;
  const { orchestrator, outcome } = value;
  return { layer: 'orch', name: orchestrator, status: signalStatus(outcome), path: 'manifest.json' };
}

/** One after another: what comes before the end succeeded, what comes after it never began. */
function planEnds(value: Json): ReadonlyMap<string, StepEnd> {
  if (value === null) return new Map();
  const end = recorded<PlanEnd>(value);
  const last = planSteps.indexOf(end.at === 'failed' ? end.step : 'approval');
  const ends = planSteps.map((step, index): [string, StepEnd] => {
    if (index < last) return [step, 'succeeded'];
    if (index > last) return [step, 'blocked'];
    return [step, end.at === 'planned' ? 'succeeded' : 'failed'];
  });
  return new Map(ends);
}

function whyPlanEnded(value: Json): ReadonlyMap<PlanStep, string> {
  if (value === null) return new Map();
  const end = recorded<PlanEnd>(value);
  if (end.at === 'planned') return new Map();
  if (end.at === 'failed') return new Map([[end.step, end.failure.message]]);
  return new Map([['approval', `refused by ${end.by}${end.reason === '' ? '' : `: ${end.reason}`}`]]);
}
