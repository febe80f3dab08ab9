/** Longer than a passing trouble: the agent that needs this tries after 2, 5, 9 and 17 s, and then every 30 s for ever. */
const patienceMs = 60_000;

/**
 * An agent that tries again without a word to us, and complains to its log only. It is given up long before one that may
 * just be thinking.
 */
export class Retries {
  readonly #pattern: RegExp | null;
  #rest = '';
  #why = '';
  #since: number | null = null;

  constructor(pattern: string | null) {
    this.#pattern = pattern === null ? null : new RegExp(pattern);
  }

  /** Why it tried again last, in its words; empty: it did not. */
  get why(): string {
    return this.#why;
  }

  /** Takes a piece of what it prints, and gives the reason of each line by which it is known that it tries again. */
  hear(text: string, now: number, heardAt: number): readonly string[] {
    const lines = `${this.#rest}${text}`.split('\n');
    this.#rest = lines.pop() ?? '';
    const reasons = lines.flatMap((line) => {
      const found = this.#pattern?.exec(line) ?? null;
      return found === null ? [] : [reasonIn(found)];
    });
    if (reasons.length > 0 && !this.#isRetrying(heardAt)) this.#since = now;
    this.#why = reasons.at(-1) ?? this.#why;
    return reasons;
  }

  /** Whether it has gone on so for too long; one that has been heard of since does not. */
  overdue(now: number, heardAt: number, quietMs: number): boolean {
    return this.#isRetrying(heardAt) && now - (this.#since ?? now) > Math.min(patienceMs, quietMs);
  }

  #isRetrying(heardAt: number): boolean {
    return this.#since !== null && this.#since >= heardAt;
  }
}

/** What the pattern singles out of a log line, which quotes it; without that the line itself. */
function reasonIn({ 1: quoted, input }: RegExpExecArray): string {
  return quoted?.replaceAll(/\\(["\\])/g, '$1') ?? input;
}
