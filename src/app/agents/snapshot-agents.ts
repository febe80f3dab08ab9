import { driverOf } from '../../drivers/registry.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import type { Agent } from '../../model/agent.ts';
import type { BudgetLimits } from '../../model/budget.ts';
import type { AgentSnapshot } from '../../model/flow.ts';
import { unboundCost } from './unbound-cost.ts';
import { refusalOfProblems, type Refusal } from '../refusal.ts';
import type { Place } from '../tutti.ts';
import { promptFor } from './equip.ts';
import { findAgent } from './find-agent.ts';
import { snapshotOf } from './snapshot.ts';
import { refuseUnrunnable } from './unrunnable.ts';

/** The agents of a run by name, each found and able to run here; what their files say later does not reach it. */
export function snapshotAgents(
  place: Place,
  names: readonly string[],
  budget: Partial<BudgetLimits>,
): Result<Record<string, AgentSnapshot>, Refusal> {
  const agents: Record<string, AgentSnapshot> = {};
  for (const name of new Set(names)) {
    const agent = snapshotAgent(place, name, budget);
    if (!agent.ok) return agent;
    agents[name] = agent.value;
  }
  return ok(agents);
}

function snapshotAgent(
  place: Place,
  name: string,
  budget: Partial<BudgetLimits>,
): Result<AgentSnapshot, Refusal> {
  const agent = findAgent(place, name);
  if (!agent.ok) return err(refusalOfProblems([agent.error], 'see which agents there are: tutti agents'));
  return prepareAgent(place, agent.value, budget, snapshotOf(agent.value, place.config));
}

/** An agent with everything that it is told, if its driver can run it here within the budget. */
export function prepareAgent(
  place: Place,
  agent: Agent,
  budget: Partial<BudgetLimits>,
  snapshot: AgentSnapshot,
): Result<AgentSnapshot, Refusal> {
  const { paths, config, env } = place;
  const driver = driverOf(snapshot.driver, config, { projectDir: paths.root, searchPath: env['PATH'] ?? '' });
  const missing = driver.ok ? driver.value.missing() : driver.error.message;
  const refused = refuseUnrunnable(place, agent.name, { turn: snapshot, missing });
  if (refused !== null) return err(refused);
  const unbound = driver.ok ? unboundCost(budget, snapshot, driver.value, config) : null;
  if (unbound !== null) return err(unbound);
  const prompt = promptFor(place, agent, snapshot.driver);
  if (!prompt.ok) return err(refusalOfProblems([prompt.error], 'fix it, then: tutti doctor'));
  return ok({ ...snapshot, systemPrompt: prompt.value });
}
