import { attemptId } from '../model/key.ts';
import type { LaunchedAttempt } from '../model/ports/host.ts';

/**
 * An attempt that this process follows, from its launch or adoption until its slot is free again:
 *
 *     ┌─────────┐  end   ┌────────┐
 *     │ running │───────▶│ ending │
 *     └────┬────┘        └───┬────┘
 *          │ its process ended │
 *          ├───────────────────┘
 *          │                 the step does not continue
 *          ├───────────────────────────────────────────────▶ forgotten
 *          │ the step continues                                 ▲
 *          ▼                                                    │ the workflow has seen it
 *     ┌────────┐  recorded   ┌──────────┐   news are read   ┌───┴──┐
 *     │ ended  │────────────▶│ recorded │──────────────────▶│ told │
 *     └────────┘             └──────────┘                   └──────┘
 *
 * Every state holds a slot of the run: a task of a plan has many parts, and between two of them no other task begins.
 */
type Followed = Living | { readonly at: 'ended' | 'recorded' | 'told' };

interface Living {
  readonly at: 'running' | 'ending';
  readonly attempt: LaunchedAttempt;
}

type EndAttempt = (attempt: LaunchedAttempt, reason: string) => Promise<void> | undefined;

/** The attempts of one run, by attempt id: an old attempt may still be followed when another process has reported its end. */
export class FollowedAttempts {
  readonly #followed = new Map<string, Followed>();
  readonly #endAttempt: EndAttempt;
  readonly #ends = new Set<Promise<void>>();

  constructor(endAttempt: EndAttempt) {
    this.#endAttempt = endAttempt;
  }

  /** How many slots of the run are taken. */
  get size(): number {
    return this.#followed.size;
  }

  /** Whether no process of an attempt is alive, as far as this process knows. */
  get isIdle(): boolean {
    return this.alive().length === 0;
  }

  isAlive(id: string): boolean {
    const followed = this.#followed.get(id);
    return followed?.at === 'running' || followed?.at === 'ending';
  }

  alive(): readonly Living[] {
    return [...this.#followed.values()].filter((followed): followed is Living => 'attempt' in followed);
  }

  /** False: it is followed already. */
  follow(attempt: LaunchedAttempt): boolean {
    const id = attemptId(attempt);
    if (this.isAlive(id)) return false;
    this.#followed.set(id, { at: 'running', attempt });
    return true;
  }

  /** Ends an attempt that runs: its end is then no result. */
  end(id: string, reason: string): void {
    const followed = this.#followed.get(id);
    if (followed?.at !== 'running') return;
    this.#followed.set(id, { at: 'ending', attempt: followed.attempt });
    const end = this.#endAttempt(followed.attempt, reason);
    if (end === undefined) return;
    this.#ends.add(end);
    void end.then(() => this.#ends.delete(end));
  }

  endAll(reason: string): void {
    for (const id of this.#followed.keys()) this.end(id, reason);
  }

  /** Resolves when every attempt that is being ended has ended. */
  async untilEnded(): Promise<void> {
    await Promise.all(this.#ends);
  }

  /** Its process ended. Returns whether this process had ended it. With `continues` its step keeps the slot. */
  sawEnd(attempt: LaunchedAttempt, continues: boolean): boolean {
    const id = attemptId(attempt);
    const wasEnded = this.#followed.get(id)?.at === 'ending';
    if (continues) this.#followed.set(id, { at: 'ended' });
    else this.#followed.delete(id);
    return wasEnded;
  }

  /** The end is in the store: the next look for news tells the workflow. */
  recorded(attempt: LaunchedAttempt): void {
    const id = attemptId(attempt);
    if (this.#followed.get(id)?.at === 'ended') this.#followed.set(id, { at: 'recorded' });
  }

  /** News are about to be read: they contain every recorded end. */
  tell(): void {
    this.#move('recorded', () => ({ at: 'told' }));
  }

  /** The workflow has advanced with the news, and opened what comes next. */
  forgetTold(): void {
    this.#move('told', () => null);
  }

  #move(from: Followed['at'], to: () => Followed | null): void {
    for (const [id, { at }] of this.#followed) {
      if (at !== from) continue;
      const next = to();
      if (next === null) this.#followed.delete(id);
      else this.#followed.set(id, next);
    }
  }
}
