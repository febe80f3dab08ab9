import { limitKindOf } from '../../model/limit-pause.ts';
import { isObject, type Json, type JsonObject, textMember } from '../../lib/json.ts';
import type { DriverEvent, DriverReader } from '../../model/driver.ts';
import { permissionAnswerOf, requestNumberOf } from '../../model/permission.ts';
import { type CassetteStop, isCassetteStop } from '../../model/schemas/cassette.ts';
import { parseJson } from '../../model/schemas/json-text.ts';
import { amount } from '../../lib/amount.ts';
import { stopReasonOf } from '../stop-reason.ts';

/** How the player marks its sentences on standard error, which may share the log with its events. */
export const problemMark = 'tutti replay: ';

/** How the player says that the agent of this turn tells no tools, whichever it used. */
export const untoldMark = 'tools-untold';

/** The player speaks Tutti's own vocabulary, one JSON object a line; anything else on the log is text. */
export function replayReader(): DriverReader {
  const told = new Set<string>();
  let stopped: CassetteStop | null = null;
  let untold = false;
  return {
    line: (line) => {
      if (line.startsWith(problemMark)) {
        const message = line.slice(problemMark.length);
        // The same sentence stands in the log twice when both streams of the player lead there.
        return told.has(message) ? [] : [{ type: 'problem', message }];
      }
      const json = line.startsWith('{') ? parseJson(line) : null;
      const value = json?.ok === true && isObject(json.value) ? json.value : null;
      if (value?.['type'] === 'stop' && isCassetteStop(value['stop'])) {
        stopped = value['stop'];
        return [];
      }
      if (value?.['type'] === untoldMark) {
        untold = true;
        return [];
      }
      const event = value === null ? null : driverEvent(value);
      if (event?.type === 'problem') told.add(event.message);
      return [event ?? { type: 'text', text: line }];
    },
    // A recorded turn may have stopped in a way that its exit code does not tell; never in a better one.
    stop: (end) => (end.ended === null ? (stopped ?? stopReasonOf(end)) : stopReasonOf(end)),
    untold: () => untold,
  };
}

function driverEvent(value: JsonObject): DriverEvent | null {
  const type = textMember(value, 'type');
  const { text, name, target, usage, message, id, why, reason, tool } = value;
  switch (type) {
    case 'text':
      return isText(text) ? { type, text } : null;
    case 'tool':
      return isText(name) && isText(target) ? { type, name, target } : null;
    case 'problem':
      return isText(message) ? { type, message } : null;
    case 'conversation':
      return isText(id) ? { type, id } : null;
    case 'waiting':
      return isText(why) ? { type, why } : null;
    case 'answered': {
      const answer = permissionAnswerOf(value['answer']);
      const request = requestNumberOf(value['request']);
      return answer === null || request === null ? null : { type, request, answer };
    }
    case 'retrying':
    case 'sign-in':
      return isText(reason) ? { type, reason } : null;
    case 'tool-failed':
      return isText(name) && isText(target) && isText(reason) ? { type, name, target, reason } : null;
    case 'denied': {
      const call = value['call'] === true ? { call: true as const } : {};
      const on = isText(target) ? { target } : {};
      return isText(tool) && isText(reason) ? { type, tool, ...on, reason, ...call } : null;
    }
    case 'blocked':
      return isText(tool) && isText(reason) ? { type, tool, reason } : null;
    case 'limit':
      return { type, resetAt: amount(value['resetAt']), ...limitKindOf(value['kind']) };
    case 'files': {
      const { paths } = value;
      return Array.isArray(paths) && paths.every(isText) ? { type, paths } : null;
    }
    case 'usage':
      return isObject(usage) ? { type, usage: usageOf(usage) } : null;
    default:
      return null;
  }
}

function usageOf(usage: JsonObject): Extract<DriverEvent, { type: 'usage' }>['usage'] {
  return {
    inputTokens: amount(usage['inputTokens']),
    outputTokens: amount(usage['outputTokens']),
    costUsd: amount(usage['costUsd']),
    ...('cachedInputTokens' in usage ? { cachedInputTokens: amount(usage['cachedInputTokens']) } : {}),
  };
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string';
}
