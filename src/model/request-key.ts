import { stepIdOf } from './key.ts';
import type { Session } from './session.ts';

/** The key of what a session asks while it works: like that of a part of its step. No entry has it, because nothing is
 * replayed from it. */
export function requestKey({ id, key }: Pick<Session, 'id' | 'key'>, request: number): string {
  return `${stepIdOf(key)}/permission-${request}@${id}`;
}
