import { isObject, type Json } from '../lib/json.ts';
import type { CommandProblem } from './command.ts';
import type { GateSpec } from './flow.ts';

/** What a gate saw and concluded: evidence, not a boolean. */
export interface GateEvidence {
  readonly gate: GateSpec['kind'];
  readonly passed: boolean;
  /** Why its command did not pass. Absent: it passed, runs no command, or an earlier release judged it. */
  readonly problem?: CommandProblem;
  /** One sentence: what was checked and what was found. */
  readonly finding: string;
  /** For the person and for a healing turn: output tail, paths, schema errors. */
  readonly evidence: Json;
}

/** A gate that the machine judges. People and agents are asked by the workflow. */
export type MachineGate = Exclude<GateSpec, { kind: 'approval' | 'verifier' }>;

/** Exit code of the command that a gate ran; null: it ran none, or its command was killed. */
export function exitCodeOfGate({ evidence }: Pick<GateEvidence, 'evidence'>): number | null {
  const code = isObject(evidence) ? evidence['exit_code'] : null;
  return typeof code === 'number' ? code : null;
}
