import type { Json } from '../lib/json.ts';
import type { Entry } from '../model/entry.ts';
import type { EmittedEvent } from '../model/event.ts';
import type { Clock } from '../model/ports/clock.ts';
import type { Fence, OpenEntry, Store } from '../model/ports/store.ts';
import type { AnsweredQuestion } from '../model/question.ts';
import type { Ctx } from './ctx.ts';

/** One branch of the workflow: what it started, and how to end it. */
export interface Scope {
  /** Null for the run itself. */
  readonly parent: Scope | null;
  /** Of this branch and of every branch inside it; the run itself keeps none. */
  readonly keys: Set<string>;
  readonly abort: AbortController;
}

/** Something outside that a branch waits for. Its spec is only made when nothing is recorded under its key yet. */
export interface Outside extends Omit<OpenEntry, 'spec'> {
  readonly spec: () => Json;
}

/** What the operations of a context need of the replay. */
export interface Replaying {
  readonly runId: string;
  readonly fence: Fence;
  readonly store: Store;
  readonly clock: Clock;
  /** Nobody reads what the function does any more: nothing new may be begun. */
  readonly abandoned: boolean;
  contextOf(scope: Scope): Ctx;
  /** Registers the use of a key and returns what is recorded under it. */
  take(scope: Scope, key: string, kind: Entry['kind']): Entry | undefined;
  /**
   * Marks local work, so that the run is not taken for waiting meanwhile. When the store fails, the replay stops and the
   * promise never settles: workflow code must not take the store's trouble for a result of its own.
   */
  busy<T>(work: () => Promise<T>): Promise<T>;
  /** Opens the key if needed and waits for its end; a lost attempt is followed by the next one. */
  external(scope: Scope, outside: Outside): Promise<Extract<Entry['state'], { at: 'done' }>>;
  /** Recorded turns of the same part under other keys, the newest first; none while the key itself is recorded. */
  keysBeside(key: string): readonly string[];
  /** What people have answered to agents of this step, in the order of asking. */
  answers(step: string): readonly AnsweredQuestion[];
  /** Ends what is still awaited under these keys. */
  drop(keys: readonly string[]): Promise<void>;
  emit(event: EmittedEvent): void;
  takeEmitted(): readonly EmittedEvent[];
}
