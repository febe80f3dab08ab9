import type { AgentSnapshot } from './flow.ts';
import { type Handoff, type SessionSpec, type Turn, workflowHandoff } from './turn.ts';

/** Where a turn works, and what it is told beyond its prompt. */
export interface TurnPlace
  extends Pick<SessionSpec, 'workspace' | 'timeoutMs' | 'priority' | 'role' | 'goesOn'> {
  /** What differs from the turns that workflows start by themselves. */
  readonly handoff?: Partial<Handoff>;
}

/** One turn of an agent as its snapshot defines it. A role of the place goes before the agent's own. */
export function turnOfAgent(
  { name, ...agent }: AgentSnapshot,
  turn: Turn,
  { handoff, ...place }: TurnPlace,
): SessionSpec {
  return { agent: name, ...agent, ...place, ...turn, handoff: { ...workflowHandoff, ...handoff } };
}
