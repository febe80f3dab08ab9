import type { RecordedCommandEnd } from './base-check.ts';
import type { CheckedCriterion, ChangedFiles, TaskError, Verification } from './task-state.ts';
import type { LandEnd, SealedWork, Workspace } from '../workspace.ts';

/*
 * What operations return to the workflow `execute` about each part of a task.
 */

export type TaskBegun =
  | { readonly at: 'begun'; readonly attempt: number; readonly since: number }
  /** Somebody else has done it meanwhile. */
  | { readonly at: 'done'; readonly attempt: number; readonly produced: string }
  | { readonly at: 'skipped'; readonly reason: string }
  | { readonly at: 'taken'; readonly by: string }
  /** Its definition is another one now; why, and the command that loads it, in one sentence. */
  | { readonly at: 'edited'; readonly finding: string };

/** Tasks that somebody did in the operator's own folder, and whose work is on the integration branch now. */
export interface TakenOver {
  readonly taken: readonly { readonly task: string; readonly commit: string }[];
}

/** What the configuration's own commands left in a workspace, with its contents: it is nobody's work unless it is changed. */
export type PreparedFiles = Readonly<Record<string, string>>;

/** A command of the setup that did not pass, and kept the others from running. */
export interface FailedSetup extends RecordedCommandEnd {
  readonly command: string;
  readonly output: string;
}

/** A workspace after its setup ran, or as far as its setup came. */
export interface PreparedWorkspace {
  readonly workspace: Workspace;
  readonly prepared: PreparedFiles;
  /** Absent: the setup passed. */
  readonly failedSetup?: FailedSetup;
}

/** What the workspace holds beyond its base. Paths are relative to the target. */
export interface WrittenFiles {
  readonly files: SealedWork['files'];
  /** Digest of their contents. */
  readonly digest: string;
  /** Git's name for all files of the workspace at that moment. Absent: there is none, or an earlier release looked. */
  readonly tree?: string;
  /** Why it could not land whatever the gates say: a link that leads out, a repository inside; null: nothing of the kind. */
  readonly problem: string | null;
  /** The task has work on the integration branch: finding nothing more to do is no empty claim. */
  readonly landedBefore: boolean;
  /** Its files that differ in the person's own checkout, where nothing was written here: an agent may have worked there. */
  readonly elsewhere?: readonly string[];
}

/** The change that a verifier judges, as a patch. */
export interface TaskDiff {
  /** Of bounded size. */
  readonly text: string;
  /** Whether `text` is all of it. */
  readonly isWhole: boolean;
  /** File with the whole of it, absolute. */
  readonly path: string;
  /** Git's name for all files of the workspace, as the verifier finds them. Absent: an earlier release looked at it. */
  readonly tree?: string;
}

/** What changed while a verifier worked, and Tutti set back to what it had to judge. Paths are relative to the target. */
export interface RestoredFiles {
  readonly restored: readonly string[];
  /** Those of them that the judged work contains: the verdict was about other files. Absent: an earlier release did not look. */
  readonly judged?: readonly string[];
  /** Another process had changed them before the verifier began. `ref` keeps what they were; null: nothing was left to keep. */
  readonly before?: { readonly ref: string | null };
}

/** What was judged, as one commit; `empty`: there is nothing to land; `changed`: these were written to after the judgement. */
export type SealEnd =
  | { readonly at: 'sealed'; readonly sealed: SealedWork }
  | { readonly at: 'empty' }
  | { readonly at: 'changed'; readonly paths: readonly string[] };

/** One acceptance criterion, run by Tutti itself. */
export interface Acceptance {
  readonly criterion: CheckedCriterion;
  readonly problem: 'exit' | 'timeout' | 'unavailable' | null;
  /** Absent: an earlier release ran it. */
  readonly exitCode?: number | null;
  /** The end of what the command printed. */
  readonly output: string;
  /** For a person, where it did not pass: command, how it ended, last lines and log. */
  readonly finding?: string;
  /** Files of the task that the command changed. Absent: none, or an earlier release did not look. */
  readonly changed?: readonly string[];
}

/** The workspace on the present integration branch, with the task's work on it. */
export interface BroughtUp extends PreparedWorkspace {
  /** Files with marks of a conflict in them. */
  readonly conflicts: readonly string[];
}

/** What is written down when a task is over, well or not. */
export interface TaskEnding {
  readonly task: string;
  readonly name: string;
  readonly attempt: number;
  readonly since: number;
  readonly files: ChangedFiles;
  readonly verification: Verification;
  /** Null: it succeeded. */
  readonly error: TaskError | null;
  readonly notes: string;
  readonly basis: string;
  readonly workspace: Workspace | null;
  /** Null: there was nothing to land. */
  readonly landed: Extract<LandEnd, { at: 'landed' }> | null;
  /** Declared and accepted ones: what the task produced is their contents. */
  readonly paths: readonly string[];
}

export interface TaskEnded {
  /** Null: it did not come about. */
  readonly produced: string | null;
  /** Where the work of a failed task was put aside. */
  readonly rescue: string | null;
}
