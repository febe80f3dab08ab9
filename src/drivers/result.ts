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
/** Characters of the summary beside it. */
const maxSummary = 500;
const maxSaid = 1000;

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
  if (unknown !== null) return invalid(`${unknown}${ownWords(json)}`);
  const result = json.ok ? accept(json.value) : json;
  return result.ok || contract === 'required' ? result : ok(null);
}

function readJson(path: string): Result<Json, Failure> {
  const text = resultText(path);
  return text.ok ? parseText(text.value) : text;
}

/** Prose is no account: where gates look at the work, it hides nothing. What begins as an object is one, however broken. */
function parseText(text: string): Result<Json, Failure> {
  const given = withoutFence(text).trim();
  const json = parseJson(given);
  if (json.ok) return json;
  return invalid(
    `it must be one JSON object: ${json.error}`,
    given.startsWith('{') ? 'invalid-result' : 'no-result',
  );
}

/** Agents that format put the result into a code fence, some with words around it. */
function withoutFence(text: string): string {
  const blocks = [...text.matchAll(/^[ \t]*```\w*[ \t]*\n([\s\S]*?)\n[ \t]*```[ \t]*$/gm)];
  return blocks.length === 1 ? (blocks[0]?.[1] ?? text) : text;
}

/** What an agent with an unknown status says otherwise. */
function ownWords(json: Result<Json, Failure>): string {
  const summary = json.ok && isObject(json.value) ? json.value['summary'] : undefined;
  return typeof summary === 'string' && summary.trim() !== ''
    ? `; the agent says: ${oneLine(summary, maxSummary)}`
    : '';
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

export function invalid(
  why: string,
  reason: 'invalid-result' | 'no-result' = 'invalid-result',
): { readonly ok: false; readonly error: Failure } {
  return err(failure(reason, `the agent's result.json is not valid: ${oneLine(why, maxSaid)}`));
}
