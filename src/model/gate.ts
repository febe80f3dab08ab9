import type { Json } from '../lib/json.ts';
import type { GateSpec } from './flow.ts';

/** What a gate saw and concluded: evidence, not a boolean. */
export interface GateEvidence {
  readonly gate: GateSpec['kind'];
  readonly passed: boolean;
  /** One sentence: what was checked and what was found. */
  readonly finding: string;
  /** For the person and for a healing turn: output tail, paths, schema errors. */
  readonly evidence: Json;
}
