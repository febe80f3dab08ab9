/** What is said of files that neither the executor nor the verifier changed. */
export function describeForeignChange(paths: readonly string[], ref: string | null): string {
  const kept = ref === null ? '' : `, and what they were is kept under ${ref}`;
  return `the workspace was changed by another process before the verifier began; these files were restored: ${paths.join(', ')}${kept}`;
}

/** Written by the verifier, or by a process that an earlier turn left behind. */
export function describeVerifierChange(paths: readonly string[]): string {
  return `files changed while the verifier judged, and were restored: ${paths.join(', ')}`;
}
