import { isObject, type Json, type JsonObject, textMember } from '../../lib/json.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { CodexSandbox } from '../../model/codex.ts';
import type { DriverEvent, DriverReader } from '../../model/driver.ts';
import { parseJson } from '../../model/schemas/json-text.ts';
import type { Usage } from '../../model/usage.ts';
import { stopReasonOf } from '../stop-reason.ts';
import { itemEvents } from './items.ts';
import { beginOf, limitOf } from './limit-text.ts';
import { noteOf } from './notes.ts';

/**
 * Reads `--json`. There is no result at the end: success is a turn that was completed and did not fail after that, and exit
 * code 0. Types that are not known are left alone: each version of the CLI adds some.
 */
export function codexReader(sandbox: CodexSandbox): DriverReader {
  let turn: 'open' | 'completed' | 'failed' | 'limited' = 'open';
  let since: number | null = null;
  let error = '';
  let helpless = false;
  const used = new Set<string>();

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
        ];
      case 'turn.failed': {
        const message = textMember(value['error'], 'message');
        const limit = limitOf(message, since);
        turn = limit === null ? 'failed' : 'limited';
        // The same was told as an error just before.
        const told = message === error ? [] : [problem(message)];
        return limit === null ? told : [...told, { type: 'limit', ...limit }];
      }
      case 'item.started':
      case 'item.completed':
        return itemEvents(value, used);
      default:
        return [];
    }
  };

  return {
    line: (line) => {
      const json = line.startsWith('{') ? parseJson(line) : null;
      if (json?.ok === true && isObject(json.value)) return eventsOf(json.value);
      // Standard error shares the log.
      const note = noteOf(line, sandbox);
      helpless ||= note.helpless;
      return note.events;
    },
    stop: (end) => {
      const stop = stopReasonOf(end);
      if (stop !== 'finished' && stop !== 'failed') return stop;
      if (turn === 'limited') return 'limit';
      // Without its helpers every command fails before it begins, and the CLI tells none of it.
      const idle = helpless && used.size === 0;
      return stop === 'finished' && turn === 'completed' && !idle ? 'finished' : 'failed';
    },
  };
}

/** Of the whole conversation: what came out of the cache, and what the model thought, is in the two sums. No cost is told. */
function usageOf(usage: Json | undefined): Usage {
  const amount = (name: string): number | null => {
    const value = isObject(usage) ? usage[name] : null;
    return typeof value === 'number' && value >= 0 ? value : null;
  };
  return {
    inputTokens: amount('input_tokens'),
    outputTokens: amount('output_tokens'),
    costUsd: null,
    cachedInputTokens: amount('cached_input_tokens'),
  };
}

function problem(message: string): DriverEvent {
  return { type: 'problem', message: oneLine(message, 1000) };
}
