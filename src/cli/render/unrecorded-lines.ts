import { oneLine } from '../../lib/terminal-text.ts';

/** Says that an end is true and not yet in the database, and that nothing has to be done about it. */
export function unrecordedLines(why: string | null): string[] {
  if (why === null) return [];
  return [`  its end is not recorded yet, the next command does that: ${oneLine(why, 300)}`];
}
