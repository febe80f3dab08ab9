import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { makePrivateFolder } from '../../lib/atomic-file.ts';
import { isSafeId } from '../../lib/ids.ts';
import { readText } from '../../lib/read-text.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { Store } from '../../model/ports/store.ts';
import type { StopWish, StopWishes } from '../../model/ports/stop-wishes.ts';
import type { ProjectPaths } from '../project.ts';
import { stateFolder, type Variables } from '../state-folder.ts';

/** The stronger the earlier. `hold`: the run's holder could not write, so only a person may continue the run. */
const marks = ['stop', 'halt', 'hold'] as const;
type Mark = (typeof marks)[number];

/** What the database does not say about a run. */
export interface KeptWish {
  readonly runId: string;
  readonly mark: Mark;
  readonly why: string;
  /** Who wants it; null: not known, which counts as a person. */
  readonly by: string | null;
  /** When it was kept; null: only in memory. */
  readonly since: number | null;
}

const maxBytes = 16 * 1024;
const maxReason = 1000;

/** Where a wish is kept that the database does not take, in the order in which they are tried. */
function placesOf({ state, mark }: ProjectPaths, env: Variables): readonly string[] {
  const runtime = env['XDG_RUNTIME_DIR'] ?? '';
  return [
    join(state, 'wishes'),
    join(stateFolder(env), 'wishes', mark),
    ...(isAbsolute(runtime) ? [join(runtime, 'tutti', 'wishes', mark)] : []),
  ];
}

/**
 * Wishes to stop, in memory and as files `<run>.<mark>` outside the database. The name alone says it: on a full disk a file
 * can often be created and not filled.
 */
export class KeptWishes implements StopWishes {
  readonly #places: readonly string[];
  readonly #store: Pick<Store, 'cancel' | 'halt'>;
  readonly #memory = new Map<string, Pick<KeptWish, 'why' | 'by'> & { readonly mark: StopWish }>();
  readonly #troubled = new Map<string, string>();
  readonly #subscribers = new Set<() => void>();

  constructor(paths: ProjectPaths, env: Variables, store: Pick<Store, 'cancel' | 'halt'>) {
    this.#places = placesOf(paths, env);
    this.#store = store;
  }

