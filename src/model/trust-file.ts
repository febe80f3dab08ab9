import { isList, isObject, type Json, type JsonObject } from '../lib/json.ts';

/** What of a repository a person trusts. */
export interface TrustRecord {
  /** When a person trusted the repository; null: only files that Tutti wrote there at a person's command count. */
  readonly at: string | null;
  /** Digests by path, newest first: one for each state that was trusted, so that another branch does not ask again. */
  readonly surfaces: ReadonlyMap<string, readonly string[]>;
  /** Commands that its files suggest: install, test, lint. */
  readonly commands: readonly string[];
  /** What a person chose to work without, by its state; null: nothing. */
  readonly declined: string | null;
}

/** By the repository's root. */
export type TrustRecords = ReadonlyMap<string, TrustRecord>;

/** Where and when Tutti made a `.tutti/`. */
export interface StateMark {
  readonly path: string;
  readonly inode: number;
  readonly made_at: string;
}

const mostDigests = 100;

/**
 * What `trust.json` holds; null: it is not what Tutti wrote. Every command reads it, and loading a schema would cost more than
 * the command itself, so this and the mark are checked by hand. Version 1 kept one digest for a path.
 */
export function checkTrustFile(value: Json): TrustRecords | null {
  if (!isExactly(value, ['version', 'repositories'])) return null;
  const { version, repositories = null } = value;
  if ((version !== 1 && version !== 2) || !isObject(repositories)) return null;
  const records = new Map<string, TrustRecord>();
  for (const [root, repository] of Object.entries(repositories)) {
    const record = checkRepository(repository);
    if (record === null || !isPath(root)) return null;
    records.set(root, record);
  }
  return records;
}

function checkRepository(value: Json): TrustRecord | null {
  if (!isExactly(value, ['trusted_at', 'surfaces', 'commands', 'declined'])) return null;
  const { trusted_at: at, surfaces: listed = null, commands = [], declined = null } = value;
  const surfaces = checkSurfaces(listed);
  if (surfaces === null || !isListOf(commands, isText)) return null;
  if (declined !== null && !isDigest(declined)) return null;
  return at === null || isInstant(at) ? { at, surfaces, commands, declined } : null;
}

function checkSurfaces(value: Json): TrustRecord['surfaces'] | null {
  if (!isObject(value)) return null;
  const surfaces = new Map<string, readonly string[]>();
  for (const [path, digests] of Object.entries(value)) {
    const list = isDigest(digests) ? [digests] : digests;
    if (!isListOf(list, isDigest) || list.length > mostDigests) return null;
    surfaces.set(path, list);
  }
  return surfaces;
}

/** The mark; null: this is not what Tutti wrote. */
export function checkStateMark(value: Json): StateMark | null {
  if (!isExactly(value, ['path', 'inode', 'made_at'])) return null;
  const { path, inode, made_at } = value;
  return isPath(path) && isWhole(inode) && isInstant(made_at) ? { path, inode, made_at } : null;
}

/** An object without other members than these. */
function isExactly(value: Json, members: readonly string[]): value is JsonObject {
  return isObject(value) && Object.keys(value).every((member) => members.includes(member));
}

function isListOf(value: Json, is: (item: Json) => item is string): value is readonly string[] {
  return isList(value) && value.every(is);
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string';
}

function isPath(value: Json | undefined): value is string {
  return isText(value) && value.startsWith('/');
}

function isDigest(value: Json): value is string {
  return isText(value) && /^[0-9a-f]{32}$/.test(value);
}

function isWhole(value: Json | undefined): value is number {
  return Number.isSafeInteger(value);
}

function isInstant(value: Json | undefined): value is string {
  return (
    isText(value) &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value) &&
    !Number.isNaN(Date.parse(value))
  );
}
