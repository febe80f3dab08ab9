import { type BadOutcome, exitCodeOf, type Outcome } from '../outcome.ts';
import { type EndedPart, judgeParts, type PartEnd } from './part-summary.ts';

/** The verdict of a verification loop, best first. */
type SentinelGrade = 'PASS' | 'WARN' | 'FAIL';

/** What a coordinator returns about a phase. */
export interface PhaseReport {
  readonly phase: string;
  readonly status: PhaseStatus;
  readonly exit_code: number;
  readonly orchestrators: readonly ReportedOrchestrator[];
  readonly artifacts: readonly string[];
  /** Null: the phase was not verified. */
  readonly sentinel_grade: SentinelGrade | null;
}

type PhaseStatus = 'complete' | 'partial' | 'failed';

interface ReportedOrchestrator {
  readonly name: string;
  /** Path of its stage manifest; null: it wrote none. */
  readonly manifest: string | null;
  /** Null: it did not run. */
  readonly exit_code: number | null;
}

/** An orchestrator of a phase: the artifact of its end is the path of its stage manifest. */
export interface PhaseFacts {
  readonly phase: string;
  readonly orchestrators: readonly (EndedPart & { readonly manifest: string | null })[];
  readonly artifacts: readonly string[];
  readonly sentinelGrade: SentinelGrade | null;
  /** Why orchestrators did not start; null: none was kept from starting. */
  readonly stopped: BadOutcome | null;
}

export function buildPhaseReport(facts: PhaseFacts): PhaseReport {
  const outcome = judgeParts(facts.orchestrators, facts.stopped);
  return {
    phase: facts.phase,
    status: nameStatus(outcome),
    exit_code: exitCodeOf(outcome),
    orchestrators: facts.orchestrators.map(({ name, manifest, end }) => ({
      name,
      manifest,
      exit_code: findExitCode(end),
    })),
    artifacts: facts.artifacts,
    sentinel_grade: facts.sentinelGrade,
  };
}

function nameStatus(outcome: Outcome): PhaseStatus {
  if (outcome === 'SUCCESS') return 'complete';
  return outcome === 'PARTIAL_SUCCESS' ? 'partial' : 'failed';
}

function findExitCode(end: PartEnd): number | null {
  if (end.kind === 'not-run') return null;
  return exitCodeOf(end.kind === 'passed' ? 'SUCCESS' : end.outcome);
}
