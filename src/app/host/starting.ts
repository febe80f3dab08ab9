import type { Clock } from '../../model/ports/clock.ts';
import { readStart } from '../../runtime/attempt-files.ts';

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
    if (!hasStarted(this.#dir)) return false;
    this[Symbol.dispose]();
    this.#began();
    return true;
  }
}

/** The file is there a moment before its content. A machine in trouble tells nothing: the next look may. */
function hasStarted(dir: string): boolean {
  try {
    const { kind } = readStart(dir);
    return kind === 'started' || kind === 'lost';
  } catch {
    return false;
  }
}
