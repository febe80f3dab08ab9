import { statSync } from 'node:fs';
import type { GateSpec } from '../../model/flow.ts';
import type { GateEvidence } from '../../model/gate.ts';
import { realPathBelow } from '../../lib/path-below.ts';

type FileGate = Extract<GateSpec, { kind: 'file' }>;

/** A file is there, in the workspace itself. */
export function fileGate(gate: FileGate, workspace: string): GateEvidence {
  const real = realPathBelow(workspace, gate.path);
  if (!real.ok) return refuse(gate, real.error);
  const facts = statSync(real.value, { throwIfNoEntry: false });
  if (facts === undefined) return refuse(gate, `${gate.path} does not exist`);
  if (!facts.isFile()) return refuse(gate, `${gate.path} is not a file`);
  return {
    gate: 'file',
    passed: true,
    finding: `${gate.path} exists`,
    evidence: { path: gate.path, bytes: facts.size },
  };
}

function refuse(gate: FileGate, finding: string): GateEvidence {
  return { gate: 'file', passed: false, finding, evidence: { path: gate.path } };
}
