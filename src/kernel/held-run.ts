import { isObject } from '../lib/json.ts';
import { noReservation } from '../model/budget.ts';
import { endedByItself, isLaunchable, type Entry } from '../model/entry.ts';
import { type AttemptEnd, type LaunchedAttempt, stoppedWithRun } from '../model/ports/host.ts';
import type { StopWish } from '../model/ports/stop-wishes.ts';
import { Fenced, type RunImage } from '../model/ports/store.ts';
import { attemptId, childRunId, rootStepOf } from '../model/key.ts';
import type { RunState } from '../model/run.ts';
import type { Workflow } from './ctx.ts';
import { Bell } from './bell.ts';
import { candidateOf, deadlineOf } from './candidate.ts';
import type { EngineParts } from './engine-parts.ts';
import { FollowedAttempts } from './followed-attempts.ts';
import type { ChildRuns, HoldEnd, Patience, Waiting } from './holding.ts';
import { LaunchQueue, type Queued } from './queue.ts';
import { Replay } from './replay.ts';

const notNeeded = 'it is no longer needed';

/**
 * How far this process has come with the run:
 *
 *     waiting ──▶ begun ──▶ over
 *        │          │        ▲
 *        └────┬─────┘        │
 *             ▼              │
 *          broken ───────────┘
 *
 * `begun`: an attempt runs, as far as this process has recorded it. `broken`: the loop ends with this error at its next turn.
 */
type Progress =
  | { readonly at: 'waiting' | 'begun' | 'over' }
  | { readonly at: 'broken'; readonly error: Error };

/**
 * A run that this process holds. One loop advances it: replay the function as far as it gets, admit what it opened, wait
 * until something may have changed, read the news. Attempts (`FollowedAttempts`), timers and children end beside the loop and
 * ring its bell. Admission runs beside it too, one at a time: `idle` ──▶ `admitting` ──▶ `again` (asked meanwhile) ──▶ …
 */
export class HeldRun {
  stay: boolean;
  readonly #handOver: boolean;
  readonly #parts: EngineParts;
  readonly #children: ChildRuns;
  readonly #replay: Replay;
  readonly #image: RunImage;
  readonly #queue = new LaunchQueue();
  readonly #attempts: FollowedAttempts;
  /** Children and followed attempts: the run is over when all of them are. */
  readonly #following = new Set<Promise<void>>();
  readonly #timers = new Map<string, Disposable>();
  readonly #bell = new Bell();
  #state: RunState;
  #admission: 'idle' | 'admitting' | 'again' = 'idle';
  #progress: Progress = { at: 'waiting' };
  /** Whether the caller wants to leave it to the next process. */
  #hold: 'kept' | 'to leave' = 'kept';

