import { basename, dirname, join } from 'node:path';
import { readText } from '../../lib/read-text.ts';
import { replaceFile } from '../../lib/atomic-file.ts';
import { digestText } from '../../lib/digest.ts';
import {
  isGroupDir,
  makeGroup,
  type OpenedGroup,
  openGroup,
  ownGroupDirs,
  removeGroup,
  sweepGroups,
} from '../../lib/process/cgroup.ts';
import { groupMembers, killGroups } from '../../lib/process/cgroup-members.ts';
import type { GroupLimits } from '../../lib/process/cgroup-settings.ts';
import { system } from '../../lib/process/system.ts';
import { fileOf } from '../attempt-files.ts';

/**
 * The control group of a session: whatever a member does to its parents, its session or its environment, it stays in it.
 * No sandbox: who may write to the system's groups can move itself out. Its name is a function of the attempt's marker, so that the next process knows it.
 */
const prefix = 'tutti@';
export const noLimits: GroupLimits = { memoryBytes: null, processes: null, cpuPercent: null };
const longestScope = 180;
const ofCommands = '@commands-';
const ofCommand = '@command-';
/** Where the launcher's side was told to make it; written by us, read like anything an agent could have written. */
const file = 'cgroup';
const maxBytes = 64 * 1024;

/** `tutti@<project>:<run>@<digest>`, in characters that no path and no shell minds. */
export function groupName(marker: string): string {
  return `${prefix}${shortScope(scopeOf(marker))}@${digestText(marker).slice(0, 16)}`;
}

/** A group of Tutti, of whatever project: what is in it comes from an agent, or runs what one wrote. */
export function isGroupName(name: string): boolean {
  return name.startsWith(prefix);
}

/** The group of a command of a run, or of all of them, and not that of a session. */
export function isCommandGroup(name: string): boolean {
  return isGroupName(name) && (name.includes(ofCommands) || name.includes(ofCommand));
}

/** `<project>:<run>`, of the name of a group. Null: it is no group of Tutti, or its name does not contain the run. */
export function scopeOfGroup(name: string): string | null {
  const [scope = ''] = isGroupName(name) ? name.slice(prefix.length).split('@') : [];
  try {
    return scope === '' ? null : decodeURIComponent(scope);
  } catch {
    // Any process can make a group of any name.
    return null;
  }
}

/** The group of all commands of a run that a process started which is dead. */
function isAbandoned(name: string): boolean {
  const [, pid] = /@commands-(\d+)$/.exec(name) ?? [];
  return pid !== undefined && system().one(Number(pid)) === null;
}

/** The groups of one attempt, be it a session or the commands of an operation. */
export function isGroupOfAttempt(marker: string): (name: string) => boolean {
  const session = groupName(marker);
  const command = commandName(marker);
  return (name) => name === session || name.startsWith(command);
}

/** The groups of all attempts of a run and of the runs inside it; `scope` is `<project>:<run>`. */
export function isGroupOfRun(scope: string): (name: string) => boolean {
  const own = encodeURIComponent(scope);
  return (name) => name.startsWith(`${prefix}${own}@`) || name.startsWith(`${prefix}${own}.`);
}

/** The groups of all sessions of a project; those of commands are no sessions. */
export function isGroupOfProject(project: string): (name: string) => boolean {
  const own = `${prefix}${encodeURIComponent(`${project}:`)}`;
  return (name) => name.startsWith(own) && !isCommandGroup(name);
}

export function openSessionGroup(dir: string, marker: string, limits: GroupLimits): OpenedGroup {
  sweepGroups(isGroupName, isAbandoned, Date.now());
  const opened = openGroup(groupName(marker), limits);
  if (opened.dirs.length > 0) replaceFile(fileOf(dir, file), `${opened.dirs.join('\n')}\n`);
  return opened;
}

/**
 * The group of the commands of a run that this process starts: they run what agents wrote. One for all of them, because
 * moving a process costs milliseconds, and a member of the group passes it on. Empty where the system offers none.
 */
export function openCommandGroup(scope: string): readonly string[] {
  sweepGroups(isGroupName, isAbandoned, Date.now());
  const { dirs } = openGroup(`${prefix}${shortScope(scope)}${ofCommands}${process.pid}`, noLimits);
  if (opened === null) process.once('exit', removeOpened);
  opened = new Set([...(opened ?? []), ...dirs]);
  return dirs;
}

/** A command's own group. */
export interface CommandGroup {
  readonly dirs: readonly string[];
  /** `-` where there is none. */
  readonly name: string;
}

export const noCommandGroup: CommandGroup = { dirs: [], name: '-' };

/**
 * The group of one command, below that of all commands of its run: its end must not touch the others. An attempt may have
 * several commands: `start` tells their starts apart.
 */
export function openOwnGroup(groups: readonly string[], marker: string, start: string): CommandGroup {
  const name = `${commandName(marker)}${digestText(start).slice(0, 8)}`;
  const dirs = groups.map((group) => makeGroup(join(group, name)));
  return dirs.length > 0 && dirs.every((dir) => dir !== null) ? { dirs, name } : { dirs: groups, name: '-' };
}

function commandName(marker: string): string {
  return `${prefix}${shortScope(scopeOf(marker))}${ofCommand}${digestText(marker).slice(0, 16)}-`;
}

let opened: ReadonlySet<string> | null = null;

/** What lives longer than this process keeps its group, which a later one removes. */
function removeOpened(): void {
  removeGroups([...(opened ?? [])]);
}

/** Those that are empty. */
export function removeGroups(dirs: readonly string[]): void {
  for (const dir of dirs) removeGroup(dir);
  opened = new Set([...(opened ?? [])].filter((dir) => !dirs.includes(dir)));
}

/** Empty ones only. Nothing but a group of exactly this attempt's name is ever touched, whatever the file says. */
export function removeSessionGroup(dir: string, marker: string): void {
  const name = groupName(marker);
  const text = readText(fileOf(dir, file), { maxBytes, links: 'refuse' });
  const recorded = text.ok ? text.value.split('\n').filter((line) => isGroupDir(line, name)) : [];
  for (const group of new Set([...recorded, ...ownGroupDirs(name)])) {
    removeGroup(group);
    // The session around it may have ended long ago, and left its group to those who were still inside.
    for (let outer = dirname(group); isGroupName(basename(outer)); outer = dirname(outer))
      removeGroup(outer, 0);
  }
}

/** Ends and afterwards removes the groups of accepted names, wherever they were made. */
export class GroupSweep {
  readonly #accepts: (name: string) => boolean;
  readonly #seen = new Set<string>();

  constructor(accepts: (name: string) => boolean) {
    this.#accepts = accepts;
  }

  /** Before the end: an empty group can no longer be found by its members. */
  readonly look = (): void => {
    for (const dir of groupMembers(this.#accepts).dirs) this.#seen.add(dir);
  };

  readonly kill = (): void => {
    this.look();
    killGroups([...this.#seen]);
  };

  remove(): void {
    for (const dir of this.#seen) removeGroup(dir);
  }
}

function shortScope(scope: string): string {
  const name = encodeURIComponent(scope);
  return name.length > longestScope ? `~${digestText(name).slice(0, 16)}` : name;
}

/** `<project>:<run>`, of the marker of an attempt. */
export function scopeOf(marker: string): string {
  const end = marker.indexOf('#');
  return end < 0 ? marker : marker.slice(0, end);
}
