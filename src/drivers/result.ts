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

/** What each status means for the turn. */
export const outcomeOfStatus: Readonly<Record<AgentResult['status'], Outcome>> = {
  success: 'SUCCESS',
  failed: 'FAILURE',
  blocked: 'HUMAN_INPUT',
  needs_refinement: 'NEEDS_REFINEMENT',
  needs_escalation: 'NEEDS_ESCALATION',
};

/** Reads the agent's account. Null only where none is owed; then one that cannot be read counts as none. */
export function readResult(
  path: string,
  contract: SessionSpec['result'],
): Result<AgentResult | null, Failure> {
  const result = read(path);
  return result.ok || contract === 'required' ? result : ok(null);
}

function read(path: string): Result<AgentResult, Failure> {
  const text = resultText(path);
  return text.ok ? parseResult(text.value) : text;
}

export function resultText(path: string): Result<string, Failure> {
  const text = readText(path, { maxBytes, links: 'refuse' });
  if (text.ok) return text;
  if (text.error.why !== 'absent') return invalid(`it ${text.error.message}`);
  return err(failure('no-result', `the agent ended without the result it owes: ${path} does not exist`));
}

export function parseResult(text: string): Result<AgentResult, Failure> {
  const json = parseJson(text);
  if (!json.ok) return invalid(json.error);
  const form = check(agentResultForm, json.value);
  if (form.ok) return ok(agentResultOf(form.value));
  return invalid(form.error.slice(0, 1).map(issueSentence).join());
}

export function invalid(why: string): { readonly ok: false; readonly error: Failure } {
  return err(failure('invalid-result', `the agent's result.json is not valid: ${oneLine(why)}`));
}
