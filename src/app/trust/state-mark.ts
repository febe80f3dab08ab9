import { randomBytes } from 'node:crypto';
import { type Dirent, existsSync, readdirSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makePrivateFolder, replaceFile } from '../../lib/atomic-file.ts';
import { errorCode } from '../../lib/error-code.ts';
import { readText } from '../../lib/read-text.ts';
import { shellWord } from '../../lib/shell-word.ts';
import { parseJson } from '../../model/schemas/json-text.ts';
import { checkStateMark, type StateMark } from '../../model/trust-file.ts';
import { isTracked } from '../../workspace/tracked.ts';
import { isClosed, projectMark, type ProjectPaths } from '../project.ts';
import { refusal, type Refusal } from '../refusal.ts';
import { stateFolder, type Variables } from '../state-folder.ts';

/** Where the `.tutti/` of a project comes from. */
export type StateOrigin =
  /** There is none, or nothing that could be used in it. */
  | { readonly from: 'nowhere' }
  /** Tutti made it for this person, on this machine, in this place. */
  | { readonly from: 'here' }
  /** Tutti made it for this person on this machine, and it was moved, copied or restored since. */
  | { readonly from: 'elsewhere'; readonly made: string }
  | { readonly from: 'others'; readonly isTracked: boolean }
  /** It is another user's: not used, even where this user may read and write it. */
  | { readonly from: 'closed'; readonly mayRead: boolean };

type StatePaths = Pick<ProjectPaths, 'root' | 'state'>;

/** Names the state; what it means stands outside of it. */
function idFile({ state }: StatePaths): string {
  return join(state, 'id');
}

function markFile(env: Variables, id: string): string {
  return join(stateFolder(env), 'made', `${id}.json`);
}

/**
 * Looked at before anything in `.tutti/` is opened: whatever is prepared in there could make Tutti run commands. Nothing in
 * the folder itself can prove where it comes from, so the proof is in the person's own state directory.
 */
export function stateOrigin(paths: StatePaths, env: Variables): StateOrigin {
  const { state } = paths;
  if (isClosed(state)) return { from: 'closed', mayRead: false };
  const facts = statSync(state, { throwIfNoEntry: false });
  if (facts?.isDirectory() === true && facts.uid !== process.getuid?.()) {
    return { from: 'closed', mayRead: true };
  }
  const names = facts?.isDirectory() === true ? readdirSync(state, { withFileTypes: true }) : [];
  if (facts === undefined || names.length === 0) return { from: 'nowhere' };
  if (isTracked(state)) return { from: 'others', isTracked: true };
  if (!names.some(holdsSomething)) return { from: 'nowhere' };
  const { ino } = facts;
  const made = readMark(paths, env);
  if (made === null) return { from: 'others', isTracked: false };
  const isSame = made.path === realState(paths) && made.inode === ino;
  return isSame ? { from: 'here' } : { from: 'elsewhere', made: made.path };
}

/**
 * The mark of the processes that were started before the project was moved; null: it was not moved, or is another
 * user's. The processes of a copy are those of its original.
 */
export function markBeforeMove(paths: StatePaths, env: Variables): string | null {
  const origin = stateOrigin(paths, env);
  return origin.from === 'elsewhere' && !existsSync(origin.made) ? projectMark(dirname(origin.made)) : null;
}

/**
 * A disk that was full while the folder was made leaves only these: nothing in them could make Tutti do anything. A link is
 * something, whatever its name: Tutti would write where it leads.
 */
function holdsSomething(entry: Dirent): boolean {
  return !entry.isFile() || (entry.name !== '.gitignore' && !/^\.?id(?:\.|$)/.test(entry.name));
}

/** The path by which the folder is found; it may be a link of the person's to another disk. */
function realState({ root }: StatePaths): string {
  return join(realpathSync(root), '.tutti');
}

/** The random name that the state got when it was made; null: it has none. */
export function readStateId(paths: StatePaths): string | null {
  const id = readText(idFile(paths), { maxBytes: 1000, links: 'refuse' });
  return id.ok && /^[0-9a-f]{32}\n$/.test(id.value) ? id.value.trim() : null;
}

function readMark(paths: StatePaths, env: Variables): StateMark | null {
  const id = readStateId(paths);
  return id === null ? null : markOfId(env, id);
}

function markOfId(env: Variables, id: string): StateMark | null {
  const text = readText(markFile(env, id), { maxBytes: 100_000, links: 'refuse' });
  const json = text.ok ? parseJson(text.value) : null;
  return json?.ok === true ? checkStateMark(json.value) : null;
}

/**
 * The id of a folder that Tutti made here and whose file with the id is gone; null: the file is there, or nothing shows that
 * Tutti made the folder. Path and inode are not enough: another folder in its place may get the same inode, but was created
 * after the mark.
 */
function findLostId(paths: StatePaths, env: Variables): string | null {
  const facts = statSync(paths.state, { throwIfNoEntry: false });
  if (facts?.isDirectory() !== true || existsSync(idFile(paths)) || isTracked(paths.state)) return null;
  if (facts.uid !== process.getuid?.() || !(facts.birthtimeMs > 0)) return null;
  const path = realState(paths);
  for (const name of namesOfMarks(env)) {
    const id = name.replace(/\.json$/, '');
    const mark = /^[0-9a-f]{32}$/.test(id) ? markOfId(env, id) : null;
    const isIts = mark !== null && mark.path === path && mark.inode === facts.ino;
    // The mark has whole milliseconds, and may be of the same one as the folder.
    if (isIts && Math.floor(facts.birthtimeMs) <= Date.parse(mark.made_at)) return id;
  }
  return null;
}

