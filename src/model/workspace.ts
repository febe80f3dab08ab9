import type { Owner } from './owner.ts';
import type { ChangedFiles } from './plan/task-state.ts';

/**
 * Where an owner's code goes. `git`: into the operator's own repository, whose objects the owner's repository borrows.
 * `folder`: it is in no repository, so the owner's begins with a snapshot of it; everything else is the same.
 */
export interface Target {
  readonly kind: 'git' | 'folder';
  /** The directory the work is about, as the operator has it. Absolute. */
  readonly dir: string;
  /** The owner's own repository, outside any checkout. */
  readonly gitDir: string;
  /** Root of the operator's checkout. */
  readonly root: string;
  /** From a checkout's root to the target; empty when they are the same. */
  readonly prefix: string;
  /** Where workspaces of this owner live, outside any checkout. */
  readonly state: string;
  readonly owner: Owner;
}

/** One attempt's own checkout, on its own branch. Recorded, so that it is found again. */
export interface Workspace {
  /** The task of a plan, or the step of another owner, that works here. */
  readonly task: string;
  readonly attempt: number;
  /** Root of its checkout. */
  readonly root: string;
  /** Where the work happens: the target, inside that checkout. */
  readonly dir: string;
  readonly branch: string;
  /** The commit it started from. */
  readonly base: string;
  /** What makes this workspace's programs keep out of the others' way: a block of ports, a name. */
  readonly env: Readonly<Record<string, string>>;
}

/** What a workspace holds beyond its base, as one commit. */
export interface SealedWork {
  readonly commit: string;
  readonly tree: string;
  readonly files: ChangedFiles & { readonly deleted: readonly string[] };
}

/** How an attempt to land went. The integration branch moved only for `landed`. */
export type LandEnd =
  | { readonly at: 'landed'; readonly commit: string; readonly before: string }
  /** Others changed the same lines; paths relative to the target. */
  | { readonly at: 'conflict'; readonly files: readonly string[] }
  /** It merges, and then something no longer holds. */
  | {
      readonly at: 'broken';
      /** The task whose criterion fails on the merged tree: the one that lands, or one that landed before. */
      readonly task: string;
      readonly criterion: string;
      readonly output: string;
      /** The command that did not pass, and how it ended. Absent: an earlier release ran it. */
      readonly command?: string;
      readonly exitCode?: number | null;
      /** The command belongs to the setup of the checkout, not to a criterion. */
      readonly isSetup?: true;
      /** The tip that it should have landed on. */
      readonly onto?: string;
    };

/** What `tutti land` did to the operator's checkout. */
export type Delivery =
  | {
      readonly at: 'delivered';
      readonly commit: string;
      readonly files: number;
      /** Null: the target is a folder outside any repository. */
      readonly branch: string | null;
    }
  | { readonly at: 'nothing' }
  /** There is no integration branch here: nothing was landed in a workspace, or the state directory is another one. */
  | { readonly at: 'unknown' }
  /**
   * The integration branch is not what Tutti landed: it has this commit and should not (`shown`: in the operator's own
   * repository), or should and has not.
   */
  | { readonly at: 'unrecorded'; readonly how: 'foreign' | 'missing' | 'shown'; readonly commit: string }
  | { readonly at: 'refused'; readonly reason: string; readonly files: readonly string[] };
