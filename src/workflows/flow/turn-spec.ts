import type { AgentSnapshot } from '../../model/flow.ts';
import type { SessionSpec, Turn, TurnRole } from '../../model/turn.ts';
import { turnOfAgent } from '../../model/turn-of-agent.ts';
import { optionsOf, workspaceOf, type StepInRun } from './step-in-run.ts';

export function agentOf({ input }: StepInRun, name: string): AgentSnapshot {
  const agent = input.agents[name];
  if (agent === undefined) throw new Error(`the run has no snapshot of agent '${name}'`);
  return agent;
}

/** A turn in the directory of the step. */
export function turnSpec(
  place: StepInRun,
  agent: AgentSnapshot,
  turn: Turn,
  role: { readonly role?: TurnRole } = {},
): SessionSpec {
  const { timeoutMs } = place.step;
  const isFirst = turn.turn === 1 && role.role === undefined;
  return turnOfAgent(agent, turn, {
    ...role,
    workspace: workspaceOf(place),
    timeoutMs: timeoutMs ?? place.input.sessionTimeoutMs,
    priority: optionsOf(place, isFirst ? 'first' : 'later', timeoutMs).priority ?? 0,
  });
}
