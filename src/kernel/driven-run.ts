import { isObject } from '../lib/json.ts';
import { noReservation } from '../model/budget.ts';
import { endedByItself, isLaunchable, type Entry } from '../model/entry.ts';
import { type AttemptEnd, type LaunchedAttempt, stoppedWithRun } from '../model/ports/host.ts';
import type { StopWish } from '../model/ports/stop-wishes.ts';
import { Fenced, type RunEnd, type RunImage } from '../model/ports/store.ts';
import { attemptId, childRunId, rootStepOf } from '../model/key.ts';
import type { RunState } from '../model/run.ts';
import type { Workflow } from './ctx.ts';
import { candidateOf, deadlineOf } from './candidate.ts';
import { Driver } from './driver.ts';
import type { EngineParts } from './engine-parts.ts';
import { LaunchQueue, type Queued } from './queue.ts';

export type DriveEnd =
  | { readonly at: 'ended'; readonly end: RunEnd }
  | { readonly at: 'halted' }
  /** Only people can go on, and nobody wanted to wait for them. */
  | { readonly at: 'parked' }
  /** An attempt of it runs, and that is all this process wanted: the next process continues. */
  | { readonly at: 'handed-over' }
  /** Another process drives it now; this one has written nothing since. */
  | { readonly at: 'fenced' };

/** What a run waits for, the liveliest first. */
export type Waiting = 'work' | 'timer' | 'people';

/** How long this process wants to drive it. */
export interface Patience {
  /** Stay awake although only people can go on. */
  readonly stay: boolean;
  /** Only until something of it runs. */
  readonly handOver?: boolean;
}

export interface Family {
  /** Drives a child run, unless it is driven already, and wakes it; resolves when that drive is over. */
  ensure(runId: string): Promise<unknown>;
  waitingOf(runId: string): Waiting;
}

/** One claimed run in this process: its driver, its queue, the attempts it follows, its timers. */
export class DrivenRun {
  stay: boolean;
  readonly #handOver: boolean;
  readonly #parts: EngineParts;
  readonly #family: Family;
  readonly #driver: Driver;
  readonly #image: RunImage;
  readonly #queue = new LaunchQueue();
  /** By attempt id: an old attempt may still be followed when another process has reported its end. */
  readonly #launched = new Map<string, LaunchedAttempt>();
  readonly #following = new Set<Promise<void>>();
  readonly #timers = new Map<string, Disposable>();
  /** Attempts that we ended because nobody needs them: their end is no result. */
  readonly #ending = new Set<string>();
  /** What is being ended now. */
  readonly #ends = new Set<unknown>();
  /** Attempts that have ended and whose step goes on: their slots are kept until the workflow has seen their end. */
  readonly #kept = new Set<string>();
  /** Those among them whose end is recorded: the next look for news tells the workflow. */
  readonly #tellable = new Set<string>();
  #state: RunState;
  #admitting = false;
  #pumpAgain = false;
  /** What was told between the claim and now was told to nobody: the first thing is to look for news. */
  #woken = true;
  #wake: (() => void) | null = null;
  #broken: Error | null = null;
  #over = false;
  #begun = false;

