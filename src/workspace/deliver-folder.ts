import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { probe } from '../lib/probe.ts';
import { err, ok, type Result } from '../lib/result.ts';
import type { Delivery, Target } from '../model/workspace.ts';
import { baseRef, deliveredRef } from './refs.ts';
import { commitAt, moveRefs, repositoryText } from './repository.ts';
import { type ChangedEntry, changedEntries } from './entries.ts';
import { goneAt, type HandFiles, handFiles } from './hand-files.ts';

/**
 * Writes what changed since the last delivery into a folder that is in no repository. Everything is compared first: a
 * file that is neither as it was nor as it will be was changed by somebody, and then nothing is written. Each file is put
 * in place whole, so it can be repeated after a crash.
 */
export async function deliverFolder(target: Target, tip: string): Promise<Result<Delivery, string>> {
  const from = (await commitAt(target, deliveredRef(target))) ?? (await commitAt(target, baseRef(target)));
  if (from === null) return err('there is no snapshot to compare with');
  const changed = await changedEntries(target, from, tip);
  if (!changed.ok) return changed;
  const hand = await handFiles(target, from);
  const entries = [...changed.value, ...(await takenAndGone(target, tip, changed.value, hand))];
  if (entries.length === 0) return ok({ at: 'nothing' });
  const going = new Set(entries.flatMap(({ status, path }) => (status === 'D' ? [path] : [])));
  const due: ChangedEntry[] = [];
  const foreign: string[] = [];
  for (const entry of entries) {
    const now = await stateOf(target, entry, going, hand);
    if (now === 'foreign') foreign.push(entry.path);
    else if (now === 'old') due.push(entry);
  }
  if (foreign.length > 0) {
    const reason = 'these were changed in the folder since the work began; move your changes away first';
    return ok({ at: 'refused', reason, files: foreign });
  }
  mkdirSync(target.dir, { recursive: true });
  const written = await write(target, tip, due);
  if (!written.ok) return written;
  probe('deliver:written');
  const moved = await moveRefs(target, [`update ${deliveredRef(target)} ${tip}`]);
  return moved.ok ? ok({ at: 'delivered', commit: tip, files: entries.length, branch: null }) : moved;
}

/** What was done by hand, and removed by a later task; one that somebody changed since is theirs. */
async function takenAndGone(
  target: Target,
  tip: string,
  changed: readonly ChangedEntry[],
  hand: HandFiles,
): Promise<readonly ChangedEntry[]> {
  const known = new Set(changed.map(({ path }) => path));
  const entries: ChangedEntry[] = [];
  for (const entry of await goneAt(target, tip, hand)) {
    const isDue = !known.has(entry.path) && (await stateOf(target, entry, new Set(), hand)) === 'old';
    if (isDue) entries.push(entry);
  }
  return entries;
}

/** Is the file as it was, as it will be, or neither? */
async function stateOf(
  target: Target,
  entry: ChangedEntry,
  going: ReadonlySet<string>,
  hand: HandFiles,
): Promise<'old' | 'new' | 'foreign'> {
  const now = await nowAt(target, entry.path, going);
  if (now === `${entry.mode} ${entry.blob}` || (now === null && entry.status === 'D')) return 'new';
  if (now === `${entry.oldMode} ${entry.oldBlob}` || (now === null && entry.status === 'A')) return 'old';
  // What the branch took from here is in its history.
  if (now !== null && hand.get(entry.path)?.has(now) === true) return 'old';
  return 'foreign';
}

/** Mode and content as git says them; null where nothing is, or nothing will be left. */
async function nowAt(target: Target, path: string, going: ReadonlySet<string>): Promise<string | null> {
  const way = wayTo(target.dir, path, going);
  if (way !== 'plain') return way === 'none' ? null : 'elsewhere';
  const full = join(target.dir, path);
  const facts = lstatSync(full, { throwIfNoEntry: false });
  if (facts === undefined) return null;
  if (facts.isDirectory()) return isGoing(target.dir, path, going) ? null : 'folder';
  if (facts.isSymbolicLink()) {
    const hashed = await repositoryText(target, ['hash-object', '--stdin'], { input: readlinkSync(full) });
    return hashed.ok ? `120000 ${hashed.value}` : 'unread';
  }
  if (!facts.isFile()) return 'no file';
  const hashed = await repositoryText(target, ['hash-object', '--', path], { workTree: target.dir });
  const mode = (facts.mode & 0o100) === 0 ? '100644' : '100755';
  return hashed.ok ? `${mode} ${hashed.value}` : 'unread';
}

/** Are all folders on the way folders, as far as they exist? A link among them leads to somebody else's. */
function wayTo(root: string, path: string, going: ReadonlySet<string>): 'plain' | 'none' | 'elsewhere' {
  const parts = path.split('/').slice(0, -1);
  for (let length = 1; length <= parts.length; length += 1) {
    const folder = parts.slice(0, length).join('/');
    const facts = lstatSync(join(root, folder), { throwIfNoEntry: false });
    if (facts === undefined || (going.has(folder) && !facts.isDirectory())) return 'none';
    if (!facts.isDirectory()) return 'elsewhere';
  }
  return 'plain';
}

function isGoing(root: string, folder: string, going: ReadonlySet<string>): boolean {
  return readdirSync(join(root, folder), { withFileTypes: true }).every((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? isGoing(root, path, going) : going.has(path);
  });
}

async function write(
  target: Target,
  tip: string,
  due: readonly ChangedEntry[],
): Promise<Result<null, string>> {
  const staging = join(target.state, 'delivery');
  rmSync(staging, { recursive: true, force: true });
  const written = due.filter(({ status }) => status !== 'D');
  const index = join(target.state, 'index', 'delivery');
  rmSync(`${index}.lock`, { force: true });
  const listed = await repositoryText(target, ['read-tree', tip], { index });
  if (!listed.ok) return listed;
  const input = written.map(({ path }) => `${path}\0`).join('');
  mkdirSync(staging, { recursive: true, mode: 0o700 });
  const args = ['checkout-index', '-f', '-z', '--stdin'];
  const staged = await repositoryText(target, args, { workTree: staging, index, input });
  if (!staged.ok) return staged;
  for (const { path, status } of due) {
    if (status !== 'D') continue;
    remove(target.dir, path);
    probe('deliver:file');
  }
  for (const { path } of written) {
    place(join(staging, path), join(target.dir, path));
    probe('deliver:file');
  }
  rmSync(staging, { recursive: true, force: true });
  return ok(null);
}

/** With the folders that it leaves empty. */
function remove(root: string, path: string): void {
  rmSync(join(root, path), { force: true });
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    try {
      rmdirSync(join(root, folder));
    } catch {
      return;
    }
  }
}

function place(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  const temporary = join(dirname(to), `.${basename(to)}.tutti-new`);
  rmSync(temporary, { force: true });
  if (lstatSync(from).isSymbolicLink()) symlinkSync(readlinkSync(from), temporary);
  else copyFileSync(from, temporary);
  renameSync(temporary, to);
}
