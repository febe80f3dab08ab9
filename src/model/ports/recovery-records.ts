/** Which database this is, and how far it has come. */
export interface Lineage {
  readonly id: string;
  /** Number of the last transaction. */
  readonly changes: number;
  /** Number of the copy that the next transactions come after. */
  readonly backup: number;
}

/** What keeps a project's state findable when its files are lost. */
export interface RecoveryRecords {
  /**
   * Copies the database, unless a copy was made or begun less than this time ago and the changes after it are complete. False:
   * nothing was copied.
   */
  backUp(everyMs: number): Promise<boolean>;
  /** How many transactions could not be restored from what is kept outside the project. */
  missingInCopy(): Promise<number>;
  lineage(): Promise<Lineage>;
  /** Whether the state is still where it was opened. */
  isInPlace(): Promise<boolean>;
  /** Whether it has a run or a session of this id. */
  knows(id: string): Promise<boolean>;
  /** What a file beside the database keeps of a launched turn, and of its run. Null: not known. */
  keptTurn(sessionId: string): Promise<object | null>;
  keptRun(runId: string): Promise<object | null>;
  /** Changes when the run is amended. */
  runMark(runId: string): Promise<string>;
  /** From now on every change is refused: for a process that only looks. */
  refuseChanges(): Promise<void>;
}
