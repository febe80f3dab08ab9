import { plain, recorded, type Json } from '../lib/json.ts';
import type { Entry } from '../model/entry.ts';
import { isLaunchable, isWaiting, nextAttempt } from '../model/entry.ts';
import type { EmittedEvent } from '../model/event.ts';
import { failure } from '../model/failure.ts';
import { faultOfKey, isAgentQuestion, rootStepOf, stepIdOf } from '../model/key.ts';
import type { Clock } from '../model/ports/clock.ts';
import {
  Fenced,
  type Fence,
  type News,
  type RunEnd,
  type RunImage,
  type Store,
} from '../model/ports/store.ts';
import type { Answer, AnsweredQuestion, Question } from '../model/question.ts';
import { contextOf } from './context.ts';
import type { StepEnd } from '../model/outline.ts';
import { Cancelled, RuleBroken, StepFailed, type Ctx, type Workflow } from './ctx.ts';
import type { Replaying, Outside, Scope } from './replaying.ts';
import { isReplaced, isSuperseded } from './superseded.ts';

/** What a replay reports while it advances. */
export interface ReplayListener {
  /** The replay waits for this entry from now on. */
  awaited(entry: Entry): void;
  /** Nobody waits for these any more. */
  dropped(entries: readonly Entry[]): void;
}

export type Advance =
  | { readonly at: 'waiting' }
  /** Local steps are still running, but something outside asked for attention. */
  | { readonly at: 'busy' }
  /** The function returned; `finish` records it. */
  | { readonly at: 'ended'; readonly end: RunEnd };

/** How often an attempt may vanish before the step is given up. */
const maxLost = 3;

/**
 * Runs one workflow function from the top, finds results by key, and stops when nothing local is running. Everything it
 * knows comes from the claim's image and from news; everything it writes shows the claim's fence.
 */
export class Replay implements Replaying {
  readonly fence: Fence;
  readonly runId: string;
  readonly clock: Clock;
  readonly root: Scope = { parent: null, keys: new Set(), abort: new AbortController() };
  readonly store: Store;
  seen: number;
  readonly #listener: ReplayListener;
  readonly #entries: Map<string, Entry>;
  /** Of the claim's image: what this life opens is found by its key. */
  readonly #recordedTurns: ReadonlyMap<string, readonly Entry[]>;
  readonly #used = new Set<string>();
  /** The same without what they depend on. */
  readonly #usedParts = new Set<string>();
  /** What earlier lives of the run left waiting and the function has not asked for yet. */
  readonly #unasked: Set<string>;
  /** Steps that the plan has now; null: the workflow has no plan. */
  readonly #steps: ReadonlySet<string> | null;
  readonly #waiters = new Map<string, Waiter>();
  readonly #input: Json;
  readonly #workflow: Workflow;
  #emitted: EmittedEvent[] = [];
  #busy = 0;
  #wakeLoop: (() => void) | null = null;
  #fatal: Error | null = null;
  #end: RunEnd | null = null;
  /** How the steps of the plan ended; null: the function has not returned. */
  #returned: ReadonlyMap<string, StepEnd> | null = null;
  #started = false;
  #poked = false;

  constructor(store: Store, clock: Clock, image: RunImage, workflow: Workflow, listener: ReplayListener) {
    this.store = store;
    this.clock = clock;
    this.runId = image.run.id;
    this.fence = { runId: image.run.id, epoch: image.run.epoch };
    this.seen = image.run.change;
    this.#entries = new Map(image.entries);
    this.#recordedTurns = turnsByPart(image.entries);
    this.#unasked = new Set(this.#keys((entry) => isWaiting(entry.state)));
    const outline = workflow.outline?.(image.input);
    this.#steps =
      outline === undefined ? null : new Set([...outline.map(({ id }) => id), ...(workflow.beside ?? [])]);
    this.#input = image.input;
    this.#workflow = workflow;
    this.#listener = listener;
    if (image.run.cancelled) this.root.abort.abort();
  }

