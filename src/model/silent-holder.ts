import { leaseMs } from './lease.ts';

/** A living process that holds a run or a lock and does not respond, and how that is known: by the process table, or by its lease. */
export interface SilentHolder {
  readonly pid: number;
  readonly known: 'suspended' | 'lapsed';
}

/** What is known about a process that does not respond. */
export function describeSilence({ known }: SilentHolder): string {
  return known === 'suspended'
    ? 'does not respond: it is suspended'
    : 'does not respond: its lease has lapsed';
}

/** The same with the process and the run that it holds, or the runs: one and so many `others`. */
export function describeHolder(silent: SilentHolder, runId: string, others = 0): string {
  const more = others === 0 ? '' : others === 1 ? ' and another one' : ` and ${others} others`;
  return `process ${silent.pid}, which holds run ${runId}${more}, ${describeSilence(silent)}`;
}

/** What helps a run whose holder does not respond; `takeOver` says what becomes of the run otherwise. */
export function silenceHint({ pid, known }: SilentHolder, takeOver: string): string {
  return known === 'suspended' ? `let it continue: kill -CONT ${pid}; or ${takeOver}` : takeOver;
}

/** How to take a run over from a holder that does not respond. While its lease is fresh, a claim is refused. */
export function takeOverHint({ known }: SilentHolder, runId: string): string {
  const when = known === 'suspended' ? ` when its lease has lapsed, after ${leaseMs / 1000} s` : '';
  return `take the run over${when}: tutti resume ${runId}`;
}
