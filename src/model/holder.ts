/**
 * A process that advances runs. Process ids are reused, so identity is pid + start time + boot; a lease covers the
 * process that lives but is stuck.
 */
export interface Holder {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  /** Kernel ticks since boot at which the process started; empty where the system does not tell. */
  readonly startTime: string;
  readonly bootId: string;
}

/** Whether a list names this holder: the same process, in the same row. */
export function isAmong(holder: Holder, list: readonly Holder[]): boolean {
  const { id, host, pid, startTime, bootId } = holder;
  return list.some(
    (one) =>
      one.id === id &&
      one.host === host &&
      one.pid === pid &&
      one.startTime === startTime &&
      one.bootId === bootId,
  );
}
