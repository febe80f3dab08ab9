import { isObject, type Json, type JsonObject, textMember } from '../../lib/json.ts';
import type { DriverEvent } from '../../model/driver.ts';
import { amount } from '../../lib/amount.ts';

/** Too many requests, and too many from everybody: both are over some time later, and nothing is wrong with the task. */
const overloadStatus = 529;
const limitStatuses: readonly (Json | undefined)[] = [429, overloadStatus];
/** What versions that tell no status write, some with the time of its end in seconds: `usage limit reached|1763200000`. */
const limitText = /(?:usage|session|weekly|\d-hour) limit reached|^You've hit your [\w-]* ?limit/i;
const endInText = /limit reached\|(\d{10})\b/;

/** Whether a result is that of a turn which met a limit. */
export function isLimit(result: JsonObject): boolean {
  if (result['is_error'] !== true) return false;
  return limitStatuses.includes(result['api_error_status']) || limitText.test(textMember(result, 'result'));
}

/** Where the end of a limit is told, and where only that there is one. */
export class LimitWatch {
  #known = false;

  /** A limit that turned the request away. Another that is only near is no matter. */
  told(info: Json | undefined): readonly DriverEvent[] {
    if (!isObject(info) || info['status'] !== 'rejected') return [];
    this.#known = true;
    return [limit(amount(info['resetsAt']))];
  }

  /** What was told before with a time must not be told again without. */
  ofResult(result: JsonObject): readonly DriverEvent[] {
    if (!isLimit(result) || this.#known) return [];
    const [, seconds] = endInText.exec(textMember(result, 'result')) ?? [];
    const event = limit(seconds === undefined ? null : Number(seconds));
    return [result['api_error_status'] === overloadStatus ? { ...event, kind: 'overload' } : event];
  }
}

function limit(seconds: number | null): Extract<DriverEvent, { type: 'limit' }> {
  return { type: 'limit', resetAt: seconds === null ? null : seconds * 1000 };
}

/** It tries again by itself: nothing is over yet. */
export function retryEvent(value: JsonObject): DriverEvent {
  const [status, delayMs] = [amount(value['error_status']), amount(value['retry_delay_ms'])];
  const [attempt, most] = [amount(value['attempt']), amount(value['max_retries'])];
  const what = status === null ? 'the model could not be reached' : `the model answered ${status}`;
  const next = delayMs === null ? '' : ` in ${(delayMs / 1000).toFixed(1)} s`;
  return { type: 'retrying', reason: `${what}; attempt ${attempt ?? '?'} of ${most ?? '?'}${next}` };
}
