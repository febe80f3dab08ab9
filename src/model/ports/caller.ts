/**
 * What the system knows about the process that calls. The caller's own word counts only against it: a variable can say
 * that an agent calls, and no variable, flag or file of the caller can say that a person does.
 */
export interface CallerFacts {
  readonly user: CallingUser;
  /** Values of an environment variable in the caller and in the processes it comes from, the nearest first. */
  variable(name: string): readonly string[];
  /** Programs of the processes it comes from, the nearest first. */
  programs(): readonly CallingProgram[];
  /** Names of the control groups that the caller and the processes it comes from are in. */
  groups(): readonly string[];
}

/** The user as the system has them, whatever the environment says. */
export interface CallingUser {
  readonly name: string;
  /** Null for a user without an entry, as in some containers. */
  readonly home: string | null;
}

interface CallingProgram {
  readonly pid: number;
  readonly names: readonly string[];
}
