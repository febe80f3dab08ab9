import { agentVerdict } from '../../kernel/agent-verdict.ts';
import { askApproval } from '../../kernel/approval.ts';
import type { Ctx } from '../../kernel/ctx.ts';
import type { Judgement } from '../../kernel/agent-work.ts';
import { cannotRun } from '../../model/command.ts';
import { failure, type Failure } from '../../model/failure.ts';
import type { GateSpec } from '../../model/flow.ts';
import { exitCodeOfGate, type GateEvidence, type MachineGate } from '../../model/gate.ts';
import { evidenceText, joinFindings } from '../../model/heal-prompt.ts';
import { keyOf } from '../../model/key.ts';
import { closed } from '../../model/question.ts';
import { plain } from '../../lib/json.ts';
import { stepVerifierPrompt } from '../../model/step-prompt.ts';
import { optionsOf, workspaceOf, type StepInRun } from './step-in-run.ts';
import { agentOf, turnSpec } from './turn-spec.ts';

/** What gates know of the turn that they judge. */
interface JudgedTurn {
  readonly toolCalls: number;
  /** Files that it names as its work. */
  readonly artifacts: readonly string[];
}

/**
 * Done is proven, not said: every gate is run by Tutti itself, after every turn that could have changed the answer. All of
 * them are judged, so that one healing turn can fix everything that is wrong. People are asked for their approval last, and
 * only for work that passes the rest. Null: all pass.
 */
export async function passGates(
  ctx: Ctx,
  place: StepInRun,
  after: string,
  { toolCalls, artifacts }: JudgedTurn,
): Promise<Judgement | null> {
  const gates = place.step.gates.map((gate, index) => ({
    gate,
    index,
    id: `${place.step.id}/gate-${index + 1}`,
  }));
  const failed: FailedGate[] = [];
  for (const { gate, index, id } of gates) {
    if (gate.kind === 'approval' || gate.kind === 'verifier') continue;
    const { found, said } = await passGate(ctx, place, { id, gate, after }, toolCalls);
    if (found.passed || said === 'without') continue;
    failed.push({ gate, index, found });
    if (said === 'fail') return judgementOf(failed, gates.length, 'NEEDS_ESCALATION');
  }
  if (failed.length > 0) return judgementOf(failed, gates.length);
  for (const { gate, index, id } of gates) {
    if (gate.kind !== 'verifier') continue;
    const refused = await verifyStep(ctx, place, { id, gate, after }, artifacts);
    if (refused !== null) return { failure: refused, of: plain({ gate, index }) };
  }
  for (const { gate, index, id } of gates) {
    if (gate.kind !== 'approval') continue;
    const found = await approvalEvidence(ctx, place, keyOf(id, plain({ gate, after })), gate);
    if (!found.passed) return judgementOf([{ gate, index, found }], gates.length);
  }
  return null;
}

type GateOf<Kind extends GateSpec['kind']> = Extract<GateSpec, { kind: Kind }>;

/** Turns of a verifier that ended without a verdict before a person is asked. */
const rounds = 2;

/** An agent that did not do the work, in a conversation of its own (P2). What it finds heals the step. */
function verifyStep(
  ctx: Ctx,
  place: StepInRun,
  { id, gate, after }: NumberedGate<GateOf<'verifier'>>,
  named: readonly string[],
): Promise<Failure | null> {
  const agent = agentOf(place, gate.agent);
  const files = place.step.gates.flatMap((each) => ('path' in each ? [each.path] : []));
  const artifacts = [...new Set([...named, ...files])];
  const { work } = place.step;
  const asked = work.kind === 'agent' ? work.prompt : work.argv.join(' ');
  const about = plain({ agent, after });
  return agentVerdict(ctx, {
    id,
    noun: 'step',
    about,
    asked: about,
    rounds,
    prompt: stepVerifierPrompt({ id: place.step.id, dir: workspaceOf(place), asked }),
    spec: (turn) => turnSpec(place, agent, turn, { role: 'verifier' }),
    seen: (key) => ctx.operation(key, 'progress', { artifacts }, optionsOf(place, 'later', null)),
  });
}

interface FailedGate {
  readonly gate: GateSpec;
  readonly index: number;
  readonly found: GateEvidence;
}

function judgementOf(failed: readonly FailedGate[], count: number, outcome?: Failure['outcome']): Judgement {
  const options = outcome === undefined ? {} : { outcome };
  const [first] = failed;
  if (first !== undefined && failed.length === 1) {
    const { gate, index, found } = first;
    return {
      failure: failure('gate', found.finding, { evidence: plain(found), ...options }),
      of: plain({ gate, index }),
    };
  }
  const findings = failed.map(({ found }) => found);
  const output = joinFindings(
    findings.map(({ finding, evidence }) => ({ headline: finding, output: evidenceText(evidence) })),
  );
  const message = `${failed.length} of ${count} gates failed: ${findings.map(({ finding }) => finding).join('; ')}`;
  return {
    failure: failure('gate', message, { evidence: plain({ output, gates: findings }), ...options }),
    of: plain({ gates: failed.map(({ gate, index }) => ({ gate, index })) }),
  };
}

interface NumberedGate<Gate> {
  readonly id: string;
  readonly gate: Gate;
  readonly after: string;
}

/** A command that cannot be run says nothing about the agent's work: a person decides, and no turn is paid for it. */
async function passGate(
  ctx: Ctx,
  place: StepInRun,
  { id, gate, after }: NumberedGate<MachineGate>,
  toolCalls: number,
): Promise<{ readonly found: GateEvidence; readonly said: 'without' | 'agent' | 'fail' | null }> {
  for (let tries = 1; ; tries += 1) {
    const about = { gate, after };
    const key = keyOf(tries === 1 ? id : `${id}-again-${tries - 1}`, plain(about));
    const timeoutMs = gate.kind === 'command' ? gate.timeoutMs : null;
    const options = optionsOf(place, 'later', timeoutMs);
    const found = await ctx.operation(key, 'gate', { gate, toolCalls }, options);
    if (found.passed || !cannotRun(exitCodeOfGate(found))) return { found, said: null };
    const { text } = await ctx.ask(keyOf(`${id}/cannot-run-${tries}`, plain(about)), {
      text:
        `${place.step.id}: ${found.finding}, so it says nothing about the work. ` +
        'Run it again (after you fixed the cause), continue without it, let the agent try, or fail the step?',
      options: ['again', 'without', 'agent', 'fail'],
      closed,
      evidence: found.evidence,
      step: place.step.id,
    });
    const word = text.trim().toLowerCase();
    if (word === 'again') continue;
    return { found, said: word === 'without' || word === 'agent' ? word : 'fail' };
  }
}

async function approvalEvidence(
  ctx: Ctx,
  { step }: StepInRun,
  key: string,
  gate: GateOf<'approval'>,
): Promise<GateEvidence> {
  const { said, text, by } = await askApproval(ctx, key, {
    text: gate.question,
    options: ['yes', 'no'],
    closed: { withReason: ['no'] },
    step: step.id,
  });
  const passed = said === 'approved';
  const finding = passed ? `${by} approved` : `${by} did not approve: ${text}`;
  return { gate: 'approval', passed, finding, evidence: { answer: text } };
}
