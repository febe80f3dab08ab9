import type { Agent } from '../../model/agent.ts';
import type { Config } from '../../model/config.ts';
import type { AgentSnapshot } from '../../model/flow.ts';

/** What a run keeps of an agent. The project's configuration is stronger than the agent's own file. */
export function snapshotOf(agent: Agent, config: Pick<Config, 'agents' | 'driver'>): AgentSnapshot {
  const chosen = Object.hasOwn(config.agents, agent.name) ? config.agents[agent.name] : undefined;
  return {
    name: agent.name,
    systemPrompt: agent.systemPrompt,
    driver: chosen?.driver ?? agent.driver ?? config.driver,
    tier: chosen?.tier ?? agent.tier,
    result: agent.result,
    ...(agent.minTools === null ? {} : { minTools: agent.minTools }),
    ...(agent.allow.includes('sessions') ? { startsSessions: true } : {}),
    ...(agent.allow.includes('code') ? {} : { role: 'verifier' }),
    ...(agent.tools.length === 0 ? {} : { tools: agent.tools }),
    ...(agent.model === null ? {} : { model: agent.model }),
  };
}
