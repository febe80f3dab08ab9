import { isObject, type Json } from '../lib/json.ts';
import { err, ok, type Result } from '../lib/result.ts';
import { oneLine } from '../lib/terminal-text.ts';
import { type Failure, failure } from '../model/failure.ts';
import type { Outcome } from '../model/outcome.ts';
import { agentResultForm, agentResultOf } from '../model/schemas/agent-result.ts';
import { check, issueSentence } from '../model/schemas/issue.ts';
import { parseJson } from '../model/schemas/json-text.ts';
import type { AgentResult, SessionSpec } from '../model/turn.ts';
import { readText } from '../lib/read-text.ts';

const maxBytes = 1024 * 1024;
/** Characters of an unknown status that its failure quotes. */
const maxQuoted = 80;

/** What each status means for the turn. */
export const outcomeOfStatus: Readonly<Record<AgentResult['status'], Outcome>> = {
  success: 'SUCCESS',
  failed: 'FAILURE',
  blocked: 'HUMAN_INPUT',
  needs_refinement: 'NEEDS_REFINEMENT',
  needs_escalation: 'NEEDS_ESCALATION',
};

/** Turns the content of `result.json` into Tutti's own form. */
type Accept = (json: Json) => Result<AgentResult, Failure>;

/**
 * Reads the agent's account. Null only where none is owed; then one that cannot be read counts as none, unless its
 * status is a word that Tutti does not know: an agent that wrote `error` must not pass for one that wrote nothing.
 */
export function readResult(
  path: string,
  contract: SessionSpec['result'],
  accept: Accept = acceptOwnForm,
): Result<AgentResult | null, Failure> {
  const json = readJson(path);
  const unknown = json.ok ? unknownStatus(json.value) : null;
  if (unknown !== null) return invalid(unknown);
  const result = json.ok ? accept(json.value) : json;
  return result.ok || contract === 'required' ? result : ok(null);
}

function readJson(path: string): Result<Json, Failure> {
  const text = resultText(path);
  return text.ok ? parseText(text.value) : text;
}

function parseText(text: string): Result<Json, Failure> {
  const json = parseJson(text);
  if (json.ok) return json;
  const form = text.trimStart().startsWith('```') ? ', without a code fence around it' : '';
  return invalid(`it must be one JSON object${form}: ${json.error}`);
}

/** What is wrong with the status; null where it is known, or where the result has none. */
function unknownStatus(json: Json): string | null {
  const status = isObject(json) ? json['status'] : undefined;
  if (status === undefined || status === null || isStatus(status)) return null;
  const said = JSON.stringify(status).slice(0, maxQuoted);
  return `the status ${said} is unknown; use one of ${Object.keys(outcomeOfStatus).join(', ')}`;
}

export function isStatus(value: Json): value is AgentResult['status'] {
  return typeof value === 'string' && Object.hasOwn(outcomeOfStatus, value);
}

export function resultText(path: string): Result<string, Failure> {
  const text = readText(path, { maxBytes, links: 'refuse' });
  if (text.ok) return text;
  if (text.error.why !== 'absent') return invalid(`it ${text.error.message}`);
  return err(failure('no-result', `the agent ended without the result it owes: ${path} does not exist`));
}

function acceptOwnForm(json: Json): Result<AgentResult, Failure> {
  const form = check(agentResultForm, json);
  if (form.ok) return ok(agentResultOf(form.value));
  return invalid(form.error.slice(0, 1).map(issueSentence).join());
}

export function invalid(why: string): { readonly ok: false; readonly error: Failure } {
  return err(failure('invalid-result', `the agent's result.json is not valid: ${oneLine(why)}`));
}
