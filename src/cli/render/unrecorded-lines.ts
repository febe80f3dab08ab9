import { oneLine } from '../../lib/terminal-text.ts';

/** Says that an end is true and not yet in the database, and that nothing has to be done about it. */
export function unrecordedLines(why: string | null): string[] {
  if (why === null) return [];
  return [`  its end is not recorded yet, the next command does that: ${oneLine(why, 300)}`];
}

/** The beginning of a hint: no command can continue the run while its end cannot be recorded. Empty: nothing is in the way. */
export function unrecordedRemedy(why: string | null): string {
  if (why === null) return '';
  return isAboutSpace(why) ? 'free space first; then ' : 'fix that first; then ';
}

/** Whether a disk without space kept it from being recorded. */
export function isAboutSpace(why: string): boolean {
  return /\bfull\b|no space/i.test(why);
}
