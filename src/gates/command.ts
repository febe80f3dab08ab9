import { formatDuration } from '../lib/duration.ts';
import type { GateSpec } from '../model/flow.ts';
import type { GateEvidence } from '../model/gate.ts';

/** How an acceptance command ended; whoever holds the power to run it tells. */
export interface CommandEnd {
  readonly exitCode: number | null;
  /** The end of what it printed, both streams. */
  readonly outputTail: string;
  readonly timedOut: boolean;
}

export function commandGate(gate: Extract<GateSpec, { kind: 'command' }>, end: CommandEnd): GateEvidence {
  const passed = !end.timedOut && end.exitCode === 0;
  return {
    gate: 'command',
    passed,
    finding: `\`${gate.argv.join(' ')}\` ${howItEnded(gate.timeoutMs, end)}`,
    evidence: { argv: gate.argv, exit_code: end.exitCode, timed_out: end.timedOut, output: end.outputTail },
  };
}

function howItEnded(timeoutMs: number, end: CommandEnd): string {
  if (end.timedOut) return `did not end within ${formatDuration(timeoutMs)}`;
  if (end.exitCode === null) return 'was ended by a signal';
  return end.exitCode === 0 ? 'passed' : `ended with exit code ${end.exitCode}`;
}
