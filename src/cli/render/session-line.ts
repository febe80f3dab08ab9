import { limitKindOf } from '../../model/limit-pause.ts';
import type { LoggedEvent, RenderedKind, RenderedLine } from '../../app/sessions/render-log.ts';
import type { DriverEvent } from '../../model/driver.ts';
import type { Output } from '../../model/schemas/published.ts';
import { terminalText } from '../../lib/terminal-text.ts';
import { type Mark, marks } from './marks.ts';
import type { Paint } from './style.ts';

const kindMarks: Readonly<Record<RenderedKind, Mark>> = {
  said: ['', 'plain'],
  did: marks.busy,
  used: marks.note,
  waits: marks.waiting,
  failed: marks.bad,
};

/** `● Edit src/x.ts`: what an agent said or did, on one line; the terminal wraps it. */
export function sessionLine({ kind, text }: RenderedLine, paint: Paint): string {
  const [glyph, tone] = kindMarks[kind];
  if (glyph === '') return text;
  return kind === 'did' ? `${paint(tone, glyph)} ${text}` : paint(tone, `${glyph} ${text}`);
}

/** `{"type":"tool",…,"offset":120}`: one line of NDJSON. */
export function sessionEventJson({ event, offset }: LoggedEvent): Output<'session-log'> {
  return published(event, offset);
}

function published(event: DriverEvent, offset: number): Output<'session-log'> {
  if (event.type === 'limit')
    return { type: 'limit', reset_at: instant(event.resetAt), ...limitKindOf(event.kind), offset };
  if (event.type === 'denied') {
    const { type, tool, target, reason } = event;
    return { type, tool, ...(target === undefined ? {} : { target }), reason, offset };
  }
  if (event.type !== 'usage') return { ...event, offset };
  const { inputTokens, outputTokens, costUsd } = event.usage;
  return { type: 'usage', input_tokens: inputTokens, output_tokens: outputTokens, cost_usd: costUsd, offset };
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

const levels = ['INFO', 'WARN', 'ERROR'] as const;

/** The same for programs; a line that is none of ours is a message. */
export function sessionLogJson(line: string, offset: number): Output<'session-log'> {
  const [, at, word, message] = /^\[([^\]]*)\] \[(INFO|WARN|ERROR)\] (.*)$/.exec(line) ?? [];
  const level = levels.find((each) => each === word) ?? null;
  return { type: 'log', at: at ?? null, level, message: message ?? line, offset };
}
