import { slug } from '../../lib/ids.ts';
import type { ComposeValue } from '../compose-input.ts';
import type { Outcome } from '../outcome.ts';
import { type OrchestratorValue, stageStep } from './orchestrator-call.ts';

/** A file of the directory of a run. */
export type RunFile = readonly [name: string, content: string];

/** Where the request of a step of an executor is, in the directory of its run. */
export function refinementFile(step: string): string {
  return `refinements/exec-${slug(step, 64)}.md`;
}

/** Where the request of an orchestrator is. */
function orchestratorRefinementFile(orchestrator: string): string {
  return `refinements/orch-${slug(orchestrator, 64)}.md`;
}

/** The requests for a resolution and the stage manifest that the value of a run holds. */
export function listRunFiles(value: ComposeValue): readonly RunFile[] {
  switch (value.layer) {
    case 'primitive':
      return [];
    case 'executor':
      return value.refinement === null ? [] : [[refinementFile(value.step), value.refinement]];
    case 'orchestrator':
      return [['manifest.json', `${JSON.stringify(value.manifest, null, 2)}\n`], ...listRequests(value)];
  }
}

function listRequests({ orchestrator, stages, refinement }: OrchestratorValue): readonly RunFile[] {
  const seen = new Set<string>();
  const ofStages = stages.flatMap((stage): readonly RunFile[] => {
    const text = stage.at === 'ended' ? stage.end.refinement : null;
    // Stages that shared a turn share its request.
    if (text === null || seen.has(text)) return [];
    seen.add(text);
    return [[refinementFile(stageStep(orchestrator, stage.name)), text]];
  });
  return refinement === null
    ? ofStages
    : [...ofStages, [orchestratorRefinementFile(orchestrator), refinement]];
}

/** How an outcome is signalled. */
export function signalStatus(outcome: Outcome): 'success' | 'fail' | 'needs-refinement' {
  if (outcome === 'SUCCESS' || outcome === 'PARTIAL_SUCCESS') return 'success';
  return outcome === 'NEEDS_REFINEMENT' || outcome === 'NEEDS_ESCALATION' ? 'needs-refinement' : 'fail';
}
