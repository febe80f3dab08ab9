import { isWaiting, outcomeOfState } from '../../model/entry.ts';
import type { AgentSnapshot } from '../../model/flow.ts';
import type { Queries } from '../../model/ports/queries.ts';

type Agents = Readonly<Record<string, AgentSnapshot>>;

/** The agents that a run works with, and a sentence where the configuration has changed since they were taken. */
export interface KeptAgents {
  readonly agents: Agents;
  readonly note: string | null;
}

/**
 * A run keeps the agents it began with as soon as one of its turns has succeeded or is at work: an edit would make every
 * turn a different one, and paid work would be paid again. Until then there is nothing to keep.
 */
export async function keepAgents(
  queries: Pick<Queries, 'entries'>,
  runId: string,
  { current, known, refresh }: { current: Agents; known: Agents | null; refresh: boolean },
): Promise<KeptAgents> {
  if (known === null || refresh || !(await hasTurns(queries, runId))) return { agents: current, note: null };
  const kept = Object.entries(known).filter(([name]) => Object.hasOwn(current, name));
  const agents: Agents = { ...current, ...Object.fromEntries(kept) };
  const moved = Object.entries(current).some(([name, { driver }]) => agents[name]?.driver !== driver);
  return { agents, note: moved ? 'the driver changed; use --refresh to apply it' : null };
}

async function hasTurns(queries: Pick<Queries, 'entries'>, runId: string): Promise<boolean> {
  return (await queries.entries(runId)).some(
    ({ kind, state }) => kind === 'session' && (isWaiting(state) || outcomeOfState(state) === 'SUCCESS'),
  );
}
