import { TestRunner } from 'vitest';
import { type Cli, installed } from './install.ts';
import { report } from './report.ts';

/**
 * For tests that are no cells. Without the program there is nothing to test: that is told, the test is left out, and the
 * whole run ends with a code of its own for it.
 */
export async function programOf(cli: Cli): Promise<{ readonly program: string; readonly version: string }> {
  const found = await installed(cli);
  if (found.ok) return found;
  report({ cli, version: found.version, case: null }, { verdict: 'not installed', why: found.why, ms: 0 });
  TestRunner.getCurrentTest()?.context.skip(found.why);
  throw new Error(found.why);
}
