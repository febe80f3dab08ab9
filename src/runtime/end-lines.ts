import type { SessionStatus } from '../model/session.ts';
import type { RecordedEnd } from './recorded-end.ts';
import type { LogLevel, LogLine } from './session-log.ts';

export interface EndFacts {
  readonly from: Extract<SessionStatus, 'CREATED' | 'RUNNING'>;
  readonly status: SessionStatus;
  readonly exitCode: number | null;
}

/** What `session.log` says about an end; the shell launcher writes the same lines by itself. */
export function endLines(
  end: RecordedEnd | 'lost',
  { from, status, exitCode }: EndFacts,
): readonly LogLine[] {
  const level = status === 'COMPLETED' ? 'INFO' : status === 'KILLED' ? 'WARN' : 'ERROR';
  return [
    ...why(end, level),
    ['INFO', `Exit code: ${exitCode ?? 'none'}`],
    [level, `Status: ${from} → ${status}`],
  ];
}

const words = { timeout: 'Timeout', killed: 'Killed', quota: 'Quota' } as const;

function why(end: RecordedEnd | 'lost', level: LogLevel): readonly LogLine[] {
  if (end === 'lost') return [[level, 'Lost: its launcher ended without a word']];
  if (end.ended !== null) return [[level, `${words[end.ended]}: ${end.reason ?? 'no reason was given'}`]];
  if (end.problem !== null) return [[level, `Not started: ${end.reason ?? end.problem}`]];
  return [];
}
