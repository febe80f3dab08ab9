import { closeSync, openSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder } from '../lib/atomic-file.ts';
import type { Lineage } from '../model/ports/recovery-records.ts';
import { syncPath } from '../lib/sync-path.ts';

/** Copies that are kept of one database. */
const copiesKept = 3;

/** How long a database is kept that another one has replaced, so that its runs can be brought back. */
const replacedKeptMs = 30 * 24 * 60 * 60_000;

/** A database that was made before databases had a name. */
export const unnamed = 'unnamed';

/**
 * The folder outside a project that keeps what its database would take with it: numbered copies (`7.db`), and the changes
 * that were made after each (`7.changes`). A project that was made again at the same path has another lineage, in a folder
 * of its own.
 */
export class BackupFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  copy({ id, backup }: Pick<Lineage, 'id' | 'backup'>): string {
    return join(this.path, id, `${backup}.db`);
  }

  changes({ id, backup }: Pick<Lineage, 'id' | 'backup'>): string {
    return join(this.path, id, `${backup}.changes`);
  }

  /** The names of all databases that something is kept of, the one that was written last first. */
  lineages(): readonly string[] {
    return namesIn(this.path)
      .map((id) => ({ id, at: Math.max(0, ...this.#times(id)) }))
      .filter(({ at }) => at > 0)
      .toSorted((a, b) => b.at - a.at)
      .map(({ id }) => id);
  }

  /** Numbers of the copies, newest first. */
  copies(id: string): readonly number[] {
    return numbered(namesIn(join(this.path, id)), 'db').toReversed();
  }

  /** Numbers of the logs of changes, oldest first. */
  logs(id: string): readonly number[] {
    return numbered(namesIn(join(this.path, id)), 'changes');
  }

  /** When a copy was last made, or begun; or when the database was, if all its changes are kept. Null: never. */
  copiedAt(id: string): number | null {
    const times = namesIn(join(this.path, id))
      .filter((name) => /^\d+\.db(\.tmp)?$/.test(name))
      .map((name) => modifiedAt(join(this.path, id, name)));
    return times.length > 0 ? Math.max(...times) : this.#begunAt(id);
  }

  /** An empty private file for a copy to be written to; until it is complete, it has another name. */
  begin(lineage: Pick<Lineage, 'id' | 'backup'>): string {
    const unfinished = `${this.copy(lineage)}.tmp`;
    makePrivateFolder(join(this.path, lineage.id));
    rmSync(unfinished, { force: true });
    closeSync(openSync(unfinished, 'wx', 0o600));
    return unfinished;
  }

  /** Accepts a copy that was written completely at this instant, and removes what it replaces. */
  finish(lineage: Pick<Lineage, 'id' | 'backup'>, at: number): void {
    const path = this.copy(lineage);
    utimesSync(`${path}.tmp`, at / 1000, at / 1000);
    syncPath(`${path}.tmp`);
    renameSync(`${path}.tmp`, path);
    syncPath(join(this.path, lineage.id));
    this.#prune(lineage.id, at);
  }

  #begunAt(id: string): number | null {
    const first = statSync(this.changes({ id, backup: 0 }), { throwIfNoEntry: false });
    return first === undefined ? null : first.birthtimeMs;
  }

  #prune(id: string, now: number): void {
    const folder = join(this.path, id);
    const kept = this.copies(id).slice(0, copiesKept);
    const oldest = kept.at(-1) ?? 0;
    for (const name of namesIn(folder)) {
      const number = Number.parseInt(name, 10);
      const isLeftOver = name.endsWith('.tmp') && number <= (kept[0] ?? 0);
      if (number < oldest || isLeftOver) rmSync(join(folder, name), { force: true });
    }
    if (kept.length < copiesKept) return;
    for (const other of namesIn(this.path)) {
      const isOld = Math.max(0, ...this.#times(other)) < now - replacedKeptMs;
      if (other !== id && isOld) rmSync(join(this.path, other), { recursive: true, force: true });
    }
  }

  #times(id: string): readonly number[] {
    const folder = join(this.path, id);
    return namesIn(folder).map((name) => modifiedAt(join(folder, name)));
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function numbered(names: readonly string[], extension: string): readonly number[] {
  return names
    .filter((name) => new RegExp(`^\\d+\\.${extension}$`).test(name))
    .map((name) => Number.parseInt(name, 10))
    .toSorted((a, b) => a - b);
}

function modifiedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
