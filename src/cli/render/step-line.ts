import { formatDuration } from '../../lib/duration.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import { labelOf, type StepStatus, type StepWord } from '../../app/status/step-status.ts';
import { type Mark, marks } from './marks.ts';
import type { Paint } from './style.ts';
import { fit, pad } from './width.ts';
import { glyphs } from '../../lib/glyphs.ts';

export const stepMarks: Readonly<Record<StepWord, Mark>> = {
  running: marks.busy,
  waiting: marks.waiting,
  paused: marks.waiting,
  queued: [glyphs.idle, 'plain'],
  pending: marks.idle,
  blocked: marks.idle,
  skipped: marks.idle,
  done: marks.good,
  failed: marks.bad,
};

/** A step of which a person waived a part is done, and nothing has proven that part. */
function markOf({ state, waived = [] }: StepStatus): Mark {
  return state === 'done' && waived.length > 0 ? marks.note : stepMarks[state];
}

export interface LineParams {
  readonly nameWidth: number;
  readonly columns: number;
  readonly paint: Paint;
  /** What a running session does, in a few words; absent: that is not shown. */
  readonly doing?: ((sessionId: string) => string) | undefined;
}

/** `● build    3.2s  attempt 2`: one step, on one line. */
export function stepLine(step: StepStatus, { nameWidth, columns, paint, doing }: LineParams): string {
  const [glyph, tone] = markOf(step);
  const text = `${pad(fit(labelOf(step), nameWidth), nameWidth)}  ${pad(timeOf(step), 7)}  ${detailOf(step, doing)}`;
  return `${paint(tone, glyph)} ${fit(text.trimEnd(), columns - 2)}`;
}

export function nameWidthOf(steps: readonly StepStatus[], columns: number): number {
  const longest = Math.max(0, ...steps.map((step) => labelOf(step).length));
  return Math.min(longest, Math.max(8, Math.floor(columns / 2)));
}

/** Nothing for a step that has not been worked on, also while it waits for a slot, a person or a limit. */
function timeOf({ tookMs, state }: StepStatus): string {
  if (tookMs === null || state === 'pending' || isUnbegun(state)) return '';
  return tookMs === 0 && state !== 'running' && state !== 'done' ? '' : formatDuration(tookMs);
}

/** The run has ended without it. */
function isUnbegun(state: StepWord): boolean {
  return state === 'blocked' || state === 'skipped';
}

function detailOf(step: StepStatus, doing: LineParams['doing']): string {
  if (step.state === 'failed') return oneLine(step.message ?? step.outcome ?? 'failed', 300);
  if (step.state === 'queued') return oneLine(step.message ?? 'queued', 300);
  if (step.state === 'waiting') return oneLine(step.message ?? 'waits for an answer', 300);
  if (step.state === 'paused') return oneLine(step.message ?? 'paused', 300);
  if (isUnbegun(step.state)) return step.state;
  if (step.state === 'running') return workOf(step, doing);
  if (step.waived !== undefined) return oneLine(`done, not proven: ${step.waived.join('; ')}`, 300);
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
