import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { forgetStart, readEnd, readStart } from '../../runtime/attempt-files.ts';
import { openDatabase } from '../../store/database.ts';
import { forgetHolders } from '../../store/live-holder.ts';

/**
 * A copy shares no process with its original: no process advances its runs, and what is under way there was never started
 * here. Otherwise a stop in the copy would end agents of the original.
 */
export function separateCopy(state: string): void {
  const database = join(state, 'tutti.db');
  if (existsSync(database)) {
    using db = openDatabase(database, () => null);
    forgetHolders(db);
  }
  for (const place of attemptsIn(state)) {
    if (readStart(place).kind === 'started' && readEnd(place) === null) forgetStart(place);
  }
}

/** Places of attempts (see `fileOf`). Links lead out of the folder and are left alone. */
function attemptsIn(state: string): readonly string[] {
  const sessions = foldersIn(join(state, 'sessions'));
  const tasks = foldersIn(join(state, 'runs')).flatMap((run) => {
    const folder = join(run, 'tasks');
    return foldersIn(run).includes(folder) ? startsIn(folder) : [];
  });
  return [...sessions, ...tasks];
}

function startsIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.started'))
    .map(({ name }) => join(folder, name.slice(0, -'started'.length)));
}

function foldersIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name));
}
