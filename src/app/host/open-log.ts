import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs';
import { isMachineTrouble } from '../../lib/machine-trouble.ts';

/**
 * What a look at a log brings. The bytes are there until the next piece is asked for. `again`: it was replaced or cut, and
 * what follows begins at byte 0 again.
 */
export type LogNews =
  | { readonly kind: 'bytes'; readonly bytes: Buffer; readonly offset: number }
  | { readonly kind: 'anew' };

/** Small, because the texts made of it are gone sooner: twice as much here is twice as much memory. */
const chunkBytes = 16 * 1024;

/**
 * A log that somebody writes while we read it. It is kept open, so that nothing of it is lost when it is moved to the
 * archive or another one takes its place. It may not be there yet, and an agent may have put anything in its place: what
 * is no file has no bytes.
 */
export class OpenLog implements Disposable {
  readonly #path: () => string | null;
  readonly #buffer = Buffer.allocUnsafe(chunkBytes);
  #file: { readonly descriptor: number; readonly path: string; readonly facts: Stats } | null = null;
  #offset = 0;

  constructor(path: () => string | null) {
    this.#path = path;
  }

  /** Everything that is there now and was not given before, a piece at a time. */
  *news(): Generator<LogNews> {
    yield* this.#rest();
    const next = this.#moveOn();
    if (next === 'another') yield { kind: 'anew' };
    if (next !== 'none') yield* this.#rest();
  }

  [Symbol.dispose](): void {
    if (this.#file !== null) closeSync(this.#file.descriptor);
    this.#file = null;
  }

  *#rest(): Generator<LogNews> {
    if (this.#file === null) return;
    const { descriptor } = this.#file;
    if (fstatSync(descriptor).size < this.#offset) {
      this.#offset = 0;
      yield { kind: 'anew' };
    }
    for (;;) {
      const read = readSync(descriptor, this.#buffer, 0, chunkBytes, this.#offset);
      if (read === 0) return;
      const offset = this.#offset;
      this.#offset += read;
      yield { kind: 'bytes', bytes: this.#buffer.subarray(0, read), offset };
    }
  }

  /** Opens what stands at the path now, if that is not what is open. */
  #moveOn(): 'none' | 'same' | 'another' {
    const before = this.#file;
    const path = this.#path();
    const there = path === null ? undefined : lstatSync(path, { throwIfNoEntry: false });
    if (path === null || there?.isFile() !== true) return 'none';
    if (before !== null && there.ino === before.facts.ino && there.dev === before.facts.dev) return 'none';
    const descriptor = open(path);
    if (descriptor === null) return 'none';
    const facts = fstatSync(descriptor);
    this.#file = { descriptor, path, facts };
    if (before === null) return 'same';
    closeSync(before.descriptor);
    // A copy in the archive is the same log: what was read of the first is not read again.
    if (path !== before.path && facts.size >= this.#offset) return 'same';
    this.#offset = 0;
    return 'another';
  }
}

function open(path: string): number | null {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (isMachineTrouble(error)) throw error;
    return null;
  }
}
