import type { GateSpec } from '../../model/flow.ts';
import type { GateEvidence } from '../../model/gate.ts';

/** An agent that used no tool looked at nothing: what it says about the code is invention. */
export function toolsGate(gate: Extract<GateSpec, { kind: 'tools' }>, toolCalls: number): GateEvidence {
  return {
    gate: 'tools',
    passed: toolCalls >= gate.min,
    finding: `the agent used ${toolCalls} tools, and ${gate.min} are needed`,
    evidence: { tool_calls: toolCalls, needed: gate.min },
  };
}
