import { beforeEach } from 'vitest';

/** Skips the tests of this file or `describe` with a reason, which the report prints; null: they run. */
export function skipBecause(reason: string | null): void {
  beforeEach(({ skip }) => {
    if (reason !== null) skip(reason);
  });
}

/** The reason why tests of a long suite are left out; null: its variable is set. */
export function notInSuite(variable: string): string | null {
  return process.env[variable] === undefined ? `runs only with ${variable}=many or ${variable}=all` : null;
}