  constructor(parts: EngineParts, family: Family, image: RunImage, workflow: Workflow, patience: Patience) {
    this.#parts = parts;
    this.#family = family;
    this.#image = image;
    this.#state = image.run.state;
    this.stay = patience.stay;
    this.#handOver = patience.handOver ?? false;
    this.#driver = new Driver(parts.store, parts.clock, image, workflow, {
      awaited: (entry) => {
        this.#await(entry);
      },
      dropped: (entries) => {
        for (const entry of entries) this.#drop(entry);
      },
    });
  }

  async run(): Promise<DriveEnd> {
    try {
      for (const entry of this.#image.entries.values()) {
        if (entry.state.at === 'launched') this.#follow(this.#attemptOf(entry, null), 'adopt');
      }
      for (const stray of this.#image.strays) {
        this.#follow(this.#attemptOf(stray, null), 'adopt');
        this.#end(this.#attemptId(stray), 'it is no longer needed');
      }
      for (const childId of this.#image.stoppedChildren) this.#keep(this.#family.ensure(childId));
      if (this.#image.run.cancelled) this.#endAll(stoppedWithRun);
      return await this.#loop();
    } catch (error) {
      if (error instanceof Fenced) return { at: 'fenced' };
      if (this.#wish() === 'stop') await this.#endNow();
      throw error;
    } finally {
      this.#over = true;
      this.#driver.abandon();
      for (const timer of this.#timers.values()) timer[Symbol.dispose]();
    }
  }

  /** Something may have changed. */
  wake(): void {
    this.#woken = true;
    this.#wake?.();
    this.#driver.poke();
  }

  /** A child that could not be driven is an error of the run that waits for it, and of no other. */
  childFailed(childId: string, error: Error): void {
    const waits = this.#driver
      .waitingFor()
      .some((entry) => entry.kind === 'child' && this.#childOf(entry) === childId);
    if (waits) this.fail(error);
  }

  /** The loop ends with this error at its next turn. */
  fail(error: Error): void {
    this.#broken ??= error;
    this.wake();
  }

  waiting(): Waiting {
    let waiting: Waiting = 'people';
    for (const entry of this.#driver.waitingFor()) {
      const one = this.#waitingOn(entry);
      if (one === 'work') return 'work';
      if (one === 'timer') waiting = 'timer';
    }
    return waiting;
  }

  async #loop(): Promise<DriveEnd> {
    const { store } = this.#parts;
    const { fence } = this.#driver;
    let told: readonly string[] = [];
    for (;;) {
      const step = await this.#driver.advance();
      if (step.at !== 'busy') {
        for (const id of told) this.#kept.delete(id);
        told = [];
      }
      if (step.at === 'ended') {
        // Over means that nothing of it runs any more; a crash meanwhile leaves a run that the next claim ends.
        await this.#followersGone();
        if (this.#broken !== null) throw this.#broken;
        await this.#driver.finish(step.end);
        return step;
      }
      this.#pump();
      if (this.#handOver && this.#begun) {
        await store.release(fence);
        return { at: 'handed-over' };
      }
      if (step.at === 'busy') {
        this.#woken = false;
      } else if (
        this.#state.at === 'halting' &&
        this.#launched.size === 0 &&
        (await store.settleHalt(fence))
      ) {
        return { at: 'halted' };
      } else if (!this.stay && this.#launched.size === 0 && this.waiting() === 'people') {
        if (await store.park(fence, this.#driver.seen)) return { at: 'parked' };
      } else {
        await this.#nextWake();
      }
      if (this.#broken !== null) throw this.#broken;
      await this.#heedWish();
      told = [...told, ...this.#tellable];
      this.#tellable.clear();
      const news = await store.news(fence, this.#driver.seen);
      this.#state = news.run.state;
      if (news.cancelled) this.#endAll(stoppedWithRun);
      this.#driver.apply(news);
    }
  }

  /** Also of the run whose budget it lives on: that one is stopped with everything inside it. */
  #wish(): StopWish | null {
    const { wishes } = this.#parts;
    const { id, rootId } = this.#image.run;
    return wishes?.of(id) ?? (rootId === id ? null : wishes?.of(rootId)) ?? null;
  }

  /** Processes first, then the database. A stop that it does not take ends this drive with nothing alive. */
  async #heedWish(): Promise<void> {
    const wish = this.#wish();
    if (wish === null) return;
    if (wish === 'stop') this.#endAll(stoppedWithRun);
    const recorded = this.#parts.wishes?.record(this.#driver.runId);
    if (wish === 'stop') await recorded;
    // Nothing is launched meanwhile, and the next look tries again.
    else await recorded?.catch(() => undefined);
  }

  async #endNow(): Promise<void> {
    this.#endAll(stoppedWithRun);
    await Promise.all(this.#ends);
  }

  async #nextWake(): Promise<void> {
    if (!this.#woken) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = null;
    }
    this.#woken = false;
  }

  #waitingOn(entry: Entry): Waiting {
    if (entry.kind === 'ask') return 'people';
    if (entry.kind === 'sleep') return 'timer';
    if (entry.kind === 'child') return this.#family.waitingOf(this.#childOf(entry));
    // A halting run admits nothing: what only waits for a slot waits for the person who resumes it.
    const idle = this.#state.at !== 'running' && !this.#launched.has(this.#attemptId(entry));
    return idle ? 'people' : 'work';
  }

  /** Takes up what the workflow waits for: queue it, arm a timer, or drive a child. */
  #await(entry: Entry): void {
    if (entry.state.at !== 'open') return;
    if (entry.kind === 'child') this.#keep(this.#family.ensure(this.#childOf(entry)));
    else if (entry.kind === 'sleep') this.#arm(entry);
    if (!isLaunchable(entry.kind)) return;
    this.#queue.add(entry);
    // A local step of another branch may run for a while: what can be launched does not wait for it.
    this.#driver.poke();
  }

  #attemptId({ key, attempt }: Entry): string {
    return attemptId({ runId: this.#driver.runId, key, attempt });
  }

  #childOf(entry: Entry): string {
    return childRunId(this.#driver.runId, entry.key);
  }

  #drop(entry: Entry): void {
    this.#timers.get(entry.key)?.[Symbol.dispose]();
    this.#timers.delete(entry.key);
    this.#queue.remove(entry.key);
    this.#end(this.#attemptId(entry), 'it is no longer needed');
    // It was stopped with the drop, but only its driver can end what it launched.
    if (entry.kind === 'child') this.#keep(this.#family.ensure(this.#childOf(entry)));
  }

  #arm(entry: Entry): void {
    if (this.#timers.has(entry.key)) return;
    const { clock, store } = this.#parts;
    const ref = { runId: this.#driver.runId, key: entry.key, attempt: entry.attempt };
    const timer = clock.timer(entry.dueAt ?? clock.wall(), () => {
      this.#timers.delete(entry.key);
      this.#report(store.complete(ref, { at: 'done', outcome: 'SUCCESS', value: null }, null));
    });
    this.#timers.set(entry.key, timer);
  }

  /** Admits as much as there are slots for, in one transaction. One at a time, so that nothing is offered twice. */
  #pump(): void {
    if (this.#over || this.#state.at !== 'running') return;
    if (this.#admitting) {
      this.#pumpAgain = true;
      return;
    }
    if (this.#queue.size === 0 || this.#wish() !== null) return;
    const slots = this.#image.run.concurrency - this.#launched.size - this.#kept.size;
    const offered = this.#queue.take(slots, (entry) => this.#hasPredecessor(entry));
    if (offered.length === 0) return;
    this.#admitting = true;
    const admitted = this.#admit(offered).finally(() => {
      this.#admitting = false;
      if (!this.#pumpAgain) return;
      this.#pumpAgain = false;
      this.#pump();
    });
    this.#report(admitted);
  }

  /** Whether what it replaces is still alive: an agent never works beside the one whose step it takes over. */
  #hasPredecessor(entry: Entry): boolean {
    return [...this.#launched].some(([id, { key }]) =>
      this.#ending.has(id) ? rootStepOf(key) === rootStepOf(entry.key) : this.#driver.replaces(entry, key),
    );
  }

  async #admit(offered: readonly Queued[]): Promise<boolean> {
    const { store, clock, firstTurn = noReservation } = this.#parts;
    const candidates = offered.map(({ entry }) => candidateOf(entry, clock.wall(), firstTurn));
    const { launched, refused, waiting, wallEndsAt } = await store.admit(this.#driver.fence, candidates);
    const again = new Set(waiting);
    for (const queued of offered) if (again.has(queued.entry.key)) this.#queue.putBack(queued);
    // A stop that came while this was recorded: what has not started never will.
    const isStopped = this.#wish() === 'stop';
    const how = isStopped ? 'adopt' : 'launch';
    for (const entry of launched) this.#follow(this.#attemptOf(entry, wallEndsAt), how);
    if (isStopped) this.#endAll(stoppedWithRun);
    return refused.length > 0 || launched.length > 0;
  }

  #attemptOf(entry: Entry, wallEndsAt: number | null): LaunchedAttempt {
    const { runId } = this.#driver;
    const { key, attempt, kind, spec, sessionId } = entry;
    if (!isLaunchable(kind)) throw new Error(`${key} is a ${kind} and cannot be launched`);
    const deadlineAt = deadlineOf(entry, this.#parts.clock.wall(), wallEndsAt);
    return { runId, key, attempt, kind, spec, sessionId, deadlineAt };
  }

  #follow(attempt: LaunchedAttempt, how: 'launch' | 'adopt'): void {
    const id = attemptId(attempt);
    if (this.#launched.has(id)) return;
    this.#launched.set(id, attempt);
    const { host, store } = this.#parts;
    const began = () => {
      // No other process waits for it; that it could not be written breaks the loop like any other write.
      this.#report(
        store.begin(attempt).then(() => {
          this.#begun = true;
          return this.#handOver;
        }),
      );
    };
    const following = host[how](attempt, began).then((end) => this.#settle(attempt, end));
    this.#keep(following);
  }

  /** The result is recorded and its slot goes to the next one in the same transaction; or stays with its step. */
  async #settle(attempt: LaunchedAttempt, { completion, session }: AttemptEnd): Promise<void> {
    const id = attemptId(attempt);
    this.#launched.delete(id);
    const ended = this.#ending.delete(id) && !endedByItself(completion);
    const recorded = this.#parts.store.complete(attempt, ended ? { at: 'dropped' } : completion, session);
    const goesOn = isObject(attempt.spec) && attempt.spec['goesOn'] === true;
    if (goesOn) this.#kept.add(id);
    this.#pump();
    await recorded;
    if (goesOn) this.#tellable.add(id);
    this.wake();
  }

  #endAll(reason: string): void {
    for (const id of this.#launched.keys()) this.#end(id, reason);
  }

  #end(id: string, reason: string): void {
    const attempt = this.#launched.get(id);
    if (attempt === undefined || this.#ending.has(id)) return;
    this.#ending.add(id);
    const ended = this.#parts.host.end(attempt, reason)?.then(() => {
      this.#ends.delete(ended);
    });
    if (ended !== undefined) this.#ends.add(ended);
  }

  async #followersGone(): Promise<void> {
    while (this.#following.size > 0) await Promise.all(this.#following);
  }

  /** What goes wrong breaks the loop, so the promise that is kept never rejects. */
  #keep(following: Promise<unknown>): void {
    const kept = following.then(
      () => {
        this.#following.delete(kept);
      },
      (error: unknown) => {
        this.#following.delete(kept);
        this.#break(error);
      },
    );
    this.#following.add(kept);
  }

  /** A transition of our own: wakes the loop if it changed something, breaks it if the store could not do it. */
  #report(transition: Promise<boolean>): void {
    transition.then(
      (changed) => {
        if (changed) this.wake();
      },
      (error: unknown) => {
        this.#break(error);
      },
    );
  }

  #break(error: unknown): void {
    this.fail(error instanceof Error ? error : new Error(String(error)));
  }
}
