import type { HookEvent } from '../../model/hook.ts';
import { FolderWatch } from '../folder-watch.ts';
import { HookFile } from './hook-file.ts';

const pollMs = 250;

/** Tells each hook event once, in order. */
export class HookFeed implements Disposable {
  readonly #file: HookFile;
  readonly #watch: FolderWatch;
  readonly #tell: (hook: HookEvent) => void;

  constructor(dir: string, tell: (hook: HookEvent) => void) {
    this.#file = new HookFile(dir);
    this.#tell = tell;
    this.#watch = new FolderWatch(dir, pollMs, () => {
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
