import { refusal, type Refusal } from '../refusal.ts';
import { type AgentTurn, findSandboxProblem } from './agent-sandbox.ts';

/** Why an agent cannot run here, with the page or the command that shows more about it; null: it can. */
export function refuseUnrunnable(
  place: Parameters<typeof findSandboxProblem>[0],
  agent: string,
  { turn, missing }: { readonly turn: AgentTurn; readonly missing: string | null },
): Refusal | null {
  const held = findSandboxProblem(place, turn);
  const problem = held ?? missing;
  if (problem === null) return null;
  const hint =
    held === null
      ? 'see every driver and agent CLI: tutti doctor --all'
      : 'see what holds agents: tutti help sandbox';
  return refusal('UNAVAILABLE', `agent '${agent}' cannot run: ${problem}`, hint);
}
