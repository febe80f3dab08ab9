import { isTerminal, type Session } from './session.ts';

/** What a launcher's files and the process table say of an attempt; no table is asked. */
export type LauncherFacts =
  /** No launcher has declared itself. */
  | { readonly at: 'unborn' }
  | {
      readonly at: 'alive';
      readonly pid: number | null;
      readonly since: number;
      /** Only what its launcher started is alive: nothing records an end, and no result is read. Absent: its launcher lives. */
      readonly isLeft?: true;
    }
  /** It said how it ended, or the process that ended it said so before. */
  | {
      readonly at: 'ended';
      readonly status: 'COMPLETED' | 'FAILED' | 'KILLED';
      readonly exitCode: number | null;
      /** Null: no launcher recorded a start. */
      readonly startedAt: number | null;
      readonly endedAt: number;
    }
  /** No process, and no word about its end. */
  | { readonly at: 'vanished'; readonly startedAt: number | null; readonly heardAt: number };

/** What the tables say about where an attempt stands. */
export interface AttemptPlace {
  /** It holds a slot: the intent to launch it was recorded. */
  readonly launched: boolean;
  /** A living process advances its run, and may be about to launch it. */
  readonly held: boolean;
}

/** Whether anything works on an attempt that was launched: its own process, or the one that launches and reads it. */
export function isAtWork(launcher: LauncherFacts, { held }: Pick<AttemptPlace, 'held'>): boolean {
  return held || launcher.at === 'alive';
}

/**
 * A session as it is now, which its row may not say yet: no process records what happens while none is awake. A result
 * that nobody has read has no outcome.
 */
export function sessionNow(row: Session, launcher: LauncherFacts, place: AttemptPlace): Session {
  if (isTerminal(row.status) || !place.launched) return row;
  switch (launcher.at) {
    case 'unborn':
      return place.held ? row : vanished(row, row.createdAt);
    case 'alive':
      // Where its folder was removed, nothing says when it started.
      return { ...withStart(row, launcher.since || (row.startedAt ?? row.createdAt)), status: 'RUNNING' };
    case 'ended': {
      const { status, exitCode, endedAt } = launcher;
      const begun = withStart(row, launcher.startedAt);
      return { ...begun, status, exitCode, endedAt: notBefore(begun, endedAt) };
    }
    case 'vanished':
      return vanished(withStart(row, launcher.startedAt), launcher.heardAt);
  }
}

/** Its launcher knows when it started; whoever saw that saw it later, or died before it recorded that. */
function withStart(row: Session, at: number | null): Session {
  return at === null ? row : { ...row, startedAt: Math.max(row.createdAt, at) };
}

function vanished(row: Session, heardAt: number): Session {
  const endedAt = notBefore(row, heardAt);
  return { ...row, status: 'FAILED', outcome: 'FAILURE', exitCode: null, lost: true, endedAt };
}

/** A clock may have been set back between the two. */
function notBefore({ startedAt, createdAt }: Session, at: number): number {
  return Math.max(startedAt ?? createdAt, at);
}
