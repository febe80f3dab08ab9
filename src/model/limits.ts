/** What one session may take of the machine. Null is no limit. */
export interface ResourceLimits {
  readonly memoryBytes: number | null;
  readonly processes: number | null;
  /** Hundredths of one core: 150 is one and a half. */
  readonly cpuPercent: number | null;
  /** The largest file that any of its processes may write. */
  readonly fileBytes: number | null;
  /** Size of the session's own folder, mostly its log: told above the first, ended above the second. */
  readonly diskWarnBytes: number;
  readonly diskFailBytes: number;
  /** Nothing on its output for this long: stalled. */
  readonly stallMs: number;
}
