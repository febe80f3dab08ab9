import { isObject } from '../../lib/json.ts';
import { answerText, type PermissionAnswer } from '../../model/permission.ts';
import type { Question } from '../../model/question.ts';
import { type Ack, postMessage } from '../../runtime/spool.ts';

const timeoutMs = 5000;

/** Tells a session at work what a person said to its request. Saying it twice does no harm. */
export function sayAnswer(
  dir: string,
  number: number,
  answer: PermissionAnswer,
  { evidence }: Question,
): Promise<Ack> {
  const mark = isObject(evidence) && typeof evidence['mark'] === 'string' ? evidence['mark'] : null;
  return postMessage(dir, { kind: 'send', text: answerText({ answer, number, mark }) }, timeoutMs);
}
