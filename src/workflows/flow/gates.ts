import type { Ctx } from '../../kernel/ctx.ts';
import type { Judgement } from '../../kernel/agent-work.ts';
import { failure } from '../../model/failure.ts';
import type { GateSpec } from '../../model/flow.ts';
import type { GateEvidence } from '../../model/gate.ts';
import { keyOf } from '../../model/key.ts';
import { plain, recorded } from '../../lib/json.ts';
import { optionsOf, type StepPlace } from './place.ts';

/**
 * Done is proven, not said: every gate is run by Tutti itself, after every turn that could have changed the answer. They
 * go one after another and stop at the first that does not pass, so that a cheap one saves a dear one. Null: all pass.
 */
export async function passGates(
  ctx: Ctx,
  place: StepPlace,
  after: string,
  toolCalls: number,
): Promise<Judgement | null> {
  for (const [index, gate] of place.step.gates.entries()) {
    const id = `${place.step.id}/gate-${index + 1}`;
    const found = await evidenceOf(ctx, place, keyOf(id, plain({ gate, after })), gate, toolCalls);
    if (!found.passed) {
      return {
        failure: failure('gate', found.finding, { evidence: plain(found) }),
        of: plain({ gate, index }),
      };
    }
  }
  return null;
}

async function evidenceOf(
  ctx: Ctx,
  place: StepPlace,
  key: string,
  gate: GateSpec,
  toolCalls: number,
): Promise<GateEvidence> {
  if (gate.kind === 'approval') {
    const { text, by } = await ctx.ask(key, {
      text: gate.question,
      options: ['yes', 'no'],
      step: place.step.id,
    });
    const passed = /^y(es)?$/i.test(text.trim());
    const finding = passed ? `${by} approved` : `${by} did not approve: ${text}`;
    return { gate: 'approval', passed, finding, evidence: { answer: text } };
  }
  const timeoutMs = gate.kind === 'command' ? gate.timeoutMs : null;
  const end = await ctx.task(key, 'gate', plain({ gate, toolCalls }), optionsOf(place, 'later', timeoutMs));
  return recorded<GateEvidence>(end.value);
}
