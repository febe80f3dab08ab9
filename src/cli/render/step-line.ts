import { formatDuration } from '../../lib/duration.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import { labelOf, type StepStatus, type StepWord } from '../../app/status/step-status.ts';
import type { Paint, Tone } from './style.ts';
import { fit, pad } from './width.ts';

export const marks: Readonly<Record<StepWord, readonly [glyph: string, tone: Tone]>> = {
  running: ['●', 'busy'],
  waiting: ['◐', 'waiting'],
  paused: ['◐', 'waiting'],
  queued: ['○', 'plain'],
  pending: ['○', 'quiet'],
  skipped: ['○', 'quiet'],
  done: ['✔', 'good'],
  failed: ['✕', 'bad'],
};

export interface LineParams {
  readonly now: number;
  readonly nameWidth: number;
  readonly columns: number;
  readonly paint: Paint;
  /** What a running session does, in a few words; absent: that is not shown. */
  readonly doing?: ((sessionId: string) => string) | undefined;
}

/** `● build    3.2s  attempt 2`: one step, on one line. */
export function stepLine(step: StepStatus, { now, nameWidth, columns, paint, doing }: LineParams): string {
  const [glyph, tone] = marks[step.state];
  const text = `${pad(labelOf(step), nameWidth)}  ${pad(timeOf(step, now), 7)}  ${detailOf(step, doing)}`;
  return `${paint(tone, glyph)} ${fit(text.trimEnd(), columns - 2)}`;
}

export function nameWidthOf(steps: readonly StepStatus[], columns: number): number {
  const longest = Math.max(0, ...steps.map((step) => labelOf(step).length));
  return Math.min(longest, Math.max(8, Math.floor(columns / 2)));
}

function timeOf({ startedAt, endedAt, state }: StepStatus, now: number): string {
  if (startedAt === null) return '';
  const isOpen = state === 'running' || state === 'waiting' || state === 'paused' || state === 'queued';
  if (isOpen) return formatDuration(now - startedAt);
  return endedAt === null ? '' : formatDuration(endedAt - startedAt);
}

function detailOf(step: StepStatus, doing: LineParams['doing']): string {
  if (step.state === 'failed') return oneLine(step.message ?? step.outcome ?? 'failed', 300);
  if (step.state === 'queued') return oneLine(step.message ?? 'queued', 300);
  if (step.state === 'waiting') return oneLine(step.message ?? 'waits for an answer', 300);
  if (step.state === 'paused') return oneLine(step.message ?? 'paused', 300);
  if (step.state === 'skipped') return 'skipped';
  if (step.state === 'running') return workOf(step, doing);
  return '';
}

/** Which part is under way, when it is not simply the step itself, and what its agent does: `heal-1  coder · Edit a.ts`. */
function workOf({ id, parts }: StepStatus, doing: LineParams['doing']): string {
  const live = parts.findLast(({ state }) => state === 'launched');
  if (live === undefined) return '';
  const part = live.id === id ? '' : live.id.slice(id.length + 1);
  const does = live.sessionId === null ? '' : (doing?.(live.sessionId) ?? '');
  return [part, does].filter((text) => text !== '').join('  ');
}
