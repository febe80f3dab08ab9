import { oneLine } from '../lib/terminal-text.ts';
import { failure, type Failure } from '../model/failure.ts';
import type { Question } from '../model/question.ts';

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
