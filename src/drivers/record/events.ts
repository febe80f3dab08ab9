import { limitKindOf } from '../../model/limit-pause.ts';
import { unreachable } from '../../lib/unreachable.ts';
import type { DriverEvent } from '../../model/driver.ts';
import type { CassetteEvent } from '../../model/schemas/cassette.ts';

/** The last moment that a date with four digits for the year can name. */
const lastMs = 253_402_300_799_999;

/** An event as a cassette says it; `say` is what every text passes. */
export function cassetteEvent(event: DriverEvent, say: (text: string) => string): CassetteEvent {
  switch (event.type) {
    case 'text':
      return { text: say(event.text) };
    case 'tool':
      return {
        tool: { name: say(event.name), ...(event.target === '' ? {} : { target: say(event.target) }) },
      };
    case 'tool-failed':
      return {
        tool_failed: { name: say(event.name), target: say(event.target), reason: say(event.reason) },
      };
    case 'files':
      return { files: event.paths.map(say) };
    case 'usage': {
      const { cachedInputTokens: cached } = event.usage;
      return {
        usage: {
          input_tokens: finite(event.usage.inputTokens),
          output_tokens: finite(event.usage.outputTokens),
          cost_usd: finite(event.usage.costUsd),
          ...(cached === undefined ? {} : { cached_input_tokens: finite(cached) }),
        },
      };
    }
    case 'conversation':
      return { conversation: event.id };
    case 'waiting':
      return { waiting: say(event.why) };
    case 'answered':
      return { answered: { request: event.request, answer: event.answer } };
    case 'limit':
      return { limit: { ...limitOf(event.resetAt), ...limitKindOf(event.kind) } };
    case 'retrying':
      return { retrying: say(event.reason) };
    case 'sign-in':
      return { sign_in: say(event.reason) };
    case 'denied':
      return {
        denied: {
          tool: event.tool,
          ...(event.target === undefined ? {} : { target: say(event.target) }),
          reason: say(event.reason),
          ...(event.call === true ? { call: true } : {}),
        },
      };
    case 'blocked':
      return { blocked: { tool: event.tool, reason: say(event.reason) } };
    case 'problem':
      return { problem: say(event.message) };
    default:
      return unreachable(event);
  }
}

function limitOf(resetAt: number | null): { readonly reset_at?: string } {
  if (resetAt === null || !(resetAt >= 0 && resetAt <= lastMs)) return {};
  return { reset_at: new Date(resetAt).toISOString() };
}

function finite(amount: number | null): number | null {
  return amount !== null && Number.isFinite(amount) ? amount : null;
}
