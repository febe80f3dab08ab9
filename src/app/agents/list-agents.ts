import type { Agent } from '../../model/agent.ts';
import type { Problem } from '../../model/schemas/problem.ts';
import { agentNames, type AgentSource } from './agent-places.ts';
import { findAgent, isUntrustedAgent } from './find-agent.ts';

export interface AgentList {
  readonly agents: readonly Agent[];
  /** Files that look like agents and cannot be used. */
  readonly problems: readonly AgentProblem[];
}

interface AgentProblem extends Problem {
  /** Only a person's trust is missing. */
  readonly untrusted: boolean;
}

export function listAgents(source: AgentSource): AgentList {
  const found = agentNames(source.paths.root).map((name) => ({ name, agent: findAgent(source, name) }));
  return {
    agents: found.flatMap(({ agent }) => (agent.ok ? [agent.value] : [])),
    problems: found.flatMap(({ name, agent }) =>
      agent.ok ? [] : [{ ...agent.error, untrusted: isUntrustedAgent(source, name) }],
    ),
  };
}
