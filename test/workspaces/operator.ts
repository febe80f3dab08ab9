import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Git's own store of contents, and the names that are Tutti's there. */
const tuttis = /^\.git\/(objects|refs\/tutti|refs\/heads\/tutti|logs\/refs\/heads\/tutti)(\/|$)/;

/** Every file of an operator's checkout with its content, mode and time: the index, refs, stash and configuration too. */
export function operatorsThings(root: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const folders = [''];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    for (const entry of readdirSync(join(root, at), { withFileTypes: true })) {
      const path = at === '' ? entry.name : `${at}/${entry.name}`;
      if (tuttis.test(path)) continue;
      if (entry.isDirectory()) folders.push(path);
      else found.set(path, stateOf(join(root, path)));
    }
  }
  return found;
}

function stateOf(path: string): string {
  const { mode, mtimeMs } = lstatSync(path);
  const content = lstatSync(path).isSymbolicLink() ? readlinkSync(path) : readFileSync(path);
  return `${mode.toString(8)} ${mtimeMs} ${createHash('sha256').update(content).digest('hex')}`;
}

/** What differs between two looks. */
export function differences(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name)).toSorted();
}
