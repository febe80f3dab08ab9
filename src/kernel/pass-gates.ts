import { plain } from '../lib/json.ts';
import { cannotRun } from '../model/command.ts';
import { failure, type Failure } from '../model/failure.ts';
import type { AgentSnapshot, GateSpec } from '../model/flow.ts';
import { exitCodeOfGate, type GateEvidence, type MachineGate } from '../model/gate.ts';
import { evidenceText, joinFindings } from '../model/heal-prompt.ts';
import { keyOf } from '../model/key.ts';
import { closed } from '../model/question.ts';
import { stepVerifierPrompt } from '../model/step-prompt.ts';
import type { SessionSpec, Turn } from '../model/turn.ts';
import { agentVerdict } from './agent-verdict.ts';
import type { Judgement } from './agent-work.ts';
import { askApproval } from './approval.ts';
import type { Ctx, OperationOptions } from './ctx.ts';

/** A step whose work gates decide about, in any family. */
export interface GatedStep {
  /** Its gates are parts of it: `build/gate-1`. */
  readonly id: string;
  readonly gates: readonly GateSpec[];
  /** The task of the step, for an agent that verifies the work. */
  readonly asked: string;
  /** The directory that gates look at, and their priority. */
  readonly place: OperationOptions;
  /** The agent of a verifier gate, as the run recorded it. The verdict's key contains it. */
  findAgent(name: string): AgentSnapshot;
  /** One turn of that agent, in the role of a verifier. */
  verifierTurn(agent: AgentSnapshot, turn: Turn): SessionSpec;
}

/** Facts about the turn that gates judge. */
export interface JudgedTurn {
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
  step: GatedStep,
  after: string,
  { toolCalls, artifacts }: JudgedTurn,
): Promise<Judgement | null> {
  const gates = step.gates.map((gate, index) => ({ gate, index, id: `${step.id}/gate-${index + 1}` }));
  const failed: FailedGate[] = [];
  for (const { gate, index, id } of gates) {
    if (gate.kind === 'approval' || gate.kind === 'verifier') continue;
    const { found, said } = await passGate(ctx, step, { id, gate, after }, toolCalls);
    if (found.passed || said === 'without') continue;
    failed.push({ gate, index, found });
    if (said === 'fail') return judgementOf(failed, gates.length, 'NEEDS_ESCALATION');
  }
  if (failed.length > 0) return judgementOf(failed, gates.length);
  for (const { gate, index, id } of gates) {
    if (gate.kind !== 'verifier') continue;
    const refused = await verifyStep(ctx, step, { id, gate, after }, artifacts);
    if (refused !== null) return { failure: refused, of: plain({ gate, index }) };
  }
  for (const { gate, index, id } of gates) {
    if (gate.kind !== 'approval') continue;
    const found = await approvalEvidence(ctx, step, keyOf(id, plain({ gate, after })), gate);
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
  step: GatedStep,
  { id, gate, after }: NumberedGate<GateOf<'verifier'>>,
  named: readonly string[],
): Promise<Failure | null> {
  const { place } = step;
  const agent = step.findAgent(gate.agent);
  const files = step.gates.flatMap((each) => ('path' in each ? [each.path] : []));
  const artifacts = [...new Set([...named, ...files])];
  const about = plain({ agent, after });
  return agentVerdict(ctx, {
    id,
    noun: 'step',
    about,
    asked: about,
    rounds,
    prompt: stepVerifierPrompt({ id: step.id, dir: place.workspace, asked: step.asked }),
    spec: (turn) => step.verifierTurn(agent, turn),
    seen: (key) => ctx.operation(key, 'progress', { artifacts }, { ...place, timeoutMs: null }),
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
  step: GatedStep,
  { id, gate, after }: NumberedGate<MachineGate>,
  toolCalls: number,
): Promise<{ readonly found: GateEvidence; readonly said: 'without' | 'agent' | 'fail' | null }> {
  for (let tries = 1; ; tries += 1) {
    const about = { gate, after };
    const key = keyOf(tries === 1 ? id : `${id}-again-${tries - 1}`, plain(about));
    const timeoutMs = gate.kind === 'command' ? gate.timeoutMs : null;
    const found = await ctx.operation(key, 'gate', { gate, toolCalls }, { ...step.place, timeoutMs });
    if (found.passed || !cannotRun(exitCodeOfGate(found))) return { found, said: null };
    const { text } = await ctx.ask(keyOf(`${id}/cannot-run-${tries}`, plain(about)), {
      text:
        `${step.id}: ${found.finding}, so it says nothing about the work. ` +
        'Run it again (after you fixed the cause), continue without it, let the agent try, or fail the step?',
      options: ['again', 'without', 'agent', 'fail'],
      closed,
      evidence: found.evidence,
      step: step.id,
    });
    const word = text.trim().toLowerCase();
    if (word === 'again') continue;
    return { found, said: word === 'without' || word === 'agent' ? word : 'fail' };
  }
}

async function approvalEvidence(
  ctx: Ctx,
  step: GatedStep,
  key: string,
  gate: GateOf<'approval'>,
): Promise<GateEvidence> {
  const { said, text, reason, by } = await askApproval(ctx, key, {
    text: gate.question,
    options: ['approve', 'refuse'],
    closed: {
      withReason: ['approve', 'refuse'],
      words: { y: 'approve', yes: 'approve', n: 'refuse', no: 'refuse' },
    },
    step: step.id,
  });
  const passed = said === 'approved';
  const finding = passed ? `approved by ${by}` : `refused by ${by}${reason === null ? '' : `: ${reason}`}`;
  return { gate: 'approval', passed, finding, evidence: { answer: text } };
}
