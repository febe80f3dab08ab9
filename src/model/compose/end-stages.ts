import { firstFew, shownInSentence } from '../../lib/first-few.ts';
import { type Failure, failure } from '../failure.ts';
import type { OrchestratorInput, OrchestratorValue, StageEnd } from './orchestrator-call.ts';
import { type EndedPart, judgeParts } from './part-summary.ts';
import { renderRefinementRequest } from './refinement-request.ts';
import { buildStageManifest } from './stage-manifest.ts';

/** The value of a run of an orchestrator, from the ends of its stages in their order. */
export function endStages(
  { orchestrator, stages }: Pick<OrchestratorInput, 'orchestrator' | 'stages'>,
  ends: readonly StageEnd[],
): OrchestratorValue {
  const parts = stages.flatMap(({ name, required }) => {
    const end = ends.find((each) => each.name === name);
    return end === undefined ? [] : [describePart(end, required)];
  });
  const outcome = judgeParts(parts);
  const wrong = outcome === 'SUCCESS' ? null : failure('needs', describeFailure(parts), { outcome });
  return {
    layer: 'orchestrator',
    orchestrator,
    outcome,
    failure: wrong,
    manifest: buildStageManifest(orchestrator, parts),
    stages: ends,
    refinement:
      wrong === null || outcome === 'PARTIAL_SUCCESS' ? null : requestFor(orchestrator, wrong, parts),
  };
}

function describePart(end: StageEnd, required: boolean): EndedPart {
  const { name } = end;
  if (end.at === 'not-run') return { name, required, end: { kind: 'not-run' } };
  const { outcome, failure: why, artifacts } = end.end;
  if (outcome === 'SUCCESS')
    return { name, required, end: { kind: 'passed', artifact: artifacts[0] ?? null } };
  return { name, required, end: { kind: 'failed', outcome, error: why?.message ?? outcome } };
}

function describeFailure(parts: readonly EndedPart[]): string {
  const failed = parts.flatMap(({ name, required, end }) =>
    end.kind === 'failed' ? [`${name}${required ? '' : ' (optional)'}: ${end.error}`] : [],
  );
  const unrun = parts.filter(({ end }) => end.kind === 'not-run').map(({ name }) => name);
  const behind = unrun.length === 0 ? '' : `; did not run: ${firstFew(unrun, shownInSentence)}`;
  return `${failed.join('; ')}${behind}`;
}

function requestFor(orchestrator: string, wrong: Failure, parts: readonly EndedPart[]): string {
  const output = parts
    .flatMap(({ name, end }) =>
      end.kind === 'failed' ? [`${name} ended with ${end.outcome}: ${end.error}`] : [],
    )
    .join('\n');
  const passed = parts.flatMap(({ end }) => (end.kind === 'passed' ? (end.artifact ?? []) : []));
  return renderRefinementRequest({
    stage: orchestrator,
    artifact: passed.at(-1) ?? null,
    turns: 1,
    maxTurns: 1,
    failure: { ...wrong, evidence: { output } },
    rescue: null,
  });
}
