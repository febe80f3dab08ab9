import { firstFew, shownInSentence } from '../../lib/first-few.ts';
import { isObject } from '../../lib/json.ts';
import { err, type Result } from '../../lib/result.ts';
import type { GateSpec } from '../../model/flow.ts';
import type { GateEvidence } from '../../model/gate.ts';
import { parseJson } from '../../model/schemas/json-text.ts';
import type { Json } from '../../lib/json.ts';
import { unsupported } from '../json-schema-support.ts';
import { validate } from '../json-schema.ts';
import { readTextBelow } from '../workspace-file.ts';

const maxBytes = 16 * 1024 * 1024;
const shownErrors = 20;

type SchemaGate = Extract<GateSpec, { kind: 'schema' }>;

export interface SchemaPlaces {
  /** Holds the file that the agent wrote. */
  readonly workspace: string;
  /** Holds the schema. */
  readonly projectDir: string;
}

/** A file of JSON is what its schema says. What this program cannot check does not pass. */
export function schemaGate(gate: SchemaGate, places: SchemaPlaces): GateEvidence {
  const schema = readJson(places.projectDir, gate.schema);
  if (!schema.ok) return refuse(gate, `the schema cannot be used: ${schema.error}`);
  if (!isObject(schema.value) && typeof schema.value !== 'boolean') {
    return refuse(gate, `the schema cannot be used: ${gate.schema} is not a JSON Schema`);
  }
  const reason = unsupported(schema.value);
  if (reason !== null) return refuse(gate, `the schema ${gate.schema} cannot be checked: ${reason}`);
  const value = readJson(places.workspace, gate.path);
  if (!value.ok) return refuse(gate, value.error);
  const errors = validate(schema.value, value.value);
  if (errors.length > 0) {
    const why = firstFew(errors, shownInSentence, '; ');
    return refuse(gate, `${gate.path} is not what ${gate.schema} says: ${why}`, errors);
  }
  return {
    gate: 'schema',
    passed: true,
    finding: `${gate.path} is what ${gate.schema} says`,
    evidence: { path: gate.path, schema: gate.schema },
  };
}

function readJson(root: string, path: string): Result<Json, string> {
  const text = readTextBelow(root, path, maxBytes);
  if (!text.ok) return text;
  const json = parseJson(text.value);
  return json.ok ? json : err(`${path} is not JSON: ${json.error}`);
}

function refuse(gate: SchemaGate, finding: string, errors: readonly string[] = []): GateEvidence {
  return {
    gate: 'schema',
    passed: false,
    finding,
    evidence: { path: gate.path, schema: gate.schema, errors: errors.slice(0, shownErrors) },
  };
}
