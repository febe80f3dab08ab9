import { type Json, type JsonObject, textMember } from '../../lib/json.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { DriverEvent } from '../../model/driver.ts';

export const claudeSignIn = 'set ANTHROPIC_API_KEY, or run `claude auth login` (`/login` inside claude)';

/** A key that is refused, and a person who may not: neither is over by itself. */
const refusals: readonly (Json | undefined)[] = [401, 403];
/** What it says where no model was asked. */
const signInText =
  /\bplease run \/login\b|^not logged in\b|^invalid (?:api key|auth token)|^oauth (?:token|session)\b.*\b(?:expired|revoked)\b/i;

/** The proxy of a strict sandbox, not the model: no key changes that. */
const blockedText = /\bblocked by network allowlist\b/i;

/** Whether a retry or a result tells that the sign-in was refused. */
export function signInEvents(value: JsonObject): readonly DriverEvent[] {
  const status = value['error_status'] ?? value['api_error_status'];
  const words = textMember(value, 'result');
  if (blockedText.test(words)) return [];
  if (!refusals.includes(status) && !signInText.test(words)) return [];
  const told = words === '' ? `the model answered ${JSON.stringify(status)}` : words;
  return [{ type: 'sign-in', reason: oneLine(told, 500) }];
}
