import type { Holder } from '../model/holder.ts';
import type { Run } from '../model/run.ts';
import type { EngineParts } from './engine-parts.ts';
import { askPastGone } from './past-gone.ts';
import { HeldRun } from './held-run.ts';
import type { ChildRuns, HoldEnd, Patience, Waiting } from './holding.ts';

/** Being fenced is not among them: the engine claims again, and then either has the run or knows who does. */
export type AdvanceEnd =
  | Exclude<HoldEnd, { at: 'fenced' }>
  | { readonly at: 'held'; readonly by: Holder }
  | { readonly at: 'over'; readonly run: Run }
  | { readonly at: 'unknown' };

/**
 * Advances any number of runs in this process. It holds a lease for all of them, wakes them when another process changed
 * something, and takes up their children.
 */
export class Engine implements Disposable {
  readonly #parts: EngineParts;
  readonly #held = new Map<string, HeldRun>();
  readonly #advances = new Map<string, Promise<AdvanceEnd>>();
  readonly #parked = new Set<string>();
  /** Children that another process holds; if it dies, they are ours again. */
  readonly #elsewhere = new Set<string>();
  readonly #stack: Disposable[] = [];

  constructor(parts: EngineParts) {
    this.#parts = parts;
    const { clock, store, leaseMs, wishes } = parts;
    this.#stack.push(
      store.subscribe(() => {
        this.#changed();
      }),
      clock.every(leaseMs / 3, () => {
        if (this.#held.size === 0) return;
        this.#renew();
        for (const childId of this.#elsewhere) this.#advanceAgain(childId);
      }),
      ...(wishes === undefined ? [] : [wishes.subscribe(() => this.wake())]),
    );
  }

  /** Leaves a run whose living attempts wait for people to the next process, unless it can launch something now. */
  leave(runId: string): void {
    this.#held.get(runId)?.leave();
  }

  /** Until the run is over, parked, left, handed over, or taken by another process. */
  advance(runId: string, patience: Patience): Promise<AdvanceEnd> {
    const held = this.#held.get(runId);
    if (held !== undefined && patience.stay) held.stay = true;
    const advance = this.#advances.get(runId) ?? this.#start(runId, patience);
    this.#advances.set(runId, advance);
    return advance;
  }

  wake(): void {
    for (const run of this.#held.values()) run.wake();
  }

  /** Ends nothing that runs: processes continue, claims are taken over by the next process. */
  [Symbol.dispose](): void {
    for (const item of this.#stack) item[Symbol.dispose]();
  }

  /** A renewal that fails is not a fault of the run: the next write tells whether the claim still stands. */
  #renew(): void {
    const { clock, store, me, leaseMs, wishes } = this.#parts;
    const tell = (trouble: Error | null): void => {
      for (const runId of this.#held.keys()) wishes?.sawHolder(runId, trouble);
    };
    store.renew(me, clock.monotonic() + leaseMs).then(
      () => {
        tell(null);
      },
      (error: unknown) => {
        tell(error instanceof Error ? error : new Error(String(error)));
      },
    );
  }

  async #start(runId: string, patience: Patience): Promise<AdvanceEnd> {
    try {
      for (;;) {
        const end = await this.#once(runId, patience);
        // Our own amendment fences this process; claiming again takes up the new plan.
        if (end.at !== 'fenced') return end;
      }
    } finally {
      this.#held.delete(runId);
      this.#advances.delete(runId);
    }
  }

  async #once(runId: string, patience: Patience): Promise<AdvanceEnd | HoldEnd> {
    const { store, clock, me, isAlive, leaseMs, workflows } = this.#parts;
    const claim = await askPastGone(isAlive, (gone) =>
      store.claim(runId, { me, monotonic: clock.monotonic(), gone }, leaseMs),
    );
    if (claim.at === 'held') return { at: 'held', by: claim.by };
    if (claim.at === 'over') return { at: 'over', run: claim.run };
    if (claim.at === 'unknown') return { at: 'unknown' };
    const { image } = claim;
    const workflow = workflows.get(image.run.workflow);
    if (workflow === undefined) {
      throw new Error(
        `run ${runId} needs the workflow '${image.run.workflow}', which this program does not have`,
      );
    }
    this.#parked.delete(runId);
    const held = new HeldRun(this.#parts, this.#childRuns(patience.stay), image, workflow, patience);
    this.#held.set(runId, held);
    const end = await held.run();
    if (end.at === 'parked') {
      this.#parked.add(runId);
      // What came in between the parking and this line woke no loop.
      this.#changed();
    }
    return end;
  }

  #childRuns(stay: boolean): ChildRuns {
    return {
      ensure: (childId) => this.#advanceChild(childId, stay),
      waitingOf: (childId): Waiting => {
        if (this.#parked.has(childId)) return 'people';
        return this.#held.get(childId)?.waiting() ?? 'work';
      },
    };
  }

  async #advanceChild(childId: string, stay: boolean): Promise<void> {
    this.#held.get(childId)?.wake();
    const end = await this.advance(childId, { stay });
    if (end.at === 'held') this.#elsewhere.add(childId);
    else this.#elsewhere.delete(childId);
    // Its end is news for its parent, which may be parked.
    this.#changed();
  }

  #advanceAgain(runId: string): void {
    this.#advanceChild(runId, false).catch((error: unknown) => {
      const cause = error instanceof Error ? error : new Error(String(error));
      for (const run of this.#held.values()) run.childFailed(runId, cause);
    });
  }

  #changed(): void {
    this.wake();
    if (this.#parked.size > 0) this.#takeUpParked().catch(() => undefined);
  }

  async #takeUpParked(): Promise<void> {
    const ids = await this.#parts.store.wakeable(null);
    for (const id of ids) if (this.#parked.has(id)) this.#advanceAgain(id);
  }
}
