import { invalid, outcomeOfStatus, readResult, resultText } from '../../drivers/result.ts';
import { validate } from '../../gates/json-schema.ts';
import { isObject, type Json, textMember } from '../../lib/json.ts';
import { ok, type Result } from '../../lib/result.ts';
import type { Failure } from '../../model/failure.ts';
import { parseJson } from '../../model/schemas/json-text.ts';
import type { AgentResult, SessionSpec } from '../../model/turn.ts';

/** What a session handed over: in Tutti's own form, or in the form that its caller asked for. */
export function readSessionResult(
  path: string,
  { result, handoff }: SessionSpec,
): Result<AgentResult | null, Failure> {
  const { resultSchema } = handoff;
  if (resultSchema === null) return readResult(path, result);
  const found = bySchema(path, resultSchema);
  return found.ok || result === 'required' ? found : ok(null);
}

/** The caller's form decides. A status that Tutti knows counts all the same: an agent that says it failed has failed. */
function bySchema(path: string, schema: Json): Result<AgentResult, Failure> {
  const text = resultText(path);
  if (!text.ok) return text;
  const json = parseJson(text.value);
  if (!json.ok) return invalid(json.error);
  const [first, ...more] = validate(schema, json.value);
  if (first !== undefined) {
    return invalid(
      `it is not what the schema says: ${first}${more.length > 0 ? ` and ${more.length} more` : ''}`,
    );
  }
  const status = textMember(json.value, 'status');
  return ok({
    status: isStatus(status) ? status : 'success',
    summary: textMember(json.value, 'summary'),
    artifacts: [],
    notes: isObject(json.value) && Array.isArray(json.value['notes']) ? json.value['notes'] : [],
    questions: [],
    usage: null,
  });
}

function isStatus(text: string): text is AgentResult['status'] {
  return Object.hasOwn(outcomeOfStatus, text);
}
