import type { Holder } from '../model/holder.ts';
import type { Run } from '../model/run.ts';
import { DrivenRun, type DriveEnd, type Family, type Patience, type Waiting } from './driven-run.ts';
import type { EngineParts } from './engine-parts.ts';

/** Being fenced is not among them: the engine claims again, and then either has the run or knows who does. */
export type Drive =
  | Exclude<DriveEnd, { at: 'fenced' }>
  | { readonly at: 'held'; readonly by: Holder }
  | { readonly at: 'over'; readonly run: Run }
  | { readonly at: 'unknown' };

/**
 * Drives any number of runs in this process. It holds a lease for all of them, wakes them when another process changed
 * something, and takes up their children.
 */
export class Engine implements Disposable {
  readonly #parts: EngineParts;
  readonly #driven = new Map<string, DrivenRun>();
  readonly #drives = new Map<string, Promise<Drive>>();
  readonly #parked = new Set<string>();
  /** Children that another process drives; if it dies, they are ours again. */
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
        if (this.#driven.size === 0) return;
        this.#renew();
        for (const childId of this.#elsewhere) this.#driveAgain(childId);
      }),
      ...(wishes === undefined ? [] : [wishes.subscribe(() => this.wake())]),
    );
  }

  /** Until the run is over, parked, handed over, or taken by another process. */
  drive(runId: string, patience: Patience): Promise<Drive> {
    const driven = this.#driven.get(runId);
    if (driven !== undefined && patience.stay) driven.stay = true;
    const driving = this.#drives.get(runId) ?? this.#start(runId, patience);
    this.#drives.set(runId, driving);
    return driving;
  }

  wake(): void {
    for (const run of this.#driven.values()) run.wake();
  }

  /** Lets go of nothing that runs: processes go on, claims are taken over by the next process. */
  [Symbol.dispose](): void {
    for (const item of this.#stack) item[Symbol.dispose]();
  }

  /** A renewal that fails is not a fault of the run: the next write tells whether the claim still stands. */
  #renew(): void {
    const { clock, store, me, leaseMs, wishes } = this.#parts;
    const tell = (trouble: Error | null): void => {
      for (const runId of this.#driven.keys()) wishes?.sawHolder(runId, trouble);
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

  async #start(runId: string, patience: Patience): Promise<Drive> {
    try {
      for (;;) {
        const end = await this.#once(runId, patience);
        // Our own amendment fences our own driver; claiming again takes up the new plan.
        if (end.at !== 'fenced') return end;
      }
    } finally {
      this.#driven.delete(runId);
      this.#drives.delete(runId);
    }
  }

  async #once(runId: string, patience: Patience): Promise<Drive | DriveEnd> {
    const { store, clock, me, isAlive, leaseMs, workflows } = this.#parts;
    const claim = await store.claim(runId, { me, monotonic: clock.monotonic(), isAlive }, leaseMs);
    if (claim.verdict === 'held') return { at: 'held', by: claim.by };
    if (claim.verdict === 'over') return { at: 'over', run: claim.run };
    if (claim.verdict === 'unknown') return { at: 'unknown' };
    const { image } = claim;
    const workflow = workflows.get(image.run.workflow);
    if (workflow === undefined) {
      throw new Error(
        `run ${runId} needs the workflow '${image.run.workflow}', which this program does not have`,
      );
    }
    this.#parked.delete(runId);
    const driven = new DrivenRun(this.#parts, this.#family(patience.stay), image, workflow, patience);
    this.#driven.set(runId, driven);
    const end = await driven.run();
    if (end.at === 'parked') {
      this.#parked.add(runId);
      // What came in between the parking and this line was told to nobody.
      this.#changed();
    }
    return end;
  }

  #family(stay: boolean): Family {
    return {
      ensure: (childId) => this.#driveChild(childId, stay),
      waitingOf: (childId): Waiting => {
        if (this.#parked.has(childId)) return 'people';
        return this.#driven.get(childId)?.waiting() ?? 'work';
      },
    };
  }

  async #driveChild(childId: string, stay: boolean): Promise<void> {
    this.#driven.get(childId)?.wake();
    const end = await this.drive(childId, { stay });
    if (end.at === 'held') this.#elsewhere.add(childId);
    else this.#elsewhere.delete(childId);
    // Its end is news for its parent, which may be parked.
    this.#changed();
  }

  #driveAgain(runId: string): void {
    this.#driveChild(runId, false).catch((error: unknown) => {
      const cause = error instanceof Error ? error : new Error(String(error));
      for (const run of this.#driven.values()) run.childFailed(runId, cause);
    });
  }

  #changed(): void {
    this.wake();
    if (this.#parked.size > 0) this.#takeUpParked().catch(() => undefined);
  }

  async #takeUpParked(): Promise<void> {
    const ids = await this.#parts.store.wakeable(null);
    for (const id of ids) if (this.#parked.has(id)) this.#driveAgain(id);
  }
}
