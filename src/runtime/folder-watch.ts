import { type FSWatcher, watch } from 'node:fs';

/** Calls back when something in the folder may have changed, and now and then anyway: a watch is quick but may miss. */
export class FolderWatch implements Disposable {
  readonly #watcher: FSWatcher | null;
  readonly #poll: NodeJS.Timeout;

  constructor(folder: string, pollMs: number, onChange: () => void) {
    this.#watcher = watchFolder(folder, onChange);
    this.#poll = setInterval(onChange, pollMs);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#poll);
    this.#watcher?.close();
  }
}

/** Null where the system has no watches left to give; the poll is enough then. */
function watchFolder(folder: string, onChange: () => void): FSWatcher | null {
  try {
    const watcher = watch(folder, onChange);
    return watcher.on('error', () => watcher.close());
  } catch {
    return null;
  }
}
