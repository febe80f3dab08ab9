import { isObject, plain, recorded } from '../../lib/json.ts';
import type { AgentSnapshot } from '../../model/flow.ts';
import { keepAgents } from '../agents/kept-agents.ts';
import { snapshotAgents } from '../agents/snapshot-agents.ts';
import type { Tutti } from '../tutti.ts';
import type { ChangedRun } from './run-holder.ts';

/**
 * Gives a run that has no successful turn yet, or whose person asks for it with `refresh`, the agents and drivers of today.
 * Null, or a sentence for the person where the run keeps its own although the configuration names another driver. Agents that
 * cannot run now stay as they were: the launch says what is missing.
 */
export async function refreshAgents(
  tutti: Tutti,
  runId: string,
  refresh: boolean,
  change: ChangedRun,
): Promise<string | null> {
  const { queries } = tutti;
  const [run, input] = [await queries.run(runId), await queries.input(runId)];
  const limits = (await queries.budget(runId))?.limits;
  const agents = isObject(input) ? input['agents'] : undefined;
  if (run === null || limits === undefined || !isObject(input) || !isObject(agents)) return null;
  // A plan calls its agents by their part in it, a flow by their names.
  const known = recorded<Record<string, AgentSnapshot>>(agents);
  const names = Object.values(known).map(({ name }) => name);
  const found = snapshotAgents(tutti, names, limits);
  if (!found.ok) return null;
  const current = Object.fromEntries(
    Object.entries(known).map(([part, agent]) => [part, found.value[agent.name] ?? agent]),
  );
  const kept = await keepAgents(queries, runId, { current, known, refresh });
  if (JSON.stringify(kept.agents) !== JSON.stringify(known)) {
    const { concurrency } = run;
    const next = { input: plain({ ...input, agents: kept.agents }), limits, concurrency };
    await change.amend(next);
  }
  return kept.note;
}
