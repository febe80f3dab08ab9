import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { appendText } from '../../lib/atomic-file.ts';
import { type HookEvent, recordedHook } from '../../model/hook.ts';

const file = 'hooks.jsonl';
/** More than any person's session says; an agent that writes there by itself is not followed further. */
const maxBytes = 16 * 1024 * 1024;
const chunkBytes = 64 * 1024;

/** One line in one write at the end of the file, so that hooks which run side by side do not mix. */
export function appendHook(dir: string, hook: HookEvent): void {
  appendText(join(dir, file), `${JSON.stringify(hook)}\n`);
}

/** Reads the lines that came since; a line that is not complete yet is left for the next time. */
export class HookFile {
  readonly #path: string;
  #offset = 0;
  #rest = Buffer.alloc(0);

  constructor(dir: string) {
    this.#path = join(dir, file);
  }

  read(): readonly HookEvent[] {
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
    let descriptor: number;
    try {
      descriptor = openSync(this.#path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    } catch {
      return [];
    }
    try {
      return fstatSync(descriptor).isFile() ? this.#readFrom(descriptor) : [];
    } finally {
      closeSync(descriptor);
    }
  }

  #readFrom(descriptor: number): readonly HookEvent[] {
    const events: HookEvent[] = [];
    const chunk = Buffer.alloc(chunkBytes);
    while (this.#offset < maxBytes) {
      const length = readSync(descriptor, chunk, 0, chunk.length, this.#offset);
      if (length === 0) break;
      this.#offset += length;
      const bytes = Buffer.concat([this.#rest, chunk.subarray(0, length)]);
      const end = bytes.lastIndexOf(10) + 1;
      // A line longer than a chunk is none of ours.
      this.#rest = bytes.length - end > chunkBytes ? Buffer.alloc(0) : bytes.subarray(end);
      for (const line of bytes.subarray(0, end).toString('utf8').split('\n')) {
        const event = eventOf(line);
        if (event !== null) events.push(event);
      }
    }
    return events;
  }
}

function eventOf(line: string): HookEvent | null {
  try {
    return recordedHook(JSON.parse(line));
  } catch {
    return null;
  }
}
