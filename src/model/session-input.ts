import { keyOf } from './key.ts';
import type { SessionSpec } from './turn.ts';

/** The input of the `session` workflow: one session that somebody asked for. */
export interface SessionInput {
  readonly spec: SessionSpec;
  /** Sessions that must have succeeded before. */
  readonly after: readonly string[];
  /** Further tries after a failure, each a session of its own. */
  readonly retryMax: number;
}

/** The key of a try, from 1; a function, because the slot of the first is promised before the run is advanced. */
export function sessionKey(tryNumber: number): string {
  return keyOf(tryNumber === 1 ? 'session' : `session/retry-${tryNumber - 1}`, null);
}
