import { isObject, type Json } from '../../lib/json.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { AcpEnd } from '../../model/acp.ts';
import type { DriverEvent } from '../../model/driver.ts';
import { limitIn, type MetLimit } from '../../model/limit-pause.ts';
import { Ended, RpcError } from './peer.ts';

const signInCode = -32_000;
/** Some agents tell the words of the provider and no status. */
const signInWords =
  /\b(?:incorrect|invalid|missing|expired|no) (?:(?:x-)?api[ -]?key|(?:auth|access) token|credentials?)\b|\bapi key not (?:valid|found)\b|\bapi[ -]?key (?:header )?is (?:missing|required)\b|\b(?:didn['’]t|did not) provide an api key\b|\bno (?:cookie )?auth(?:entication)? credentials\b|\bunregistered callers\b|\bunauthori[sz]ed\b|\bforbidden\b|\bnot (?:signed|logged) in\b|\bauthentication_error\b|\bpermission[_ ](?:error|denied)\b|\bdoes not have permission\b/i;
const retryWords = /\b(?:re)?try[-_ ]?(?:again )?(?:after|delay|in)["':=\s\\]*(\d+(?:\.\d+)?)\s*(ms|m|s)?/i;
const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };

export interface Trouble {
  readonly end: AcpEnd;
  readonly events: readonly DriverEvent[];
}

/** What an agent's error means. The protocol has no word for limits, so they are known by their status or their words. */
export function troubleOf(error: unknown, now: number): Trouble {
  if (error instanceof Ended) return endedTrouble(error, now);
  if (!(error instanceof RpcError)) return { end: 'failed', events: [problem(String(error))] };
  const told = wordsOf(error);
  const message = problem(`the agent answered ${error.code}: ${told}`);
  if (error.code === signInCode || statusOf(error) === 401) return signInTrouble(told);
  const limit = limitIn(`${statusOf(error)} ${told}`);
  if (limit !== null) return { end: 'limit', events: [message, limitEvent(told, now, limit)] };
  if (statusOf(error) === 403 || signInWords.test(told)) return signInTrouble(told);
  return { end: 'failed', events: [message] };
}

function signInTrouble(told: string): Trouble {
  const event = { type: 'sign-in', reason: oneLine(told, 500) } as const;
  return { end: 'sign_in', events: [problem(`the agent is not signed in: ${told}`), event] };
}

/** The reason is often beside the message, which says only that something went wrong. */
export function wordsOf({ message, data }: RpcError): string {
  return `${message} ${data === null ? '' : JSON.stringify(data)}`.trim();
}

/** One that tries again for ever says why on its standard error only. */
function endedTrouble({ end, message }: Ended, now: number): Trouble {
  const limit = end === 'quiet' ? limitIn(message) : null;
  if (limit === null) return { end, events: [problem(message)] };
  return { end: 'limit', events: [problem(message), limitEvent(message, now, limit)] };
}

function limitEvent(told: string, now: number, limit: Pick<MetLimit, 'kind'>): DriverEvent {
  return { type: 'limit', resetAt: resetAt(told, now), ...limit };
}

/** Some use the code for the status of HTTP, some put it beside. */
function statusOf({ code, data }: RpcError): number {
  const beside = ['status', 'statusCode', 'code'].map((name) => memberOf(data, name));
  return [code, ...beside].find((value) => typeof value === 'number' && value >= 400 && value < 600) ?? 0;
}

function memberOf(data: Json, name: string): number {
  const value = isObject(data) ? data[name] : undefined;
  return typeof value === 'number' ? value : 0;
}

function resetAt(told: string, now: number): number | null {
  const [, amount, unit = 's'] = retryWords.exec(told) ?? [];
  return amount === undefined ? null : now + Math.ceil(Number(amount) * (unitMs[unit.toLowerCase()] ?? 1000));
}

function problem(message: string): DriverEvent {
  return { type: 'problem', message: oneLine(message, 1000) };
}
