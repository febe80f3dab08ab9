import { repository } from './repository.ts';

/** Set for the tests by `pack-program.ts`. */
export const installedVariable = 'TUTTI_TEST_INSTALLED';
/** The program composed for a person on the delayed store; set where end-to-end tests run on it. */
export const delayedPersonVariable = 'TUTTI_TEST_DELAYED_PERSON';

/**
 * The program that tests start: the one in the packed tarball, so that a file missing there fails a test. A benchmark, and
 * tests in a repository that was not built, have only the repository's own.
 */
export function installedTutti(): string {
  return process.env[installedVariable] ?? repository('bin/tutti.js');
}
