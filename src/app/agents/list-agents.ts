import type { Agent } from '../../model/agent.ts';
import type { Problem } from '../../model/schemas/problem.ts';
import { agentNames, type AgentSource } from './agent-places.ts';
import { findAgent } from './find-agent.ts';

export interface AgentList {
  readonly agents: readonly Agent[];
  /** Files that look like agents and cannot be used. */
  readonly problems: readonly Problem[];
}

export function listAgents(source: AgentSource): AgentList {
  const found = agentNames(source.paths.root).map((name) => findAgent(source, name));
  return {
    agents: found.flatMap((result) => (result.ok ? [result.value] : [])),
    problems: found.flatMap((result) => (result.ok ? [] : [result.error])),
  };
}
