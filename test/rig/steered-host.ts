import type { Json } from '../../src/lib/json.ts';
import type { Completion } from '../../src/model/entry.ts';
import { attemptId } from '../../src/model/key.ts';
import type { AttemptEnd, Host, LaunchedAttempt } from '../../src/model/ports/host.ts';
import { unknownUsage } from '../../src/model/usage.ts';

type Life =
  | { readonly at: 'running' }
  | { readonly at: 'ended'; readonly completion: Completion }
  | { readonly at: 'barred' };

/**
 * The machine that attempts run on, in the test's hand. It outlives the engine: a test may throw an engine away, make
 * another, and see what it finds. It counts what matters: how often each attempt id was really started.
 */
export class SteeredHost implements Host {
  readonly launches: string[] = [];
  readonly ended: string[] = [];
  readonly adopted: string[] = [];
  /** Answers at once with this, if set. */
  auto: ((attempt: LaunchedAttempt) => Completion | null) | null = null;
  /** Whether what is ended lives on until the test finishes it. */
  endsSlowly = false;
  readonly #lives = new Map<string, Life>();
  readonly #attempts = new Map<string, LaunchedAttempt>();
  readonly #listeners = new Map<string, ((completion: Completion) => void)[]>();
  readonly #arrivals: ((id: string) => void)[] = [];

  launch(attempt: LaunchedAttempt, began: () => void = () => undefined): Promise<AttemptEnd> {
    const id = attemptId(attempt);
    if (!this.#lives.has(id)) {
      this.launches.push(id);
      this.#lives.set(id, { at: 'running' });
      this.#attempts.set(id, attempt);
      if (attempt.kind === 'session') began();
      const answer = this.auto?.(attempt) ?? null;
      if (answer !== null) this.#lives.set(id, { at: 'ended', completion: answer });
      for (const arrived of this.#arrivals.splice(0)) arrived(id);
    }
    return this.#follow(attempt);
  }

  adopt(attempt: LaunchedAttempt): Promise<AttemptEnd> {
    const id = attemptId(attempt);
    this.adopted.push(id);
    if (!this.#lives.has(id)) this.#lives.set(id, { at: 'barred' });
    return this.#follow(attempt);
  }

  end(attempt: LaunchedAttempt, reason: string): undefined {
    const id = attemptId(attempt);
    this.ended.push(id);
    if (this.endsSlowly) return;
    const failure = { outcome: 'INTERRUPTED', reason: 'ended', message: reason } as const;
    this.finish(id, { at: 'failed', failure });
  }

  running(): string[] {
    return [...this.#lives].filter(([, life]) => life.at === 'running').map(([id]) => id);
  }

  attempt(id: string): LaunchedAttempt {
    const found = this.#attempts.get(id);
    if (found === undefined)
      throw new Error(`${id} was never launched; launched: ${this.launches.join(', ')}`);
    return found;
  }

  /** The process ends with this value. */
  done(id: string, value: Json = null): void {
    this.finish(id, { at: 'done', outcome: 'SUCCESS', value });
  }

  finish(id: string, completion: Completion): void {
    if (this.#lives.get(id)?.at === 'ended') return;
    this.#lives.set(id, { at: 'ended', completion });
    for (const listener of this.#listeners.get(id)?.splice(0) ?? []) listener(completion);
  }

  /** Resolves with the id of the next attempt that starts. */
  nextLaunch(): Promise<string> {
    return new Promise((resolve) => {
      this.#arrivals.push(resolve);
    });
  }

  async #follow(attempt: LaunchedAttempt): Promise<AttemptEnd> {
    const id = attemptId(attempt);
    const life = this.#lives.get(id);
    const completion = await new Promise<Completion>((resolve) => {
      if (life?.at === 'ended') resolve(life.completion);
      else if (life?.at === 'barred') resolve({ at: 'lost' });
      else this.#listeners.set(id, [...(this.#listeners.get(id) ?? []), resolve]);
    });
    const session =
      attempt.kind === 'session'
        ? ({ status: 'COMPLETED', exitCode: 0, outcome: 'SUCCESS', usage: unknownUsage } as const)
        : null;
    return { completion, session };
  }
}
