import { existsSync } from 'node:fs';
import type { Clock } from '../../model/ports/clock.ts';
import { fileOf, files } from '../../runtime/attempt-files.ts';

const lookEveryMs = 5;

/**
 * A session has begun when its launcher has said so in its folder, not when it was spawned: until then whoever else looks
 * finds nobody there, and would declare it lost.
 */
export class Starting implements Disposable {
  readonly #clock: Clock;
  readonly #dir: string;
  readonly #began: () => void;
  #looking: Disposable | null = null;

  constructor(clock: Clock, dir: string, began: () => void) {
    this.#clock = clock;
    this.#dir = dir;
    this.#began = began;
  }

  watch(): void {
    if (this.#look()) return;
    this.#looking ??= this.#clock.every(lookEveryMs, () => {
      this.#look();
    });
  }

  [Symbol.dispose](): void {
    this.#looking?.[Symbol.dispose]();
  }

  #look(): boolean {
    if (!existsSync(fileOf(this.#dir, files.started))) return false;
    this[Symbol.dispose]();
    this.#began();
    return true;
  }
}
