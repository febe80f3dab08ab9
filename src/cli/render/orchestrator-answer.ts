import { recorded } from '../../lib/json.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import {
  type OrchestratorInput,
  type OrchestratorValue,
  stageStep,
} from '../../model/compose/orchestrator-call.ts';
import type { EndedPart } from '../../model/compose/part-summary.ts';
import { listRunFiles } from '../../model/compose/run-files.ts';
import { buildStageManifest, type StageManifest } from '../../model/compose/stage-manifest.ts';
import type { BadOutcome, Outcome } from '../../model/outcome.ts';
import type { Output } from '../../model/schemas/published.ts';
import type { RunStatus } from '../../app/status/run-status.ts';
import type { StepStatus } from '../../app/status/step-status.ts';
import { pairLines } from './spawn-answer.ts';

/** The one answer of `tutti orchestrator`: its stage manifest, and the run. */
export function orchestratorAnswer(
  status: RunStatus,
  ended: Outcome | 'DETACHED',
  input: OrchestratorInput,
): Output<'orchestrator-answer'> {
  const { run, tookMs, message } = status;
  const value =
    run.state.at === 'ended' && run.state.value !== null
      ? recorded<OrchestratorValue>(run.state.value)
      : null;
  const { orchestrator, stages, summary } = value?.manifest ?? manifestSoFar(status, ended, input);
  const files = value === null ? [] : listRunFiles(value).map(([name]) => name);
  return {
    orchestrator,
    stages: [...stages],
    summary,
    status: ended,
    run_id: run.id,
    trace_id: run.traceId,
    depth: run.depth + 1,
    elapsed_seconds: tookMs / 1000,
    refinements: files
      .filter((name) => name.startsWith('refinements/'))
      .map((name) => `.tutti/runs/${run.id}/${name}`),
    rescues: (value?.stages ?? []).flatMap((stage) => (stage.at === 'ended' ? (stage.end.rescue ?? []) : [])),
    message,
  };
}

/** The manifest of a run that has not ended, or that ended before its stages did. */
function manifestSoFar(
  { steps }: RunStatus,
  ended: Outcome | 'DETACHED',
  { orchestrator, stages }: OrchestratorInput,
): StageManifest {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const parts = stages.map(({ name, required }): EndedPart => {
    return { name, required, end: endOfStep(byId.get(stageStep(orchestrator, name))) };
  });
  const manifest = buildStageManifest(orchestrator, parts, isBad(ended) ? ended : null);
  return ended === 'DETACHED' ? { ...manifest, summary: { ...manifest.summary, exit_code: 0 } } : manifest;
}

function endOfStep(step: StepStatus | undefined): EndedPart['end'] {
  if (step?.state === 'done') return { kind: 'passed', artifact: null };
  const outcome = step?.outcome ?? 'FAILURE';
  if (step?.state !== 'failed' || outcome === 'SUCCESS') return { kind: 'not-run' };
  return { kind: 'failed', outcome, error: step.message ?? outcome };
}

function isBad(ended: Outcome | 'DETACHED'): ended is BadOutcome {
  return ended !== 'SUCCESS' && ended !== 'DETACHED';
}

/** The same as `KEY=value` lines, with a line for each stage: name, status, exit code and artifact. */
export function orchestratorAnswerLines(answer: Output<'orchestrator-answer'>): readonly string[] {
  const { status, summary, run_id, trace_id, depth, elapsed_seconds, stages, refinements, rescues } = answer;
  return pairLines([
    ['STATUS', status],
    ['EXIT_CODE', String(summary.exit_code)],
    ['RUN_ID', run_id],
    ['TRACE_ID', trace_id],
    ['DEPTH', String(depth)],
    ['ELAPSED_SECONDS', String(elapsed_seconds)],
    ...stages.map((stage) => ['STAGE', describeStage(stage)] as const),
    ...refinements.map((path) => ['REFINEMENT', path] as const),
    ...rescues.map((ref) => ['RESCUE', ref] as const),
  ]);
}

function describeStage(stage: Output<'orchestrator-answer'>['stages'][number]): string {
  const { name, status } = stage;
  const code = stage.exit_code === null ? '' : ` ${stage.exit_code}`;
  const artifact = stage.status === 'success' ? (stage.artifact ?? '') : '';
  return oneLine(`${name} ${status}${code} ${artifact}`.trim(), 4096);
}
