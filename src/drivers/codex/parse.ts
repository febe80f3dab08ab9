import { isObject, type Json, type JsonObject, textMember } from '../../lib/json.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { CodexSandbox } from '../../model/codex.ts';
import type { DriverEvent, DriverReader } from '../../model/driver.ts';
import { parseJson } from '../../model/schemas/json-text.ts';
import type { Usage } from '../../model/usage.ts';
import { amount } from '../../lib/amount.ts';
import { stopReasonOf } from '../stop-reason.ts';
import { describeTool, itemEvents } from './items.ts';
import { beginOf, limitOf } from './limit-text.ts';
import { noHelpers, noteOf } from './notes.ts';
import { signInEvents } from './sign-in.ts';

/**
 * Reads `--json`. There is no result at the end: success is a turn that was completed and did not fail after that, and exit
 * code 0. Types that are not known are left alone: each version of the CLI adds some.
 */
export function codexReader(sandbox: CodexSandbox): DriverReader {
  let turn: 'open' | 'completed' | 'failed' | 'limited' = 'open';
  let since: number | null = null;
  let error = '';
  let helpless = false;
  let refused = false;
  let worked = false;
  const told = new Set<string>();
  const open = new Map<string, string>();

  const eventsOf = (value: JsonObject): readonly DriverEvent[] => {
    switch (textMember(value, 'type')) {
      case 'thread.started': {
        const id = textMember(value, 'thread_id');
        since = beginOf(id);
        return id === '' ? [] : [{ type: 'conversation', id }];
      }
      case 'turn.started':
        turn = 'open';
        return [];
      case 'turn.completed':
        turn = 'completed';
        return [{ type: 'usage', usage: usageOf(value['usage']) }];
      case 'error':
        error = textMember(value, 'message');
        return [
          error.startsWith('Reconnecting') ? { type: 'retrying', reason: oneLine(error) } : problem(error),
          ...signInEvents(error),
        ];
      case 'turn.failed': {
        const message = textMember(value['error'], 'message');
        const limit = limitOf(message, since);
        turn = limit === null ? 'failed' : 'limited';
        // The same was told as an error just before.
        const problems: DriverEvent[] = message === error ? [] : [problem(message)];
        if (message !== error) problems.push(...signInEvents(message));
        return limit === null ? problems : [...problems, { type: 'limit', ...limit }];
      }
      case 'item.started':
      case 'item.completed':
        trackTool(value, open);
        worked ||= textMember(value['item'], 'status') === 'completed';
        return itemEvents(value, told);
      default:
        return [];
    }
  };

  const isTrapped = (): boolean => helpless && refused && !worked;

  return {
    line: (line) => {
      const json = line.startsWith('{') ? parseJson(line) : null;
      if (json?.ok === true && isObject(json.value)) return eventsOf(json.value);
      // Standard error shares the log.
      const note = noteOf(line, sandbox);
      helpless ||= note.helpless;
      refused ||= note.events.some(({ type }) => type === 'denied');
      return note.events;
    },
    inFlight: () => [...open.values()],
    helpless: () => (isTrapped() ? noHelpers : null),
    stop: (end) => {
      const stop = stopReasonOf(end);
      if (stop !== 'finished' && stop !== 'failed') return stop;
      if (turn === 'limited') return 'limit';
      // Without its helpers the sandbox may refuse whatever it is asked, and the CLI still calls that a success.
      return stop === 'finished' && turn === 'completed' && !isTrapped() ? 'finished' : 'failed';
    },
  };
}

function trackTool(value: JsonObject, open: Map<string, string>): void {
  const used = describeTool(value);
  if (used === null) return;
  if (value['type'] === 'item.started') open.set(used.id, used.words);
  else open.delete(used.id);
}

/** Of the whole conversation: what came out of the cache, and what the model thought, is in the two sums. No cost is told. */
function usageOf(usage: Json | undefined): Usage {
  const told = isObject(usage) ? usage : {};
  return {
    inputTokens: amount(told['input_tokens']),
    outputTokens: amount(told['output_tokens']),
    costUsd: null,
    cachedInputTokens: amount(told['cached_input_tokens']),
  };
}

function problem(message: string): DriverEvent {
  return { type: 'problem', message: oneLine(message, 1000) };
}
