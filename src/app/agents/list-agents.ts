import type { Agent } from '../../model/agent.ts';
import type { Problem } from '../../model/schemas/problem.ts';
import { agentNames } from './agent-places.ts';
import { findAgent } from './find-agent.ts';

export interface AgentList {
  readonly agents: readonly Agent[];
  /** Files that look like agents and cannot be used. */
  readonly problems: readonly Problem[];
}

export function listAgents(projectDir: string): AgentList {
  const found = agentNames(projectDir).map((name) => findAgent(projectDir, name));
  return {
    agents: found.flatMap((result) => (result.ok ? [result.value] : [])),
    problems: found.flatMap((result) => (result.ok ? [] : [result.error])),
  };
}
