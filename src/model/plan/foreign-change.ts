/** What is said of files that neither the executor nor the verifier changed. */
export function describeForeignChange(paths: readonly string[], ref: string | null): string {
  const kept = ref === null ? '' : `, and what they were is kept under ${ref}`;
  return `the workspace was changed by another process before the verifier began; these files were restored: ${paths.join(', ')}${kept}`;
}

/** The verifier wrote to the work that it judged. */
export function describeVerifierChange(paths: readonly string[]): string {
  return `the verifier changed files, which were restored: ${paths.join(', ')}`;
}