  constructor(
    parts: EngineParts,
    children: ChildRuns,
    image: RunImage,
    workflow: Workflow,
    patience: Patience,
  ) {
    this.#parts = parts;
    this.#children = children;
    this.#image = image;
    this.#state = image.run.state;
    this.stay = patience.stay;
    this.#handOver = patience.handOver ?? false;
    this.#attempts = new FollowedAttempts((attempt, reason) => parts.host.end(attempt, reason));
    this.#replay = new Replay(parts.store, parts.clock, image, workflow, {
      awaited: (entry) => {
        this.#await(entry);
      },
      dropped: (entries) => {
        for (const entry of entries) this.#drop(entry);
      },
    });
  }

  async run(): Promise<HoldEnd> {
    try {
      for (const entry of this.#image.entries.values()) {
        if (entry.state.at === 'launched') this.#follow(this.#attemptOf(entry, null), 'adopt');
      }
      for (const stray of this.#image.strays) {
        this.#follow(this.#attemptOf(stray, null), 'adopt');
        this.#attempts.end(this.#attemptId(stray), notNeeded);
      }
      for (const childId of this.#image.stoppedChildren) this.#keep(this.#children.ensure(childId));
      if (this.#image.run.cancelled) this.#attempts.endAll(stoppedWithRun);
      return await this.#loop();
    } catch (error) {
      if (error instanceof Fenced) return { at: 'fenced' };
      if (this.#wish() === 'stop') {
        this.#attempts.endAll(stoppedWithRun);
        await this.#attempts.untilEnded();
      }
      throw error;
    } finally {
      this.#progress = { at: 'over' };
      this.#replay.abandon();
      for (const timer of this.#timers.values()) timer[Symbol.dispose]();
    }
  }

  /** Something may have changed. */
  wake(): void {
    this.#bell.ring();
    this.#replay.poke();
  }

  /** Gives the run up at the next turn of the loop, unless there is something to launch then. Its attempts continue. */
  leave(): void {
    this.#hold = 'to leave';
    this.wake();
  }

  /** A child that could not be advanced is an error of the run that waits for it, and of no other. */
  childFailed(childId: string, error: Error): void {
    const waits = this.#replay
      .waitingFor()
      .some((entry) => entry.kind === 'child' && this.#childOf(entry) === childId);
    if (waits) this.fail(error);
  }

  /** The loop ends with this error at its next turn. */
  fail(error: Error): void {
    if (this.#progress.at === 'waiting' || this.#progress.at === 'begun')
      this.#progress = { at: 'broken', error };
    this.wake();
  }

  waiting(): Waiting {
    let waiting: Waiting = 'people';
    for (const entry of this.#replay.waitingFor()) {
      const one = this.#waitingOn(entry);
      if (one === 'work') return 'work';
      if (one === 'timer') waiting = 'timer';
    }
    return waiting;
  }

  async #loop(): Promise<HoldEnd> {
    const { store } = this.#parts;
    const { fence } = this.#replay;
    for (;;) {
      const step = await this.#replay.advance();
      if (step.at !== 'busy') this.#attempts.forgetTold();
      if (step.at === 'ended') {
        // Over means that nothing of it runs any more; a crash meanwhile leaves a run that the next claim ends.
        await this.#followersGone();
        this.#throwIfBroken();
        await this.#replay.finish(step.end);
        return step;
      }
      this.#pump();
      if (this.#handOver && this.#progress.at === 'begun') {
        await store.release(fence);
        return { at: 'handed-over' };
      }
      if (this.#hold === 'to leave' && step.at !== 'busy' && this.#launchesNothing) {
        await store.release(fence);
        return { at: 'left' };
      }
      this.#hold = 'kept';
      if (step.at === 'busy') {
        this.#bell.silence();
      } else if (this.#state.at === 'halting' && this.#attempts.isIdle && (await store.settleHalt(fence))) {
        return { at: 'halted' };
      } else if (!this.stay && this.#attempts.isIdle && this.waiting() === 'people') {
        if (await store.park(fence, this.#replay.seen)) return { at: 'parked' };
      } else {
        await this.#bell.heard();
      }
      this.#throwIfBroken();
      await this.#heedWish();
      this.#attempts.tell();
      const news = await store.news(fence, this.#replay.seen);
      this.#state = news.run.state;
      if (news.cancelled) this.#attempts.endAll(stoppedWithRun);
      this.#replay.apply(news);
    }
  }

  get #launchesNothing(): boolean {
    return this.#admission === 'idle' && this.#queue.size === 0;
  }

  /** Also of the run whose budget it lives on: that one is stopped with everything inside it. */
  #wish(): StopWish | null {
    const { wishes } = this.#parts;
    const { id, rootId } = this.#image.run;
    return wishes?.of(id) ?? (rootId === id ? null : wishes?.of(rootId)) ?? null;
  }

  /** Processes first, then the database. A stop that it does not take ends this loop with nothing alive. */
  async #heedWish(): Promise<void> {
    const wish = this.#wish();
    if (wish === null) return;
    if (wish === 'stop') this.#attempts.endAll(stoppedWithRun);
    const recorded = this.#parts.wishes?.record(this.#replay.runId);
    if (wish === 'stop') await recorded;
    // Nothing is launched meanwhile, and the next look tries again.
    else await recorded?.catch(() => undefined);
  }

  #throwIfBroken(): void {
    if (this.#progress.at === 'broken') throw this.#progress.error;
  }

  #waitingOn(entry: Entry): Waiting {
    if (entry.kind === 'ask') return 'people';
    if (entry.kind === 'sleep') return 'timer';
    if (entry.kind === 'child') return this.#children.waitingOf(this.#childOf(entry));
    // A halting run admits nothing: what only waits for a slot waits for the person who resumes it.
    const idle = this.#state.at !== 'running' && !this.#attempts.isAlive(this.#attemptId(entry));
    return idle ? 'people' : 'work';
  }

  /** Takes up what the workflow waits for: queue it, arm a timer, or advance a child. */
  #await(entry: Entry): void {
    if (entry.state.at !== 'open') return;
    if (entry.kind === 'child') this.#keep(this.#children.ensure(this.#childOf(entry)));
    else if (entry.kind === 'sleep') this.#arm(entry);
    if (!isLaunchable(entry.kind)) return;
    this.#queue.add(entry);
    // A local step of another branch may run for a while: what can be launched does not wait for it.
    this.#replay.poke();
  }

  #attemptId({ key, attempt }: Entry): string {
    return attemptId({ runId: this.#replay.runId, key, attempt });
  }

  #childOf(entry: Entry): string {
    return childRunId(this.#replay.runId, entry.key);
  }

  #drop(entry: Entry): void {
    this.#timers.get(entry.key)?.[Symbol.dispose]();
    this.#timers.delete(entry.key);
    this.#queue.remove(entry.key);
    this.#attempts.end(this.#attemptId(entry), notNeeded);
    // It was stopped with the drop, but only its holder can end what it launched.
    if (entry.kind === 'child') this.#keep(this.#children.ensure(this.#childOf(entry)));
  }

  #arm(entry: Entry): void {
    if (this.#timers.has(entry.key)) return;
    const { clock, store } = this.#parts;
    const ref = { runId: this.#replay.runId, key: entry.key, attempt: entry.attempt };
    const timer = clock.timer(entry.dueAt ?? clock.wall(), () => {
      this.#timers.delete(entry.key);
      this.#report(store.complete(ref, { at: 'done', outcome: 'SUCCESS', value: null }, null));
    });
    this.#timers.set(entry.key, timer);
  }

  /** Admits as much as there are slots for, in one transaction. One at a time, so that nothing is offered twice. */
  #pump(): void {
    if (this.#progress.at === 'over' || this.#state.at !== 'running') return;
    if (this.#admission !== 'idle') {
      this.#admission = 'again';
      return;
    }
    if (this.#queue.size === 0 || this.#wish() !== null) return;
    const slots = this.#image.run.concurrency - this.#attempts.size;
    const offered = this.#queue.take(slots, (entry) => this.#hasPredecessor(entry));
    if (offered.length === 0) return;
    this.#admission = 'admitting';
    const admitted = this.#admit(offered).finally(() => {
      const wasAsked = this.#admission === 'again';
      this.#admission = 'idle';
      if (wasAsked) this.#pump();
    });
    this.#report(admitted);
  }

  /** Whether what it replaces is still alive: an agent never works beside the one whose step it takes over. */
  #hasPredecessor(entry: Entry): boolean {
    return this.#attempts
      .alive()
      .some(({ at, attempt: { key } }) =>
        at === 'ending' ? rootStepOf(key) === rootStepOf(entry.key) : this.#replay.replaces(entry, key),
      );
  }

  async #admit(offered: readonly Queued[]): Promise<boolean> {
    const { store, clock, firstTurn = noReservation } = this.#parts;
    const candidates = offered.map(({ entry }) => candidateOf(entry, clock.wall(), firstTurn));
    const { launched, refused, waiting, wallEndsAt } = await store.admit(this.#replay.fence, candidates);
    const again = new Set(waiting);
    for (const queued of offered) if (again.has(queued.entry.key)) this.#queue.putBack(queued);
    // A stop that came while this was recorded: what has not started never will.
    const isStopped = this.#wish() === 'stop';
    const how = isStopped ? 'adopt' : 'launch';
    for (const entry of launched) this.#follow(this.#attemptOf(entry, wallEndsAt), how);
    if (isStopped) this.#attempts.endAll(stoppedWithRun);
    return refused.length > 0 || launched.length > 0;
  }

  #attemptOf(entry: Entry, wallEndsAt: number | null): LaunchedAttempt {
    const { runId } = this.#replay;
    const { key, attempt, kind, spec, sessionId } = entry;
    if (!isLaunchable(kind)) throw new Error(`${key} is a ${kind} and cannot be launched`);
    const deadlineAt = deadlineOf(entry, this.#parts.clock.wall(), wallEndsAt);
    return { runId, key, attempt, kind, spec, sessionId, deadlineAt };
  }

  #follow(attempt: LaunchedAttempt, how: 'launch' | 'adopt'): void {
    if (!this.#attempts.follow(attempt)) return;
    const { host, store } = this.#parts;
    const began = () => {
      // No other process waits for it; that it could not be written breaks the loop like any other write.
      this.#report(
        store.begin(attempt).then(() => {
          if (this.#progress.at === 'waiting') this.#progress = { at: 'begun' };
          return this.#handOver;
        }),
      );
    };
    const following = host[how](attempt, began).then((end) => this.#settle(attempt, end));
    this.#keep(following);
  }

  /** The result is recorded and its slot goes to the next one in the same transaction; or stays with its step. */
  async #settle(attempt: LaunchedAttempt, { completion, session, endedAt }: AttemptEnd): Promise<void> {
    const continues = isObject(attempt.spec) && attempt.spec['goesOn'] === true;
    // A stop is kept before its first signal, so what ends then was ended by it: also where no file says why.
    const wasEnded = this.#attempts.sawEnd(attempt, continues) || this.#wish() === 'stop';
    const isDropped = wasEnded && !endedByItself(completion);
    const end = isDropped ? ({ at: 'dropped' } as const) : completion;
    const recorded = this.#parts.store.complete(attempt, end, session, endedAt);
    this.#pump();
    await recorded;
    this.#attempts.recorded(attempt);
    this.wake();
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
