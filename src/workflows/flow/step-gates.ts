import type { Judgement } from '../../kernel/agent-work.ts';
import type { Ctx } from '../../kernel/ctx.ts';
import { type GatedStep, type JudgedTurn, passGates } from '../../kernel/pass-gates.ts';
import { optionsOf, type StepInRun } from './step-in-run.ts';
import { agentOf, turnSpec } from './turn-spec.ts';

/** The gates of a step of a flow, in the directory of the step. Null: all pass. */
export function passStepGates(
  ctx: Ctx,
  place: StepInRun,
  after: string,
  turn: JudgedTurn,
): Promise<Judgement | null> {
  const { id, gates, work } = place.step;
  const step: GatedStep = {
    id,
    gates,
    asked: work.kind === 'agent' ? work.prompt : work.argv.join(' '),
    place: optionsOf(place, 'later', null),
    findAgent: (name) => agentOf(place, name),
    verifierTurn: (agent, next) => turnSpec(place, agent, next, { role: 'verifier' }),
  };
  return passGates(ctx, step, after, turn);
}
