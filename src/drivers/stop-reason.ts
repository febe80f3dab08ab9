import type { ProcessEnd } from '../model/driver.ts';
import type { StopReason } from '../model/turn.ts';

/** What every POSIX shell answers for a program that cannot be run or is not there. */
const cannotRun: readonly (number | null)[] = [126, 127];

/** How a turn stopped, for programs whose exit code is all they say about it. */
export function stopReasonOf(end: ProcessEnd): StopReason {
  if (end.ended !== null) return end.ended === 'quota' ? 'over-quota' : end.ended;
  if (end.signal !== null || end.exitCode === null) return 'crashed';
  if (cannotRun.includes(end.exitCode)) return 'unavailable';
  return end.exitCode === 0 ? 'finished' : 'failed';
}
