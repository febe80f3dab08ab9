import { oneLine } from '../../lib/terminal-text.ts';
import type { DriverEvent } from '../../model/driver.ts';

export const codexSignIn = 'set OPENAI_API_KEY or CODEX_API_KEY, or run `codex login`';

/** What the CLI says when the provider refuses the key, or it has none. */
const refusals = [
  /\bstatus:? (?:401|403)\b/,
  /\bnot logged in\b/i,
  /\bmissing environment variable\b/i,
  /\b(?:refresh|access) token\b.*\b(?:expired|invalid|revoked|could not be refreshed)\b/i,
];

/** Whether a message tells that the sign-in was refused. */
export function signInEvents(message: string): readonly DriverEvent[] {
  if (!refusals.some((refusal) => refusal.test(message))) return [];
  return [{ type: 'sign-in', reason: oneLine(message, 500) }];
}
