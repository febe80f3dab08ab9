import { nextLook } from '../../lib/keep-looking.ts';
import { failure, type Failure } from '../../model/failure.ts';
import type { Outcome } from '../../model/outcome.ts';
import { outcomeOfRun } from '../../model/run.ts';
import { isTerminal } from '../../model/session.ts';
import type { HostParts } from './host-parts.ts';
import { familyOf } from '../../model/family.ts';

const lookEveryMs = 200;

/** Waits until all of them have ended. Null: all succeeded. Costs a look at the tables, and no process. */
export async function afterSessions(
  parts: HostParts,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Failure | 'ended' | null> {
  for (;;) {
    const ends = await Promise.all(ids.map(async (id) => ({ id, outcome: await outcomeOf(parts, id) })));
    if (signal.aborted) return 'ended';
    const failed = ends.find(({ outcome }) => outcome !== null && outcome !== 'SUCCESS');
    // One that failed is enough: what it was waited for will not come.
    if (failed !== undefined) return unmet(failed.id, failed.outcome ?? 'FAILURE');
    if (ends.every(({ outcome }) => outcome === 'SUCCESS')) return null;
    await nextLook(parts.clock, lookEveryMs);
  }
}

function unmet(id: string, outcome: Outcome): Failure {
  return failure('needs', `session ${id} ended with ${outcome}, and this one was to start after its success`);
}

/** Null while it goes on: one that failed may be tried again. */
async function outcomeOf({ queries }: HostParts, id: string): Promise<Outcome | null> {
  const session = await queries.sessions.one(id);
  if (session === null) return 'FAILURE';
  const run = await queries.run(session.runId);
  if (run !== null && familyOf(run).isSession) return outcomeOfRun(run.state);
  return isTerminal(session.status) ? session.outcome : null;
}
