import { setTimeout as pause } from 'node:timers/promises';
import { monotonicMs } from '../../lib/process/monotonic.ts';
import { unreachable } from '../../lib/unreachable.ts';
import type { HookEvent } from '../../model/hook.ts';
import { typedDigest, typedText, untypable } from '../../model/typed-text.ts';
import type { Ack } from '../spool.ts';
import type { Tmux } from './client.ts';

/** How long an interface may take to tell that it is there, and that it took what was typed. */
export interface TypistTimes {
  readonly readyMs: number;
  readonly submittedMs: number;
  /** From `ready` to the paste and from the paste to Enter, at least. */
  readonly settleMs: number;
}

export const typistTimes: TypistTimes = { readyMs: 30_000, submittedMs: 15_000, settleMs: 500 };

/** What an interface does, as far as typing is concerned. */
type Phase =
  | { readonly at: 'starting' }
  | { readonly at: 'rest' }
  | { readonly at: 'working' }
  /** Something is asked: a key typed now would answer it. */
  | { readonly at: 'dialog'; readonly why: string }
  | { readonly at: 'over' };

/**
 * Types into an interface, and believes only its hooks. Enter confirms whatever is on the screen, so it is pressed once,
 * only after the interface said that it takes input and not while it asks something; if it does not say that it took
 * the text, nothing more is pressed.
 */
export class Typist {
  readonly #tmux: Pick<Tmux, 'paste' | 'sendEnter'>;
  readonly #pane: string;
  readonly #times: TypistTimes;
  readonly #startedAt = monotonicMs();
  readonly #waiting = new Set<() => void>();
  #phase: Phase = { at: 'starting' };
  /** Names of the texts that were taken since Enter was pressed. */
  #taken = new Set<string>();
  #paceMs: number;

  constructor(tmux: Pick<Tmux, 'paste' | 'sendEnter'>, pane: string, times: TypistTimes) {
    this.#tmux = tmux;
    this.#pane = pane;
    this.#times = times;
    this.#paceMs = times.settleMs;
  }

  get phase(): Phase {
    return this.#phase;
  }

  heard(hook: HookEvent): void {
    // A machine on which the interface starts slowly is also slow to take in a paste.
    if (this.#phase.at === 'starting') {
      this.#paceMs = Math.min(Math.max(this.#times.settleMs, monotonicMs() - this.#startedAt), 5000);
    }
    if (hook.event === 'submitted') this.#taken.add(hook.prompt);
    this.#phase = phaseAfter(this.#phase, hook);
    this.#wake();
  }

  /** No more will be heard. */
  close(): void {
    this.#phase = { at: 'over' };
    this.#wake();
  }

  /** False: it did not say so in time. */
  ready(): Promise<boolean> {
    return this.#until(() => this.#phase.at !== 'starting', this.#times.readyMs);
  }

  /** Waits as long as it takes; false when it ended instead. */
  async rest(): Promise<boolean> {
    await this.#until(() => this.#phase.at === 'rest' || this.#phase.at === 'over', null);
    return this.#phase.at === 'rest';
  }

  /** Only while it is at rest. Delivered means that the interface said so, and that it took this very text. */
  async type(text: string): Promise<Ack> {
    const cannot = untypable(text);
    if (cannot !== null) return refused(cannot);
    await pause(this.#paceMs);
    const busy = this.#notAtRest();
    if (busy !== null) return refused(busy);
    const pasted = await this.#tmux.paste(this.#pane, typedText(text));
    if (!pasted.ok) return refused(pasted.error);
    await pause(this.#paceMs + text.length / 100);
    const interrupted = this.#notAtRest();
    if (interrupted !== null) return refused(`it was pasted, and Enter was not pressed: ${interrupted}`);
    this.#taken.clear();
    const entered = await this.#tmux.sendEnter(this.#pane);
    if (!entered.ok) return refused(`it was pasted, and Enter was not pressed: ${entered.error}`);
    const digest = typedDigest(text);
    await this.#until(() => this.#taken.has(digest) || this.#phase.at === 'over', this.#times.submittedMs);
    if (this.#taken.has(digest)) return { delivered: true };
    return refused(
      this.#taken.size === 0
        ? 'it was typed, and the interface does not say that it took it'
        : 'it was typed, and the interface took another text',
    );
  }

  #notAtRest(): string | null {
    switch (this.#phase.at) {
      case 'rest':
        return null;
      case 'dialog':
        return openDialog(this.#phase.why);
      case 'starting':
      case 'working':
        return 'it is working';
      case 'over':
        return 'the session has ended';
      default:
        return unreachable(this.#phase);
    }
  }

  async #until(happened: () => boolean, timeoutMs: number | null): Promise<boolean> {
    const deadline = timeoutMs === null ? null : monotonicMs() + timeoutMs;
    while (!happened()) {
      const leftMs = deadline === null ? null : deadline - monotonicMs();
      if (leftMs !== null && leftMs <= 0) return false;
      await this.#change(leftMs);
    }
    return true;
  }

  #change(timeoutMs: number | null): Promise<void> {
    return new Promise((resolve) => {
      const woken = (): void => {
        clearTimeout(patience);
        this.#waiting.delete(woken);
        resolve();
      };
      const patience = timeoutMs === null ? undefined : setTimeout(woken, timeoutMs);
      this.#waiting.add(woken);
    });
  }

  #wake(): void {
    for (const woken of this.#waiting) woken();
  }
}

function phaseAfter(before: Phase, hook: HookEvent): Phase {
  switch (hook.event) {
    case 'ready':
    case 'turn-done':
      return { at: 'rest' };
    case 'submitted':
    case 'working':
      return { at: 'working' };
    case 'waiting':
      return { at: 'dialog', why: hook.why };
    case 'blocked':
    case 'ended':
      return before;
    default:
      return unreachable(hook);
  }
}

/** Why nothing is typed now. The reason is the interface's own words, which may be a sentence. */
export function openDialog(why: string): string {
  return `a dialog is open in its terminal (${why})`;
}

function refused(reason: string): Ack {
  return { delivered: false, reason };
}
