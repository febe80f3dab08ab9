/** Glyphs that begin a line, by what they say about it. */
export const glyphs = {
  /** It succeeded. */
  good: '✔',
  /** It failed, was refused or was killed. */
  bad: '✕',
  /** It is under way. */
  busy: '●',
  /** It waits for a person, a limit or its next attempt. */
  waiting: '◐',
  /** It has not begun, or never will. */
  idle: '○',
  /** A detail. */
  note: '·',
} as const;
