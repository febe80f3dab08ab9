import { limitText } from '../../model/limit-pause.ts';
import { oneLine, terminalText } from '../../lib/terminal-text.ts';
import { unreachable } from '../../lib/unreachable.ts';
import { describeDenied } from '../../model/denied-use.ts';
import type { DriverEvent, DriverReader } from '../../model/driver.ts';
import { type PermissionRequest, permissionText } from '../../model/permission.ts';
import type { Usage } from '../../model/usage.ts';
import type { LogLine } from '../host/line-cutter.ts';
import { dollars } from '../../lib/dollars.ts';

/** What a line of a session's log means to a person. */
export type RenderedKind = 'said' | 'did' | 'used' | 'waits' | 'failed';

/** One line that is safe for a terminal. */
export interface RenderedLine {
  readonly kind: RenderedKind;
  readonly text: string;
}

export interface LoggedEvent {
  readonly event: DriverEvent;
  /** The byte at which its line begins. */
  readonly offset: number;
}

/** More than a page of one line is no reading; the whole is in the file. */
const longest = 32 * 1024;

/** The events of a log. Its reader must be new, and hear every line from the first one on. */
export function eventsOf(reader: DriverReader): (line: LogLine) => readonly LoggedEvent[] {
  return ({ text, offset }) => reader.line(text).map((event) => ({ event, offset }));
}

/**
 * Events as lines for people. Knows what it told before, so that the same is not said twice. `answer`: the command that answers
 * what the event asks, where its session lives.
 */
export function renderer(): (event: DriverEvent, answer?: string) => readonly RenderedLine[] {
  let used = '';
  return (event, answer) => {
    if (event.type === 'waiting' && event.request !== undefined) return [askedLine(event.request, answer)];
    if (event.type !== 'usage') return rendered(event);
    const now = usageText(event.usage);
    if (now === used) return [];
    used = now;
    return now === '' ? [] : [{ kind: 'used', text: now }];
  };
}

/** What a session calls the request is of no use to a person. */
function askedLine(request: PermissionRequest, answer?: string): RenderedLine {
  const next = answer === undefined ? '' : `; answer it: ${answer}`;
  return { kind: 'waits', text: `waits for a person: ${oneLine(permissionText(request), 1000)}${next}` };
}

function rendered(event: Exclude<DriverEvent, { type: 'usage' }>): readonly RenderedLine[] {
  switch (event.type) {
    case 'text':
      return textLines(event.text).map((text) => ({ kind: 'said', text }));
    case 'tool':
      return [{ kind: 'did', text: oneLine(`${event.name} ${event.target}`, 500) }];
    case 'tool-failed': {
      const why = event.reason === '' ? ' failed' : `: ${event.reason}`;
      return [{ kind: 'failed', text: oneLine(`${event.name} ${event.target}`.trim() + why, 1000) }];
    }
    case 'waiting':
      return [{ kind: 'waits', text: `waits for a person: ${oneLine(event.why, 1000)}` }];
    case 'answered':
      return [{ kind: 'did', text: `request ${event.request} was answered: ${event.answer}` }];
    case 'limit':
      return [{ kind: 'waits', text: limitText(event, null, null) }];
    case 'files':
      return [{ kind: 'did', text: oneLine(`wrote ${event.paths.join(', ')}`, 500) }];
    case 'conversation':
      return [];
    case 'retrying':
      return [{ kind: 'waits', text: `tries again: ${oneLine(event.reason, 1000)}` }];
    case 'sign-in':
      return [{ kind: 'failed', text: `not signed in: ${oneLine(event.reason, 1000)}` }];
    case 'denied': {
      const why = event.reason === '' ? '' : `: ${event.reason}`;
      return [{ kind: 'failed', text: oneLine(`not permitted: ${describeDenied(event)}${why}`, 1000) }];
    }
    case 'blocked': {
      const { tool, reason } = event;
      return [{ kind: 'failed', text: oneLine(`a hook blocked ${tool}: ${reason}`, 1000) }];
    }
    case 'problem':
      return [{ kind: 'failed', text: oneLine(event.message, 1000) }];
    default:
      return unreachable(event);
  }
}

/** A lone return would paint over what stands there: it begins a line of its own, so that nothing is hidden. */
function textLines(text: string): readonly string[] {
  const kept = text.slice(0, longest);
  const lines = terminalText(kept.replaceAll(/\r+(\n|$)/g, '$1').replaceAll('\r', '\n')).split('\n');
  const more = text.length - kept.length;
  return more === 0 ? lines : [...lines, `… ${more} more characters on this line`];
}

function usageText({ inputTokens, outputTokens, costUsd }: Usage): string {
  const tokens =
    inputTokens === null && outputTokens === null
      ? []
      : [`${grouped(inputTokens)} tokens in, ${grouped(outputTokens)} out`];
  return [...tokens, ...(costUsd === null ? [] : [dollars(costUsd)])].join(' · ');
}

function grouped(amount: number | null): string {
  return amount === null ? '?' : Math.round(amount).toLocaleString('en-US');
}
