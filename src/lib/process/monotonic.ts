/** Milliseconds since boot, the same for every process of this machine; stands still while it sleeps. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}
