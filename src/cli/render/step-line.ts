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
}

/** `● build    3.2s  attempt 2`: one step, on one line. */
export function stepLine(step: StepStatus, { now, nameWidth, columns, paint }: LineParams): string {
  const [glyph, tone] = marks[step.state];
  const text = `${pad(labelOf(step), nameWidth)}  ${pad(timeOf(step, now), 7)}  ${detailOf(step)}`;
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

function detailOf(step: StepStatus): string {
  if (step.state === 'failed') return oneLine(step.message ?? step.outcome ?? 'failed', 300);
  if (step.state === 'queued') return 'queued for a slot';
  if (step.state === 'waiting') return oneLine(step.message ?? 'waits for an answer', 300);
  if (step.state === 'paused') return oneLine(step.message ?? 'paused', 300);
  if (step.state === 'skipped') return 'skipped';
  if (step.state === 'running') return partOf(step);
  return '';
}

/** Which part is under way, when it is not simply the step itself: `gate-1`, `heal-1`. */
function partOf({ id, parts }: StepStatus): string {
  const live = parts.findLast(({ state }) => state === 'launched');
  return live === undefined || live.id === id ? '' : live.id.slice(id.length + 1);
}
