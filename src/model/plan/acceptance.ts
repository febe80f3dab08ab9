import { isObject } from '../../lib/json.ts';
import { tellingLines } from '../../lib/telling-lines.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import { exitCodeOfGate, type GateEvidence } from '../gate.ts';
import { evidenceText } from '../heal-prompt.ts';
import type { Acceptance } from './execute-parts.ts';
import type { AcceptanceCriterion } from './plan-task.ts';
import type { CheckedCriterion, Verification } from './task-state.ts';
import { runsCommand } from './validate-criteria.ts';

/** What a gate found about a criterion, as it is recorded with the task; the evidence is kept, passed or not. */
export function acceptanceOf({ criterion: name }: AcceptanceCriterion, found: GateEvidence): Acceptance {
  const { passed, finding, problem, evidence } = found;
  const output = evidenceText(evidence);
  const criterion = { name, status: passed ? 'PASS' : 'FAIL', evidence: finding } as const;
  const checked = { criterion, exitCode: exitCodeOfGate(found), output };
  if (passed) return { ...checked, problem: null };
  return {
    ...checked,
    problem: problem === 'timeout' || problem === 'unavailable' ? problem : 'exit',
    finding: `${finding}: ${lastLines(output)}${logOf(evidence)}`,
  };
}

/** Enough to see what went wrong. */
function lastLines(output: string): string {
  const lines = tellingLines(output, 3);
  return lines.length === 0 ? 'it printed nothing' : oneLine(lines.join(' | '), 300);
}

function logOf(evidence: GateEvidence['evidence']): string {
  const log = isObject(evidence) ? evidence['log'] : null;
  return typeof log === 'string' ? `; log: ${log}` : '';
}

/** A criterion that nothing is judged by, because a person chose so. */
export function waivedAcceptance({ criterion: name }: AcceptanceCriterion, why: string): Acceptance {
  const criterion = { name, status: 'WAIVED', evidence: `not judged: ${why}` } as const;
  return { criterion, problem: null, exitCode: null, output: '' };
}

/** The waived command that a criterion would run, so that the criterion is not judged; null: it counts. */
export function leftOutCommand(
  without: readonly string[],
  { verification }: Pick<AcceptanceCriterion, 'verification'>,
): string | null {
  return without.find((command) => runsCommand(verification, command)) ?? null;
}

/** Why such a criterion is not judged. */
export function leftOutReason(command: string): string {
  return `\`${command}\` is left out of this plan`;
}

export function verificationOf(criteria: readonly CheckedCriterion[]): Verification {
  const failed = criteria.some(({ status }) => status === 'FAIL');
  return { verdict: failed ? 'FAIL' : 'PASS', criteria };
}
