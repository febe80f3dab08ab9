import { type FSWatcher, watch } from 'node:fs';
import type { HookEvent } from '../../model/hook.ts';
import { HookFile } from './hook-file.ts';

/** The watch is quick but may miss; the poll never does. */
const pollMs = 250;

/** Calls back when something in the folder may have changed, and now and then anyway. */
export class FolderWatch implements Disposable {
  readonly #watcher: FSWatcher | null;
  readonly #poll: NodeJS.Timeout;

  constructor(folder: string, onChange: () => void) {
    this.#watcher = watchFolder(folder, onChange);
    this.#poll = setInterval(onChange, pollMs);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#poll);
    this.#watcher?.close();
  }
}

/** Tells each hook event once, in order. */
export class HookFeed implements Disposable {
  readonly #file: HookFile;
  readonly #watch: FolderWatch;
  readonly #tell: (hook: HookEvent) => void;

  constructor(dir: string, tell: (hook: HookEvent) => void) {
    this.#file = new HookFile(dir);
    this.#tell = tell;
    this.#watch = new FolderWatch(dir, () => {
      this.#look();
    });
  }

  [Symbol.dispose](): void {
    this.#watch[Symbol.dispose]();
    this.#look();
  }

  #look(): void {
    for (const hook of this.#file.read()) this.#tell(hook);
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
