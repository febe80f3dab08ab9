import { stepIdOf } from '../../../model/key.ts';
import type { Queries } from '../../../store/queries.ts';

/** How often it is looked, and how often in a row: between two parts of a task there is a moment in which nothing of it runs. */
export const drainedLooks = { everyMs: 200, inARow: 3 } as const;

/** Whether nothing of an execution is at work. A task that is to begin, asks a person or waits for a usage limit is not. */
export function isDrained(queries: Pick<Queries, 'entries'>, runId: string): boolean {
  return !queries
    .entries(runId)
    .some(
      ({ key, kind, state }) =>
        (kind === 'task' || kind === 'session') &&
        (state.at === 'open' || state.at === 'launched') &&
        !stepIdOf(key).endsWith('/begin'),
    );
}