  /** From now on this process launches nothing of the run. */
  want(runId: string, mark: StopWish, why: string, by: string): void {
    if (this.#memory.get(runId)?.mark !== 'stop') this.#memory.set(runId, { mark, why, by });
    for (const subscriber of this.#subscribers) subscriber();
  }

  /** Keeps it for other processes: the path of the file; null when no place accepts it. */
  keep(runId: string, mark: Mark, why: string, by: string | null = null): string | null {
    let empty: string | null = null;
    for (const place of this.#places) {
      const path = join(place, `${runId}.${mark}`);
      try {
        // A project whose state was removed is not given a new one.
        if (place === this.#places[0] && !existsSync(dirname(place))) continue;
        makePrivateFolder(place);
        writeFileSync(path, '', { flag: 'a', mode: 0o600 });
      } catch {
        continue;
      }
      if (fill(path, why, by)) return path;
      // The name says it; the reason may fit elsewhere.
      empty ??= path;
    }
    return empty;
  }

  of(runId: string): StopWish | null {
    const mark = this.find(runId)?.mark ?? null;
    return mark === 'hold' ? null : mark;
  }

  find(runId: string): KeptWish | null {
    const wanted = this.#memory.get(runId);
    if (wanted?.mark === 'stop') return { ...wanted, runId, since: null };
    if (!isSafeId(runId)) return null;
    for (const mark of marks) {
      if (wanted?.mark === mark) return { ...wanted, runId, since: null };
      const kept = this.#files(runId, mark).filter((file) => existsSync(file));
      const [first] = kept;
      if (first !== undefined) return { runId, mark, ...contentOf(mark, kept), since: sinceOf(first) };
    }
    return null;
  }

  /** When a stop of the run was kept; null: there is none, or only in memory. */
  stoppedSince(runId: string): number | null {
    const kept = this.find(runId);
    return kept?.mark === 'stop' ? kept.since : null;
  }

  /** Every run of which the database does not say all. */
  all(): readonly KeptWish[] {
    const ids = new Set(this.#memory.keys());
    for (const place of this.#places) for (const id of idsIn(place)) ids.add(id);
    return [...ids].flatMap((id) => this.find(id) ?? []);
  }

  /** Whether the wish would be gone with this process. */
  isOnlyInMemory(runId: string): boolean {
    return (
      this.#memory.has(runId) &&
      !marks.some((mark) => this.#files(runId, mark).some((file) => existsSync(file)))
    );
  }

  async record(runId: string): Promise<void> {
    const found = this.find(runId);
    if (found === null || found.mark === 'hold') return;
    const { mark, why, by } = found;
    try {
      if (mark === 'stop') await this.#store.cancel(runId, by);
      else await this.#store.halt(runId, why, by);
    } catch (error) {
      this.keep(runId, mark, why, by);
      throw error;
    }
    this.forget(runId);
  }

  /** The database knows it, or a person wants something else now. */
  forget(runId: string): void {
    this.#memory.delete(runId);
    for (const mark of marks) for (const file of this.#files(runId, mark)) remove(file);
  }

  subscribe(callback: () => void): Disposable {
    this.#subscribers.add(callback);
    return {
      [Symbol.dispose]: () => {
        this.#subscribers.delete(callback);
      },
    };
  }

  sawHolder(runId: string, trouble: Error | null): void {
    if (trouble !== null) {
      this.#troubled.set(runId, trouble.message);
      this.keep(runId, 'hold', trouble.message);
    } else if (this.#troubled.has(runId)) this.release(runId);
  }

  /** The holder can write again, or a person continues the run. */
  release(runId: string): void {
    this.#troubled.delete(runId);
    for (const file of this.#files(runId, 'hold')) remove(file);
  }

  /** The database is in order again: what a holder could not write is over, and a person still continues the run. */
  noteRecovery(): void {
    for (const { runId, mark } of this.all()) if (mark === 'hold') this.keep(runId, mark, recovered);
  }

  /** Why this process cannot write about a run that it holds; null: it can. */
  trouble(runId: string): string | null {
    return this.#troubled.get(runId) ?? null;
  }

  #files(runId: string, mark: Mark): readonly string[] {
    return this.#places.map((place) => join(place, `${runId}.${mark}`));
  }
}

/** The reason in one line, and who has it in the next. On a full disk both are lost, and the wish counts as a person's. */
function fill(path: string, why: string, by: string | null): boolean {
  const author = by === null ? '' : `\n${oneLine(by, 300)}`;
  try {
    writeFileSync(path, `${oneLine(why, maxReason)}${author}`, { mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // What cannot be removed is recorded again, which changes nothing.
  }
}

function idsIn(place: string): readonly string[] {
  let names: readonly string[];
  try {
    names = readdirSync(place);
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    const mark = marks.find((each) => name.endsWith(`.${each}`));
    const id = mark === undefined ? '' : name.slice(0, -mark.length - 1);
    return isSafeId(id) ? [id] : [];
  });
}

/** Of the first file that could be filled. */
function contentOf(mark: Mark, paths: readonly string[]): Pick<KeptWish, 'why' | 'by'> {
  const texts = paths.map((path) => readText(path, { maxBytes, links: 'refuse' }));
  const [filled = ''] = texts.flatMap((text) => (text.ok && text.value !== '' ? [text.value] : []));
  const [why = '', by = null] = filled.split('\n');
  return { why: why === '' && mark === 'hold' ? unknownTrouble : why, by };
}

/** Why a holder could not write, where that could not be written either. */
const unknownTrouble = 'not even the reason could be written, as on a full or read-only disk';

const recovered = 'its process could not write before the last recovery';

/** Whether the trouble that a holder had was over when the database was recovered. */
export function isRecovered({ mark, why }: Pick<KeptWish, 'mark' | 'why'>): boolean {
  return mark === 'hold' && why === recovered;
}

function sinceOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
}