  /**
   * Runs until the function returned, nothing but outside events can go on, or somebody poked. Throws `Fenced` when the
   * claim is lost, and whatever else the store had to say.
   */
  async advance(): Promise<Advance> {
    if (!this.#started) {
      this.#started = true;
      void this.#runFunction();
    }
    const quiet = await this.#quiet();
    if (this.#fatal !== null) throw this.#fatal;
    if (!quiet) return { at: 'busy' };
    if (this.#end === null && this.#waiters.size === 0) {
      const rule =
        'the workflow awaits something that is not an operation of its context, and would wait for ever';
      this.#end = endOfError(new RuleBroken(rule));
    }
    if (this.#end !== null) {
      await this.drop(this.#keys((entry) => this.#endsWithRun(entry)));
      return { at: 'ended', end: this.#end };
    }
    const awaited = this.waitingFor();
    const superseded = [...this.#unasked].filter((key) => {
      const entry = this.#entries.get(key);
      const isOver = entry !== undefined && isReplaced(entry, this.#usedParts);
      return isOver || isSuperseded(key, this.#steps, awaited);
    });
    for (const key of superseded) this.#unasked.delete(key);
    await this.drop(superseded);
    return { at: 'waiting' };
  }

  /** Whether this entry makes a key superfluous that an earlier life of the run left waiting. */
  replaces(entry: Entry, key: string): boolean {
    return this.#unasked.has(key) && isSuperseded(key, null, [entry]);
  }

  async finish(end: RunEnd): Promise<void> {
    await this.store.finish(this.fence, end, this.takeEmitted());
  }

  /** Makes `advance` return although local steps are running, so that their signal can reach them. */
  poke(): void {
    this.#poked = true;
    this.#wakeLoop?.();
  }

  apply(news: News): void {
    this.seen = news.change;
    for (const entry of news.entries) {
      this.#learn(entry);
      if (isWaiting(entry.state)) continue;
      this.#waiters.get(entry.key)?.resolve();
      this.#waiters.delete(entry.key);
    }
    if (news.cancelled && !this.root.abort.signal.aborted) this.root.abort.abort();
  }

  get abandoned(): boolean {
    return this.#fatal !== null;
  }

  /** The run goes on elsewhere, or not at all: what the function still has under way leads nowhere. */
  abandon(): void {
    this.#fatal ??= new Fenced(`the replay of run ${this.runId} is over`);
  }

  /** Everything the run waits for now, for people and for the decision to stay awake. */
  waitingFor(): readonly Entry[] {
    return [...this.#waiters.keys()].flatMap((key) => this.#entries.get(key) ?? []);
  }

  emit(event: EmittedEvent): void {
    this.#use(event.key);
    this.#emitted.push(event);
  }

  takeEmitted(): readonly EmittedEvent[] {
    const taken = this.#emitted;
    this.#emitted = [];
    return taken;
  }

  contextOf(scope: Scope): Ctx {
    return contextOf(this, scope);
  }

  take(scope: Scope, key: string, kind: Entry['kind']): Entry | undefined {
    this.#use(key);
    // Not of the run itself: it is no branch that could lose a race.
    for (let one = scope; one.parent !== null; one = one.parent) one.keys.add(key);
    const entry = this.#entries.get(key);
    if (entry !== undefined && entry.kind !== kind) {
      throw new RuleBroken(
        `key '${key}' was a ${entry.kind} and is now a ${kind}: a key never changes its meaning`,
      );
    }
    return entry;
  }

  async busy<T>(work: () => Promise<T>): Promise<T> {
    if (this.abandoned) return new Promise<never>(() => undefined);
    this.#busy += 1;
    try {
      return await work();
    } catch (error) {
      if (error instanceof StepFailed || error instanceof Cancelled) throw error;
      this.#fatal ??= error instanceof Error ? error : new Error(String(error));
    } finally {
      this.#busy -= 1;
      this.#wakeLoop?.();
    }
    return new Promise<never>(() => undefined);
  }

  async external(scope: Scope, outside: Outside): Promise<Extract<Entry['state'], { at: 'done' }>> {
    this.take(scope, outside.key, outside.kind);
    for (;;) {
      const entry = this.#entries.get(outside.key);
      if (entry?.state.at === 'done') return entry.state;
      if (entry?.state.at === 'failed') throw new StepFailed(outside.key, entry.state.failure);
      if (entry?.state.at === 'lost' && entry.losses >= maxLost) {
        throw new StepFailed(
          outside.key,
          failure('lost', `its process vanished ${entry.losses} times without a result`),
        );
      }
      if (scope.abort.signal.aborted) throw new Cancelled();
      if (nextAttempt(entry) === null) {
        await this.#wait(scope, outside.key);
        continue;
      }
      const open = { ...outside, spec: outside.spec() };
      this.#learn(await this.busy(() => this.store.open(this.fence, open, this.takeEmitted())));
    }
  }

  keysBeside(key: string): readonly string[] {
    if (this.#entries.has(key)) return [];
    return (this.#recordedTurns.get(stepIdOf(key)) ?? []).map((entry) => entry.key);
  }

  answers(step: string): readonly AnsweredQuestion[] {
    return [...this.#entries.values()]
      .filter(({ key }) => rootStepOf(key) === step && isAgentQuestion(key))
      .toSorted((a, b) => a.openedAt - b.openedAt)
      .flatMap(({ state, spec }) =>
        state.at === 'done'
          ? [{ question: recorded<Question>(spec).text, answer: recorded<Answer>(state.value) }]
          : [],
      );
  }

  async drop(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    await this.store.drop(this.fence, keys);
    const dropped = keys
      .flatMap((key) => this.#entries.get(key) ?? [])
      .filter(({ state }) => isWaiting(state));
    for (const entry of dropped) this.#entries.set(entry.key, { ...entry, state: { at: 'dropped' } });
    this.#listener.dropped(dropped);
  }

  async #runFunction(): Promise<void> {
    try {
      const value = plain(await this.#workflow.run(this.contextOf(this.root), this.#input));
      this.#returned = this.#workflow.stepEnds?.(value) ?? new Map();
      const end = this.#workflow.end?.(value) ?? { outcome: 'SUCCESS', message: null };
      this.#end =
        end.outcome === 'SUCCESS'
          ? { outcome: 'SUCCESS', value, failure: null }
          : {
              outcome: end.outcome,
              value,
              failure: failure('needs', end.message ?? 'the run did not succeed', { outcome: end.outcome }),
            };
    } catch (error) {
      this.#end = endOfError(error);
    } finally {
      this.#wakeLoop?.();
    }
  }

  /** True when the function ended, the store failed, or nothing local is running; false when somebody poked before. */
  async #quiet(): Promise<boolean> {
    while (this.#end === null && this.#fatal === null) {
      if (this.#busy > 0 && !this.#poked) {
        await new Promise<void>((resolve) => {
          this.#wakeLoop = resolve;
        });
        continue;
      }
      const poked = this.#poked;
      this.#poked = false;
      await this.clock.settle();
      if (this.#busy === 0) return true;
      if (poked && this.#end === null && this.#fatal === null) return false;
    }
    return true;
  }

  /** An open entry and its end may arrive in either order. */
  #learn(entry: Entry): void {
    const known = this.#entries.get(entry.key);
    if (known !== undefined && known.attempt === entry.attempt && known.change > entry.change) return;
    this.#entries.set(entry.key, entry);
  }

  #use(key: string): void {
    const fault = faultOfKey(key);
    if (fault !== null) throw new RuleBroken(fault);
    if (this.#used.has(key)) {
      throw new RuleBroken(`key '${key}' is used twice in one run: give each operation its own key`);
    }
    this.#used.add(key);
    this.#usedParts.add(stepIdOf(key));
    this.#unasked.delete(key);
  }

  #wait(scope: Scope, key: string): Promise<void> {
    const awaited = this.#entries.get(key);
    if (awaited !== undefined) this.#listener.awaited(awaited);
    return new Promise((resolve, reject) => {
      const cancel = () => {
        this.#waiters.delete(key);
        reject(new Cancelled());
      };
      this.#waiters.set(key, {
        resolve: () => {
          scope.abort.signal.removeEventListener('abort', cancel);
          resolve();
        },
      });
      scope.abort.signal.addEventListener('abort', cancel, { once: true });
    });
  }

  #keys(select: (entry: Entry) => boolean): readonly string[] {
    return [...this.#entries.values()].filter(select).map(({ key }) => key);
  }

  /**
   * Whether an entry that waits ends now that the function has. Work of steps that were left out this time stays, and so
   * does everything the function never came to, because it threw or was stopped.
   */
  #endsWithRun({ key, kind, state }: Entry): boolean {
    if (!isWaiting(state)) return false;
    const works = isLaunchable(kind) || kind === 'child';
    if (!this.#unasked.has(key)) return works;
    if (this.#returned === null) return works && this.root.abort.signal.aborted;
    return this.#returned.get(rootStepOf(key)) !== 'left';
  }
}

function turnsByPart(entries: RunImage['entries']): ReadonlyMap<string, readonly Entry[]> {
  const turns = [...entries.values()].filter(({ kind }) => kind === 'session');
  const newestFirst = turns.toSorted((a, b) => b.openedAt - a.openedAt || (a.key < b.key ? -1 : 1));
  return Map.groupBy(newestFirst, ({ key }) => stepIdOf(key));
}

interface Waiter {
  readonly resolve: () => void;
}

function endOfError(error: unknown): RunEnd {
  if (error instanceof Cancelled) {
    return { outcome: 'INTERRUPTED', value: null, failure: failure('ended', 'the run was stopped') };
  }
  if (error instanceof StepFailed) {
    const { outcome } = error.failure;
    return { outcome, value: null, failure: { ...error.failure, message: error.message } };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { outcome: 'FAILURE', value: null, failure: failure('error', message) };
}
