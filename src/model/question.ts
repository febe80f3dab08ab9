import type { Json } from '../lib/json.ts';
import { oneLine } from '../lib/terminal-text.ts';
import { failure, type Failure } from './failure.ts';

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
  /** The session whose result asks it; absent: a gate asks, or a session while it works. */
  readonly session?: string;
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

/** Answers that may fail to satisfy an agent: at the third similar question another answer would not help either. */
const maxSimilar = 2;

/** Null: all of them may be asked. Otherwise one was answered often enough, and somebody has to look at both sides. */
export function repeatedQuestion(asked: readonly Question[], answered: readonly Question[]): Failure | null {
  const known = answered.map(({ text }) => sameWords(text));
  const often = ({ text }: Question): boolean =>
    known.filter((one) => one === sameWords(text)).length >= maxSimilar;
  const repeated = asked.find(often);
  if (repeated === undefined) return null;
  const message = `the agent asked the same question again after two answers: ${oneLine(repeated.text, 300)}`;
  return failure('reported', message, { outcome: 'NEEDS_ESCALATION' });
}

/** Questions that differ in case, spaces and punctuation alone are one question. */
function sameWords(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
