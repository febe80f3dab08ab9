import {
  accessSync,
  constants,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, normalize } from 'node:path';
import { errorCode } from '../error-code.ts';
import { hierarchies, type Place, placesOf } from './cgroup-places.ts';
import { type GroupFile, type GroupLimits, type Held, settings } from './cgroup-settings.ts';

/** One group has a directory in each hierarchy that is needed. A process is moved into all of them. */
export interface OpenedGroup {
  readonly dirs: readonly string[];
  readonly held: ReadonlySet<Held>;
}

/**
 * Makes a group below the own one, never elsewhere, and sets what the system lets us set. Version 2 is asked first: only
 * it can end a whole group at once. Nothing here fails: what could not be done is not in `held`.
 */
export function openGroup(name: string, limits: GroupLimits, procRoot = '/proc'): OpenedGroup {
  const own = placesOf('self', hierarchies(procRoot), procRoot).filter(isOurs);
  const unified = own.find(({ hierarchy }) => hierarchy.version === 2);
  const dirs: string[] = [];
  const held = new Set<Held>();
  const open = (place: Place | undefined): string | null => {
    const dir = place === undefined ? null : makeGroup(join(place.dir, name));
    if (dir !== null && !dirs.includes(dir)) dirs.push(dir);
    return dir;
  };
  const united = open(unified);
  for (const { held: what, controller, files } of settings(limits)) {
    const passesOn = unified !== undefined && delegates(unified.dir, controller);
    if (passesOn && united !== null && setAll(united, files[2])) held.add(what);
    const divided = held.has(what) ? null : open(own.find((place) => controls(place, controller)));
    if (divided !== null && setAll(divided, files[1])) held.add(what);
  }
  // Without version 2 any group will do to find its members again.
  if (dirs.length === 0) open(own.find((place) => controls(place, 'pids') || controls(place, 'freezer')));
  return { dirs, held };
}

/** Where a group of this name would be, had we made it. */
export function ownGroupDirs(name: string, procRoot = '/proc'): readonly string[] {
  return placesOf('self', hierarchies(procRoot), procRoot).map(({ dir }) => join(dir, name));
}

/** Is it a group of exactly this name in a hierarchy that is mounted here? */
export function isGroupDir(dir: string, name: string, procRoot = '/proc'): boolean {
  if (!dir.endsWith(`/${name}`) || normalize(dir) !== dir) return false;
  return hierarchies(procRoot).some(({ mount }) => dir.startsWith(`${mount}/`));
}

/** With the groups that its members made below it. One that is not empty stays: the kernel refuses. True: it is gone. */
export function removeGroup(dir: string, depth = 8): boolean {
  try {
    for (const entry of depth > 0 ? readdirSync(dir, { withFileTypes: true }) : []) {
      if (entry.isDirectory()) removeGroup(join(dir, entry.name), depth - 1);
    }
    rmdirSync(dir);
    return true;
  } catch (error) {
    // Otherwise a process is still in it.
    return errorCode(error) === 'ENOENT';
  }
}

/** A younger one may still wait for its first member. */
const oldMs = 10 * 60_000;
/** What a process started just before its death has joined by then. */
const abandonedMs = 10_000;

/**
 * Empty groups below the own one that nobody lived to remove. The kernel keeps those that have members. `isAbandoned`: whether
 * the process is dead that alone could still put a member into the group, or into one below it.
 */
export function sweepGroups(
  accepts: (name: string) => boolean,
  isAbandoned: (name: string) => boolean,
  now: number,
  procRoot = '/proc',
): void {
  for (const { dir } of placesOf('self', hierarchies(procRoot), procRoot)) {
    for (const name of namesIn(dir).filter(accepts)) {
      const madeAt = statSync(join(dir, name), { throwIfNoEntry: false })?.mtimeMs ?? now;
      if (now - madeAt > abandonedMs && isAbandoned(name)) removeGroup(join(dir, name));
      else if (now - madeAt > oldMs) removeGroup(join(dir, name), 0);
    }
  }
}

function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

/** False: the system has no such file, or does not let us. Never makes one. */
export function setGroupFile(dir: string, file: string, value: string): boolean {
  try {
    writeFileSync(join(dir, file), value, { flag: 'r+' });
    return true;
  } catch {
    return false;
  }
}

/** May we make groups below it, and move processes from it into them? */
function isOurs({ dir }: Place): boolean {
  try {
    accessSync(dir, constants.W_OK);
    accessSync(join(dir, 'cgroup.procs'), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function controls({ hierarchy }: Place, controller: string): boolean {
  return hierarchy.version === 1 && hierarchy.controllers.includes(controller);
}

/** Does version 2 pass the controller on to groups below? It refuses where the group has processes of its own. */
function delegates(dir: string, controller: string): boolean {
  const listed = (file: string): boolean => {
    try {
      return readFileSync(join(dir, file), 'utf8').trim().split(/\s+/).includes(controller);
    } catch {
      return false;
    }
  };
  if (!listed('cgroup.controllers')) return false;
  return listed('cgroup.subtree_control') || setGroupFile(dir, 'cgroup.subtree_control', `+${controller}`);
}

/** Null: the system does not let us. */
export function makeGroup(dir: string): string | null {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o755 });
    return dir;
  } catch {
    return null;
  }
}

function setAll(dir: string, files: readonly GroupFile[]): boolean {
  const [done] = files.map(([file, value]) => setGroupFile(dir, file, value));
  return done ?? false;
}
