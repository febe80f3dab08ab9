import { oneLine } from '../../lib/terminal-text.ts';
import { noteSession } from '../../runtime/session-log.ts';
import type { Move } from '../../workspace/guard-record.ts';
import { putAside } from '../../workspace/put-aside.ts';

/** Moves what a sandboxed session made under guarded names, and says so in its log. No process of it may be alive. */
export function putAsideNew(sessionDir: string): readonly Move[] {
  return putAside(sessionDir, (move) => {
    noteSession(sessionDir, ['WARN', describeMove(move)]);
  });
}

export function describeMove({ from, to }: Move): string {
  const what = `The agent made ${oneLine(from, 500)}, which can start programs outside the sandbox`;
  return to === null
    ? `${what}. It could not be moved away: look at it before you use git or an agent CLI`
    : `${what}; moved to ${oneLine(to, 500)}`;
}
