/** Something wrong in a file that a person wrote, with the place where they can fix it. */
export interface Problem {
  /** As the person named it; null when no file is to blame. */
  readonly file: string | null;
  /** From 1; null when the file as a whole is meant. */
  readonly line: number | null;
  readonly column: number | null;
  /** Where in the value, and what is wrong: `steps[2].needs: must be a list of step ids`. */
  readonly message: string;
  /** The offending line with a caret below it. */
  readonly frame: string | null;
}

/** `flow.yaml:12:7: steps[2].needs: …` */
export function problemSentence(problem: Problem): string {
  const { file, line, column, message } = problem;
  if (file === null) return message;
  return line === null ? `${file}: ${message}` : `${file}:${line}:${column ?? 1}: ${message}`;
}

/** A problem of no particular line. */
export function problemOf(file: string | null, message: string): Problem {
  return { file, line: null, column: null, message, frame: null };
}
