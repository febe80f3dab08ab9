import { oneLine } from '../../lib/terminal-text.ts';
import type { DriverReader } from '../../model/driver.ts';
import type { Clock } from '../../model/ports/clock.ts';
import { end } from '../../runtime/end-attempt.ts';
import { LogEvents } from './log-events.ts';

const lookEveryMs = 100;

interface WatchedAttempt {
  readonly dir: string;
  readonly marker: string;
  readonly newReader: () => DriverReader;
  readonly clock: Pick<Clock, 'every'>;
}

/**
 * Ends a turn whose model refuses its key: some CLIs ask again for minutes, and no answer can change. With no process
 * awake, the deadline of the session holds.
 */
export class SignInWatch implements AsyncDisposable {
  readonly #attempt: WatchedAttempt;
  readonly #events: LogEvents;
  readonly #looking: Disposable;
  #ending: Promise<unknown> | null = null;

  constructor(attempt: WatchedAttempt) {
    this.#attempt = attempt;
    this.#events = new LogEvents(attempt.dir, attempt.newReader);
    const look = (): void => {
      if (this.#ending === null) this.#look();
    };
    // Idle: `session create` hands the attempt over and must be able to exit.
    this.#looking = attempt.clock.every(lookEveryMs, look, 'idle');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#looking[Symbol.dispose]();
    this.#events[Symbol.dispose]();
    await this.#ending;
  }

  /** A look that failed is no news: the next one reads on from the same place. */
  #look(): void {
    try {
      for (const event of this.#events.news()) {
        if (event.type !== 'sign-in') continue;
        const { dir, marker } = this.#attempt;
        this.#ending = end(dir, marker, `not signed in: ${oneLine(event.reason, 200)}`).catch(
          () => undefined,
        );
        return;
      }
    } catch {
      // A machine in trouble stops the process that follows the attempt.
    }
  }
}
