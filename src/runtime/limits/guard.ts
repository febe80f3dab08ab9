import { lstatSync } from 'node:fs';
import { monotonicMs } from '../../lib/process/monotonic.ts';
import { noteSession } from '../session-log.ts';
import { folderBytes } from './folder-size.ts';
import type { DiskQuota } from './plan.ts';

export interface GuardParams {
  readonly dir: string;
  readonly logFile: string;
  /** Null: not watched. */
  readonly disk: DiskQuota | null;
  readonly stallMs: number | null;
  /** Called once, with a sentence. */
  readonly onFull: (why: string) => void;
  /** Null: it works again. */
  readonly onStall: (detail: string | null) => void;
}

const slowestTickMs = 2000;
const quickestTickMs = 100;

/** Watches a session for its launcher: the size of its folder, and whether its log grows. Dispose of it at the end. */
export class SessionGuard implements Disposable {
  readonly #params: GuardParams;
  readonly #timer: NodeJS.Timeout | null;
  #measuring = false;
  #warned = false;
  #over = false;
  #size = -1;
  #heardAtMs = monotonicMs();
  #heardAt = new Date();
  #stalled = false;

  constructor(params: GuardParams) {
    this.#params = params;
    const { disk, stallMs } = params;
    const tickMs = Math.min(slowestTickMs, Math.max(quickestTickMs, (stallMs ?? Number.MAX_VALUE) / 4));
    this.#timer =
      disk === null && stallMs === null
        ? null
        : setInterval(() => {
            void this.#weigh();
            this.#listen();
          }, tickMs);
  }

  [Symbol.dispose](): void {
    this.#over = true;
    if (this.#timer !== null) clearInterval(this.#timer);
  }

  /** A measurement takes as long as it takes; the next begins when it is there. */
  async #weigh(): Promise<void> {
    const { disk, dir, onFull } = this.#params;
    if (disk === null || this.#measuring) return;
    this.#measuring = true;
    const bytes = await folderBytes(dir);
    this.#measuring = false;
    if (this.#over) return;
    if (bytes > disk.failBytes) {
      this[Symbol.dispose]();
      onFull(disk.failure);
    } else if (bytes > disk.warnBytes && !this.#warned) {
      this.#warned = true;
      noteSession(dir, ['WARN', disk.warning]);
    }
  }

  #listen(): void {
    const { stallMs, logFile, dir, onStall } = this.#params;
    if (stallMs === null || this.#over) return;
    const size = lstatSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
    const now = monotonicMs();
    if (size !== this.#size) {
      this.#size = size;
      this.#heardAtMs = now;
      this.#heardAt = new Date();
      if (this.#stalled) onStall(null);
      this.#stalled = false;
    } else if (!this.#stalled && now - this.#heardAtMs >= stallMs) {
      this.#stalled = true;
      const since = `nothing on its output since ${this.#heardAt.toISOString()}`;
      noteSession(dir, ['WARN', `Stalled: ${since}`]);
      onStall(since);
    }
  }
}
