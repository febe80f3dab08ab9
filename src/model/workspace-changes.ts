/** What is different in a workspace after a turn. Paths are relative to it. */
export interface WorkspaceChanges {
  readonly written: readonly WrittenFile[];
  readonly deleted: readonly string[];
  /** Each a sentence that begins with the path: what was not taken, and why. */
  readonly leftOut: readonly string[];
}

export interface WrittenFile {
  readonly path: string;
  readonly content: Uint8Array;
  readonly executable: boolean;
}
