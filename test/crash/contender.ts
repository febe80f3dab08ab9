import { setTimeout as pause } from 'node:timers/promises';
import { askPastGone } from '../../src/kernel/past-gone.ts';
import { currentProcess, isAlive } from '../../src/lib/process/identity.ts';
import { Fenced, type Fence, type RunImage } from '../../src/model/ports/store.ts';
import { realClock } from '../../src/runtime/clock.ts';
import { SqliteStore } from '../../src/store/sqlite-store.ts';

/** What one process of the contention test shall do. */
export interface ContenderTask {
  readonly path: string;
  readonly name: string;
  readonly rounds: number;
  readonly leaseMs: number;
  /** After so many rounds of its own: takes the claim, says so, and waits to be stopped or killed. */
  readonly exposeAt: number | null;
  /** Only tries to claim, this often, and counts what it was told. */
  readonly onlyClaims: number | null;
}

/**
 * Takes the claim, advances the run by a few rounds, gives the claim back, and again. The next round's number is known
 * only from the claim's image, so two that advance at the same time would write the same round twice.
 */
class Contender {
  readonly #task: ContenderTask;
  readonly #store: SqliteStore;
  readonly #me = currentProcess();
  readonly #clock = realClock();
  #exposing = true;
  #done = 0;
  #fenced = 0;
  #held = 0;

  constructor(task: ContenderTask) {
    this.#task = task;
    this.#store = new SqliteStore({ path: task.path, clock: this.#clock, maxSessions: 1, isAlive });
  }

  async run(): Promise<void> {
    if (this.#task.onlyClaims === null) {
      while (this.#done < this.#task.rounds) await this.#turn();
    } else {
      for (let n = 0; n < this.#task.onlyClaims; n += 1) await this.#claim();
    }
    say({ name: this.#task.name, done: this.#done, fenced: this.#fenced, held: this.#held });
    this.#store[Symbol.dispose]();
  }

  async #claim(): Promise<RunImage | null> {
    const me = { id: this.#task.name, ...this.#me };
    const claim = await askPastGone(isAlive, (gone) =>
      this.#store.claim('r', { me, monotonic: this.#clock.monotonic(), gone }, this.#task.leaseMs),
    );
    if (claim.at === 'claimed') return claim.image;
    this.#held += 1;
    return null;
  }

  async #turn(): Promise<void> {
    const image = await this.#claim();
    // Whoever is refused looks again a little later, as a conductor would.
    if (image === null) return pause(2);
    const fence = { runId: 'r', epoch: image.run.epoch };
    try {
      if (this.#exposing && this.#done >= (this.#task.exposeAt ?? Infinity)) await this.#expose(fence);
      await this.#advance(fence, image.entries.size);
      await this.#store.park(fence, image.run.change);
    } catch (error) {
      if (!(error instanceof Fenced)) throw error;
      this.#fenced += 1;
    }
  }

  async #advance(fence: Fence, from: number): Promise<void> {
    const left = this.#task.rounds - this.#done;
    for (let n = 0; n < Math.min(3, left); n += 1) {
      const value = { by: this.#task.name, epoch: fence.epoch };
      const state = { at: 'done', outcome: 'SUCCESS', value } as const;
      await this.#store.put(fence, { key: `round ${from + n}`, kind: 'step', attempt: 1, state });
      this.#done += 1;
    }
  }

  /** Holds the claim in the open. When it goes on, it is as surprised as any process that was stopped. */
  async #expose(fence: Fence): Promise<void> {
    this.#exposing = false;
    say({ name: this.#task.name, exposed: fence.epoch });
    await new Promise<void>((resolve) => {
      process.stdin.once('data', () => {
        resolve();
      });
    });
    process.stdin.unref();
  }
}

function say(fact: unknown): void {
  process.stdout.write(`${JSON.stringify(fact)}\n`);
}

await new Contender(JSON.parse(process.argv[2] ?? '') as ContenderTask).run();
process.exit(0);
