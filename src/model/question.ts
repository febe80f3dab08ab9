import type { Json } from '../lib/json.ts';

/** Something the asker may not decide. */
export interface Question {
  readonly text: string;
  /** Offered answers; free text is always allowed. */
  readonly options?: readonly string[];
  /** What the person needs to see in order to decide. */
  readonly evidence?: Json;
  /** Step that asks, in the plan's words. */
  readonly step?: string;
  readonly agent?: string;
  /** When it is too late to answer; absent: never. */
  readonly until?: number;
}

export interface Answer {
  readonly text: string;
  readonly by: string;
  readonly at: number;
}

/** A question in the inbox. */
export interface OpenQuestion {
  readonly id: string;
  readonly runId: string;
  readonly key: string;
  readonly question: Question;
  readonly askedAt: number;
  /** The session that asks while it works, and what it calls the question; null: the run asks, and waits. */
  readonly asker: { readonly session: string; readonly request: number } | null;
}
