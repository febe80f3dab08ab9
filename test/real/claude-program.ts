import { installed } from './install.ts';

/** For tests that are no cells: without the program there is nothing to test. */
export async function claudeProgram(): Promise<string> {
  const found = await installed('claude');
  if (!found.ok) throw new Error(found.why);
  return found.program;
}
