import { isObject, type JsonObject } from '../../lib/json.ts';
import type { DriverEvent, DriverReader } from '../../model/driver.ts';
import { parseJson } from '../../model/schemas/json-text.ts';
import { stopReasonOf } from '../stop-reason.ts';

/** How the player marks its sentences on standard error, which may share the log with its events. */
export const problemMark = 'tutti replay: ';

/** The player speaks Tutti's own vocabulary, one JSON object a line; anything else on the log is text. */
export function replayReader(): DriverReader {
  const told = new Set<string>();
  return {
    line: (line) => {
      const event = eventOf(line);
      if (event.type !== 'problem') return [event];
      // The same sentence stands in the log twice when both streams of the player lead there.
      if (told.has(event.message)) return [];
      told.add(event.message);
      return [event];
    },
    stop: stopReasonOf,
  };
}

function eventOf(line: string): DriverEvent {
  if (line.startsWith(problemMark)) return { type: 'problem', message: line.slice(problemMark.length) };
  const json = line.startsWith('{') ? parseJson(line) : null;
  const event = json?.ok === true && isObject(json.value) ? driverEvent(json.value) : null;
  return event ?? { type: 'text', text: line };
}

function driverEvent(value: JsonObject): DriverEvent | null {
  const { type, text, name, target, usage, message } = value;
  if (type === 'text' && typeof text === 'string') return { type, text };
  if (type === 'tool' && typeof name === 'string' && typeof target === 'string')
    return { type, name, target };
  if (type === 'problem' && typeof message === 'string') return { type, message };
  if (type !== 'usage' || !isObject(usage)) return null;
  return {
    type,
    usage: {
      inputTokens: amount(usage['inputTokens']),
      outputTokens: amount(usage['outputTokens']),
      costUsd: amount(usage['costUsd']),
    },
  };
}

function amount(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 ? value : null;
}
