/** Time as the kernel sees it, so that a test can own it. */
export interface Clock {
  /** Milliseconds since 1970; may jump. For people and for timers. */
  wall(): number;
  /** Milliseconds since boot; never goes back, stands still while the machine sleeps. For leases. */
  monotonic(): number;
  /** Calls back once `wall()` has reached `at`. */
  timer(at: number, callback: () => void): Disposable;
  /** Calls back after `ms` of monotonic time, again and again. `idle`: as long as something else keeps the process alive. */
  every(ms: number, callback: () => void, wakefulness?: 'awake' | 'idle'): Disposable;
  /** Resolves after everything that is ready to run now has run. */
  settle(): Promise<void>;
}
