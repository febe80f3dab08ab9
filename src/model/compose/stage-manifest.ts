import { type BadOutcome, exitCodeOf } from '../outcome.ts';
import { type EndedPart, judgeParts } from './part-summary.ts';

/** What an orchestrator returns: one entry for each stage of its modifier, and the sum of them. */
export interface StageManifest {
  readonly orchestrator: string;
  readonly stages: readonly ManifestStage[];
  readonly summary: {
    readonly total: number;
    readonly passed: number;
    readonly failed: number;
    readonly exit_code: number;
  };
}

type ManifestStage =
  | {
      readonly name: string;
      readonly status: 'success';
      readonly exit_code: 0;
      readonly artifact: string | null;
    }
  | {
      readonly name: string;
      readonly status: 'failure';
      readonly exit_code: number;
      readonly error: string;
    }
  | { readonly name: string; readonly status: 'not_run'; readonly exit_code: null };

/** `stopped`: why stages did not start, such as HALTED; null: none was kept from starting. */
export function buildStageManifest(
  orchestrator: string,
  stages: readonly EndedPart[],
  stopped: BadOutcome | null = null,
): StageManifest {
  return {
    orchestrator,
    stages: stages.map(describeStage),
    summary: {
      total: stages.length,
      passed: stages.filter(({ end }) => end.kind === 'passed').length,
      failed: stages.filter(({ end }) => end.kind === 'failed').length,
      exit_code: exitCodeOf(judgeParts(stages, stopped)),
    },
  };
}

function describeStage({ name, end }: EndedPart): ManifestStage {
  switch (end.kind) {
    case 'passed':
      return { name, status: 'success', exit_code: 0, artifact: end.artifact };
    case 'failed':
      return { name, status: 'failure', exit_code: exitCodeOf(end.outcome), error: end.error };
    case 'not-run':
      return { name, status: 'not_run', exit_code: null };
  }
}
