import { isObject, type Json, type JsonObject } from '../../lib/json.ts';
import { acpExits } from '../../model/acp.ts';
import type { DriverEvent, DriverReader } from '../../model/driver.ts';
import { limitKindOf } from '../../model/limit-pause.ts';
import { permissionAnswerOf, permissionRequestOf, requestNumberOf } from '../../model/permission.ts';
import { parseJson } from '../../model/schemas/json-text.ts';
import { amount } from '../../lib/amount.ts';
import { stopReasonOf } from '../stop-reason.ts';

/** The client speaks Tutti's own vocabulary; what is no such line is what the agent complained about, for people to read. */
export function acpReader(): DriverReader {
  let last: DriverEvent | null = null;
  return {
    line: (line) => {
      const json = line.startsWith('{') ? parseJson(line) : null;
      const event = json?.ok === true && isObject(json.value) ? eventOf(json.value) : null;
      if (event !== null) last = event;
      return event === null ? [] : [event];
    },
    // The end of a tool is not told; one that nothing was said or done after may not have ended.
    inFlight: () => (last?.type === 'tool' ? [`${last.name} ${last.target}`.trim()] : []),
    stop: (end) => {
      const stop = stopReasonOf(end);
      if (stop !== 'failed') return stop;
      if (end.exitCode === acpExits.sign_in) return 'sign-in';
      return end.exitCode === acpExits.limit ? 'limit' : stop;
    },
  };
}

/** The log is shared with the agent, which may print what looks like an event: each member is looked at. */
function eventOf(value: JsonObject): DriverEvent | null {
  const { type, text, name, target, paths, id, why, resetAt, tool, reason, message } = value;
  if (type === 'text' && isText(text)) return { type, text };
  if (type === 'tool' && isText(name) && isText(target)) return { type, name, target };
  if (type === 'tool-failed' && isText(name) && isText(target) && isText(reason))
    return { type, name, target, reason };
  if (type === 'files' && Array.isArray(paths)) return { type, paths: paths.filter(isText) };
  if (type === 'usage' && isObject(value['usage'])) return { type, usage: usageOf(value['usage']) };
  if (type === 'conversation' && isText(id)) return { type, id };
  if (type === 'waiting' && isText(why)) return waiting(why, value['request']);
  if (type === 'answered') return answered(value);
  if (type === 'limit') return { type, resetAt: amount(resetAt), ...limitKindOf(value['kind']) };
  if (type === 'retrying' && isText(reason)) return { type, reason };
  if (type === 'sign-in' && isText(reason)) return { type, reason };
  if (type === 'denied' && isText(tool) && isText(reason))
    return { type, tool, ...(isText(target) ? { target } : {}), reason, ...callOf(value) };
  return type === 'problem' && isText(message) ? { type, message } : null;
}

function waiting(why: string, told: Json | undefined): DriverEvent {
  const request = permissionRequestOf(told);
  return request === null ? { type: 'waiting', why } : { type: 'waiting', why, request };
}

function answered(value: JsonObject): DriverEvent | null {
  const request = requestNumberOf(value['request']);
  const answer = permissionAnswerOf(value['answer']);
  return answer === null || request === null ? null : { type: 'answered', request, answer };
}

function usageOf(value: JsonObject): Extract<DriverEvent, { type: 'usage' }>['usage'] {
  return {
    inputTokens: amount(value['inputTokens']),
    outputTokens: amount(value['outputTokens']),
    costUsd: amount(value['costUsd']),
  };
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string';
}

function callOf({ call }: JsonObject): { readonly call?: true } {
  return call === true ? { call } : {};
}
