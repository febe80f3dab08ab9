import type { OnCommit } from './base-check.ts';
import type { Bundle } from './bundle.ts';
import type {
  Acceptance,
  BroughtUp,
  PreparedFiles,
  PreparedWorkspace,
  RestoredFiles,
  SealEnd,
  TakenOver,
  TaskBegun,
  TaskDiff,
  TaskEnded,
  TaskEnding,
  WrittenFiles,
} from './execute-parts.ts';
import type { AcceptanceCriterion } from './plan-task.ts';
import type { LandEnd, SealedWork, Target, Workspace } from '../workspace.ts';

/** Operations of the workflow `execute`. */
export interface ExecutingOperations extends TaskOperations {
  /** Puts tasks that were done in the operator's own folder onto the integration branch. */
  readonly 'plan-take-over': {
    readonly args: {
      readonly plan: string;
      readonly target: Target;
      readonly tasks: readonly string[];
      readonly timeoutMs: number;
    };
    readonly result: TakenOver;
  };
  /** Runs one command on the commit that a task began with, or that its work should land on. */
  readonly 'plan-on-base': {
    readonly args: LeftOut & {
      readonly target: Target;
      readonly commit: string;
      readonly command: string;
      /** The command belongs to the setup, which runs before any other command anyway. */
      readonly isSetup?: boolean;
      readonly timeoutMs: number;
    };
    readonly result: OnCommit;
  };
  /** Tells agents that a person chose to continue without commands. */
  readonly 'plan-waived': {
    readonly args: { readonly plan: string; readonly without: readonly string[] };
    readonly result: null;
  };
  /** All tasks are done: so is the plan. */
  readonly 'plan-complete': {
    readonly args: { readonly plan: string; readonly target: Target };
    readonly result: null;
  };
}

/** Operations of one task. `task-land` belongs to the part `T001/land`, and so on. */
export interface TaskOperations {
  /** Claims the task for the run. */
  readonly 'task-begin': {
    readonly args: InTask & {
      /** The number that this attempt has, unless there were others meanwhile. */
      readonly attempt: number;
      /** It is done, and what it stands on has changed. */
      readonly redo: boolean;
      /** `workDigest` of the definition that the run would work by. Absent: a run of an earlier release. */
      readonly work?: string;
    };
    readonly result: TaskBegun;
  };
  /** Opens the task's own workspace and prepares it. */
  readonly 'task-workspace': {
    readonly args: InTask & LeftOut & { readonly target: Target; readonly attempt: number };
    readonly result: PreparedWorkspace;
  };
  /** Writes the bundle; returns where. */
  readonly 'task-bundle': { readonly args: InTask & { readonly bundle: Bundle }; readonly result: string };
  /** What the workspace holds beyond its base: in the part `declared` when it is judged, in `progress` when it failed. */
  readonly 'task-written': {
    readonly args: InWorkspace & {
      /** Declared ones. */
      readonly paths: readonly string[];
      readonly prepared: PreparedFiles;
    };
    readonly result: WrittenFiles;
  };
  /** The change that a verifier judges; null: there is no diff to make, as in a workspace that is gone. */
  readonly 'task-diff': {
    readonly args: InWorkspace & {
      /** The judged ones, relative to the target: what commands left beside them is no part of the work. */
      readonly paths: readonly string[];
    };
    readonly result: TaskDiff | null;
  };
  /** Sets back what a verifier changed, and before its turn what another process changed since the work was looked at. */
  readonly 'task-restore': {
    readonly args: InWorkspace & {
      /** What the verifier had to judge. */
      readonly tree: string;
      /** Key of the verifier's turn that begins next. Absent: its turn has ended. */
      readonly begins?: string;
    };
    readonly result: RestoredFiles;
  };
  /** Runs one acceptance criterion in the task's workspace. */
  readonly 'task-accept': {
    readonly args: InTask & {
      readonly criterion: AcceptanceCriterion;
      readonly argv: readonly [string, ...string[]];
      readonly env: Workspace['env'];
    };
    readonly result: Acceptance;
  };
  /** Makes one commit of the work that was judged. */
  readonly 'task-seal': {
    readonly args: InWorkspace & {
      /** Of the task, for people. */
      readonly name: string;
      readonly agent: string;
      readonly written: WrittenFiles;
    };
    readonly result: SealEnd;
  };
  /** Puts sealed work onto the integration branch, if it holds there together with what landed before. */
  readonly 'task-land': {
    readonly args: InWorkspace & LeftOut & { readonly sealed: SealedWork; readonly timeoutMs: number };
    readonly result: LandEnd;
  };
  /** Brings the task's work up to date with what has landed meanwhile. */
  readonly 'task-bring': {
    readonly args: InWorkspace & LeftOut & { readonly prepared: PreparedFiles };
    readonly result: BroughtUp;
  };
  /** Records what became of the task, and gives its workspace back. */
  readonly 'task-result': {
    readonly args: InTask & { readonly target: Target; readonly ending: TaskEnding };
    readonly result: TaskEnded;
  };
}

interface InTask {
  readonly plan: string;
  readonly task: string;
}

interface InWorkspace extends InTask {
  readonly target: Target;
  readonly workspace: Workspace;
}

interface LeftOut {
  /** Commands that a person chose to continue without; absent: a run of an earlier release. */
  readonly without?: readonly string[];
}
