import { failure, type Failure } from '../../model/failure.ts';
import type { Outcome } from '../../model/outcome.ts';
import { outcomeOfRun } from '../../model/run.ts';
import { isTerminal } from '../../model/session.ts';
import type { HostParts } from './host-parts.ts';
import { familyOf } from '../../model/family.ts';

const lookEveryMs = 200;

/** Waits until all of them have ended. Null: all succeeded. Costs a look at the tables, and no process. */
export function afterSessions(
  parts: HostParts,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Failure | 'ended' | null> {
  return new Promise((resolve) => {
    const look = (): void => {
      const ends = ids.map((id) => ({ id, outcome: outcomeOf(parts, id) }));
      const failed = ends.find(({ outcome }) => outcome !== null && outcome !== 'SUCCESS');
      // One that failed is enough: what it was waited for will not come.
      if (signal.aborted) finish('ended');
      else if (failed !== undefined) finish(unmet(failed.id, failed.outcome ?? 'FAILURE'));
      else if (ends.every(({ outcome }) => outcome === 'SUCCESS')) finish(null);
    };
    const looking = parts.clock.every(lookEveryMs, look);
    const finish = (end: Failure | 'ended' | null): void => {
      looking[Symbol.dispose]();
      resolve(end);
    };
    look();
  });
}

function unmet(id: string, outcome: Outcome): Failure {
  return failure('needs', `session ${id} ended with ${outcome}, and this one was to start after its success`);
}

/** Null while it goes on: one that failed may be tried again. */
function outcomeOf({ queries }: HostParts, id: string): Outcome | null {
  const session = queries.sessions.one(id);
  if (session === null) return 'FAILURE';
  const run = queries.run(session.runId);
  if (run !== null && familyOf(run).isSession) return outcomeOfRun(run.state);
  return isTerminal(session.status) ? session.outcome : null;
}
