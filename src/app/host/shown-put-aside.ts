import { firstFew } from '../../lib/first-few.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import { isTerminal, type Session } from '../../model/session.ts';
import { findPutAside, type Move } from '../../workspace/guard-record.ts';
import type { ProjectPaths } from '../project.ts';
import { sessionFolder } from './session-folder.ts';

/** What a sandboxed session made that can start programs outside its sandbox, while it is where Tutti put it. */
export function putAsideOf(paths: ProjectPaths, session: Session): readonly Move[] {
  const folder = isTerminal(session.status) ? sessionFolder(paths, session) : null;
  return folder === null ? [] : findPutAside(folder, paths.session(session.id));
}

const mostShown = 3;

/** The files with the place of each, and what to do about them. */
export function describePutAside(moves: readonly Move[]): string {
  const places = moves.map(({ from, to }) =>
    to === null ? `${oneLine(from, 500)} (still there)` : `${oneLine(from, 500)}, now ${oneLine(to, 500)}`,
  );
  const isLeft = moves.some(({ to }) => to === null);
  const what = isLeft
    ? 'look at it before you use git or an agent CLI'
    : 'look at it, then move it back or delete it';
  return `${firstFew(places, mostShown, '; ')} → ${what}`;
}

/** The published form. */
export function putAsideJson(moves: readonly Move[]): { from: string; to: string | null }[] {
  return moves.map(({ from, to }) => ({ from, to }));
}
