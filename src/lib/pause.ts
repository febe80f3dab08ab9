const never = new Int32Array(new SharedArrayBuffer(4));

/** Stops this whole thread for a moment: for code that cannot await. */
export function pauseThread(ms: number): void {
  Atomics.wait(never, 0, 0, ms);
}
