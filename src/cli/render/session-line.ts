import type { LoggedEvent, RenderedKind, RenderedLine } from '../../app/sessions/render-log.ts';
import type { DriverEvent } from '../../model/driver.ts';
import { terminalText } from '../../lib/terminal-text.ts';
import type { Paint, Tone } from './style.ts';

const marks: Readonly<Record<RenderedKind, readonly [glyph: string, tone: Tone]>> = {
  said: ['', 'plain'],
  did: ['●', 'busy'],
  used: ['·', 'quiet'],
  waits: ['◐', 'waiting'],
  failed: ['✕', 'bad'],
};

/** `● Edit src/x.ts`: what an agent said or did, on one line; the terminal wraps it. */
export function sessionLine({ kind, text }: RenderedLine, paint: Paint): string {
  const [glyph, tone] = marks[kind];
  if (glyph === '') return text;
  return kind === 'did' ? `${paint(tone, glyph)} ${text}` : paint(tone, `${glyph} ${text}`);
}

/** `{"type":"tool",…,"offset":120}`: one line of NDJSON. */
export function sessionEventJson({ event, offset }: LoggedEvent): object {
  return { ...published(event), offset };
}

function published(event: DriverEvent): object {
  if (event.type === 'limit') return { type: 'limit', reset_at: instant(event.resetAt) };
  if (event.type !== 'usage') return event;
  const { inputTokens, outputTokens, costUsd } = event.usage;
  return { type: 'usage', input_tokens: inputTokens, output_tokens: outputTokens, cost_usd: costUsd };
}

function instant(at: number | null): string | null {
  const date = new Date(at ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** A line of `session.log`; whoever writes into it, an agent can too. */
export function sessionLogLine(line: string, paint: Paint): string {
  const text = terminalText(line);
  if (text.includes('] [ERROR] ')) return paint('bad', text);
  return text.includes('] [WARN] ') ? paint('waiting', text) : text;
}

/** The same for programs; a line that is none of ours is a message. */
export function sessionLogJson(line: string, offset: number): object {
  const [, at, level, message] = /^\[([^\]]*)\] \[(INFO|WARN|ERROR)\] (.*)$/.exec(line) ?? [];
  return { type: 'log', at: at ?? null, level: level ?? null, message: message ?? line, offset };
}
