import { isSafeId } from '../../lib/ids.ts';
import { ok, type Result } from '../../lib/result.ts';
import { planRunId } from '../../model/plan/task-row.ts';
import type { Run } from '../../model/run.ts';
import { isTerminal, type Session } from '../../model/session.ts';
import type { Refusal } from '../refusal.ts';
import { decide, type Decided, type DecisionPlace } from './decide.ts';

interface KnownPlanning {
  readonly queries: {
    run(id: string): Promise<Run | null>;
    readonly sessions: { one(id: string): Promise<Session | null> };
  };
}

/**
 * Asks for a person's word where a command changes what a plan's approval covers while Tutti plans it. A plan without such a
 * run is conducted by its caller, who needs no word. Null: none was needed.
 */
export async function decidePlanChange(
  place: DecisionPlace & KnownPlanning,
  plan: string,
  change: string,
): Promise<Result<Decided | null, Refusal>> {
  return (await isPlannedByTutti(place, plan))
    ? decide(place, 'edit', `${change} of plan ${plan}`)
    : ok(null);
}

/** The same for what a planning agent writes: an agent of the planning itself may have its work checked. */
export async function decideArtifactChange(
  place: DecisionPlace & KnownPlanning,
  plan: string,
  change: string,
): Promise<Result<Decided | null, Refusal>> {
  return (await isOwnPlanner(place, plan)) ? ok(null) : decidePlanChange(place, plan, change);
}

/** Whether a planning run of Tutti is not over. While it waits for the approval, it is not. */
async function isPlannedByTutti({ queries }: KnownPlanning, plan: string): Promise<boolean> {
  const run = await queries.run(planRunId(plan));
  return run !== null && run.state.at !== 'ended';
}

/** Whether every session that the caller comes from is an agent that the planning run has at work. */
async function isOwnPlanner(
  { caller, queries }: DecisionPlace & KnownPlanning,
  plan: string,
): Promise<boolean> {
  const ids = caller.variable('TUTTI_SESSION_ID');
  const find = async (id: string) => (isSafeId(id) ? queries.sessions.one(id) : null);
  const sessions = await Promise.all(ids.map(find));
  const isPlanner = (session: Session | null): boolean =>
    session !== null && session.runId === planRunId(plan) && !isTerminal(session.status);
  return ids.length > 0 && sessions.every(isPlanner);
}
