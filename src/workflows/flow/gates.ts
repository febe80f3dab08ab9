import type { Ctx } from '../../kernel/ctx.ts';
import type { Judgement } from '../../kernel/agent-work.ts';
import { cannotRun } from '../../model/command.ts';
import { failure } from '../../model/failure.ts';
import type { GateSpec } from '../../model/flow.ts';
import type { GateEvidence } from '../../model/gate.ts';
import { keyOf } from '../../model/key.ts';
import { isObject, plain, recorded } from '../../lib/json.ts';
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
    const { found, said } = await passGate(ctx, place, { id, gate, after }, toolCalls);
    if (!found.passed && said !== 'without') {
      const outcome = said === 'fail' ? { outcome: 'NEEDS_ESCALATION' as const } : {};
      return {
        failure: failure('gate', found.finding, { evidence: plain(found), ...outcome }),
        of: plain({ gate, index }),
      };
    }
  }
  return null;
}

interface NumberedGate {
  readonly id: string;
  readonly gate: GateSpec;
  readonly after: string;
}

/** A command that cannot be run says nothing about the agent's work: a person decides, and no turn is paid for it. */
async function passGate(
  ctx: Ctx,
  place: StepPlace,
  { id, gate, after }: NumberedGate,
  toolCalls: number,
): Promise<{ readonly found: GateEvidence; readonly said: 'without' | 'agent' | 'fail' | null }> {
  for (let tries = 1; ; tries += 1) {
    const about = { gate, after };
    const key = keyOf(tries === 1 ? id : `${id}-again-${tries - 1}`, plain(about));
    const found = await evidenceOf(ctx, place, key, gate, toolCalls);
    const exitCode = isObject(found.evidence) ? found.evidence['exit_code'] : null;
    if (found.passed || typeof exitCode !== 'number' || !cannotRun(exitCode)) return { found, said: null };
    const { text } = await ctx.ask(keyOf(`${id}/cannot-run-${tries}`, plain(about)), {
      text:
        `${place.step.id}: ${found.finding}: it cannot be run here, so it says nothing about the work. ` +
        'Run it again (after you fixed the cause), continue without it, let the agent try, or fail the step?',
      options: ['again', 'without', 'agent', 'fail'],
      evidence: found.evidence,
      step: place.step.id,
    });
    const word = text.trim().toLowerCase();
    if (word === 'again') continue;
    return { found, said: word === 'without' || word === 'agent' ? word : 'fail' };
  }
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
