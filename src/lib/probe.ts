/**
 * Named boundaries between one durable effect and the next. In the product this is an empty call; the crash tests put a
 * function here that ends the process at the n-th boundary, so that every point is reached by counting, not by luck.
 */
let hook: ((point: string) => void) | null = null;

export function probe(point: string): void {
  hook?.(point);
}

/** @internal Crash tests set it. */
export function setProbe(next: ((point: string) => void) | null): void {
  hook = next;
}