function namesOfMarks(env: Variables): readonly string[] {
  const folder = join(stateFolder(env), 'made');
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
}

/** Writes the id of a folder again that Tutti made here, where it is gone. */
export function restoreId(paths: StatePaths, env: Variables): void {
  const id = findLostId(paths, env);
  if (id !== null) replaceFile(idFile(paths), `${id}\n`);
}

/**
 * The name of the database that the folder had when it was used last. Beside the mark, and not in the folder, where it could be
 * replaced together with the database. Null: no version has recorded it yet.
 */
export function boundLineage(paths: StatePaths, env: Variables): string | null {
  const file = lineageFile(paths, env);
  const text = file === null ? null : readText(file, { maxBytes: 1000, links: 'refuse' });
  return text?.ok === true && text.value !== '' ? text.value.trim() : null;
}

/** Records it. What cannot be recorded now is recorded by the next command. */
export function bindLineage(paths: StatePaths, env: Variables, lineage: string): void {
  if (boundLineage(paths, env) === lineage) return;
  const file = lineageFile(paths, env);
  try {
    if (file !== null) replaceFile(file, `${lineage}\n`);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
  }
}

function lineageFile(paths: StatePaths, env: Variables): string | null {
  const id = readStateId(paths);
  return id === null ? null : join(stateFolder(env), 'made', `${id}.lineage`);
}

/** Makes the folder, or takes one that a person adopted: from now on it is this person's, in this place. */
export function makeState(paths: StatePaths, env: Variables): void {
  makePrivateFolder(paths.state);
  // Git must never see it: it holds prompts and logs.
  writeOnce(join(paths.state, '.gitignore'), '*\n');
  if (stateOrigin(paths, env).from === 'here') return;
  const id = randomBytes(16).toString('hex');
  const mark = {
    path: realState(paths),
    inode: statSync(paths.state).ino,
    made_at: new Date().toISOString(),
  };
  makePrivateFolder(join(stateFolder(env), 'made'));
  replaceFile(markFile(env, id), `${JSON.stringify(mark, null, 2)}\n`);
  replaceFile(idFile(paths), `${id}\n`);
}

/** Not through a link that leads nowhere yet: an empty-looking folder of a clone could name any file of the person's. */
function writeOnce(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

/** Why the folder of another user is not used; null: it is this user's, or is not there. */
export function refuseClosed(paths: StatePaths, env: Variables): Refusal | null {
  const origin = stateOrigin(paths, env);
  return origin.from === 'closed' ? closed(paths, origin.mayRead) : null;
}

/** Whatever this user wrote there, root above all, would lock its owner out. */
function closed({ state }: StatePaths, mayRead: boolean): Refusal {
  const { uid } = statSync(state);
  const name = userName(uid);
  const why = mayRead
    ? `belongs to user ${name}, and Tutti uses only a folder of your own`
    : 'belongs to another user, and you may not read it';
  const as = mayRead ? `work as that user: sudo -u ${shellWord(name)} -i` : 'work as that user';
  return refusal('UNAVAILABLE', `${state} ${why}`, `${as}, or in a clone of your own`);
}

/** As `sudo` takes it: the name in the system's own list, or the number. */
function userName(uid: number): string {
  const list = readText('/etc/passwd', { maxBytes: 10_000_000, links: 'follow' });
  const lines = list.ok ? list.value.split('\n').map((line) => line.split(':')) : [];
  return lines.find(([, , id]) => id === String(uid))?.[0] ?? `#${uid}`;
}

/** Why nothing in the folder is used, with the two ways on; null: it may be used. */
export function refuseState(paths: StatePaths, env: Variables): Refusal | null {
  const origin = stateOrigin(paths, env);
  if (origin.from === 'closed') return closed(paths, origin.mayRead);
  if (origin.from === 'here' || origin.from === 'nowhere') return null;
  if (origin.from === 'others' && findLostId(paths, env) !== null) {
    const message = `${paths.state} is not used, because its file 'id' is missing`;
    return refusal('UNAVAILABLE', message, 'restore it: tutti recover');
  }
  const message = `${paths.state} is not used, because ${whyNot(origin)}`;
  const hasDatabase = existsSync(join(paths.state, 'tutti.db'));
  const look = `look at it and use it: tutti trust --state${hasDatabase ? '' : ', then: tutti recover'}`;
  // While git tracks it, neither a look nor another folder of that name helps.
  const isInGit = origin.from === 'others' && origin.isTracked;
  const hint = isInGit
    ? `${untrackHint(paths)}; then ${look}`
    : `${look}; or move it aside: mv .tutti .tutti-aside`;
  return refusal('UNAVAILABLE', message, hint);
}

export function untrackHint({ state }: StatePaths): string {
  return `take it out of git first: git rm -rq --cached ${shellWord(state)}`;
}

function whyNot(origin: Extract<StateOrigin, { readonly from: 'elsewhere' | 'others' }>): string {
  if (origin.from === 'elsewhere') return `Tutti made it in ${origin.made}, and it was moved or copied`;
  return origin.isTracked ? 'git tracks it' : 'Tutti has not made it for you on this machine';
}
