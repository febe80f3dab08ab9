import { formatDuration } from '../../lib/duration.ts';
import type { OpenQuestion } from '../../model/question.ts';
import { type RunStatus, wordOfRun } from '../../app/status/run-status.ts';
import type { StepStatus, StepWord } from '../../app/status/step-status.ts';
import { budgetLine } from './budget-line.ts';
import { briefly, questionLines } from './question-lines.ts';
import { nameWidthOf, stepLine, stepMarks } from './step-line.ts';
import type { Paint } from './style.ts';
import { fit } from './width.ts';
import { glyphs } from '../../lib/glyphs.ts';

export interface FrameParams {
  readonly now: number;
  readonly columns: number;
  /** At most so many lines come back. */
  readonly rows: number;
  readonly paint: Paint;
  /** What a running session does, in a few words; absent: that is not shown. */
  readonly doing?: ((sessionId: string) => string) | undefined;
}

/** A run as it stands, in a given space: never wider than the terminal, never taller than the screen. */
export function frameOf(status: RunStatus, params: FrameParams): string[] {
  const { columns, rows, paint } = params;
  const head = paint('strong', fit(headOf(status), columns));
  const asked = askedLines(status.questions, Math.max(1, Math.floor((rows - 1) / 2)), params);
  return [head, ...stepLines(status.steps, rows - 1 - asked.length, params), ...asked].slice(0, rows);
}

/** Questions may not push the steps off a small screen: in full, else one line each, else their number. */
function askedLines(
  questions: readonly OpenQuestion[],
  space: number,
  { now, columns, paint }: FrameParams,
): string[] {
  const how = { now, columns, paint, withRun: false, elsewhere: true };
  const full = questions.flatMap((open) => questionLines(open, how));
  if (full.length <= space) return full;
  const mark = paint('waiting', glyphs.waiting);
  if (questions.length <= space) return questions.map((open) => `${mark} ${fit(briefly(open), columns - 2)}`);
  return [`${mark} ${fit(`${questions.length} questions wait: tutti inbox`, columns - 2)}`];
}

export function headOf(status: RunStatus): string {
  const { run, outcome, steps, budget, atWork } = status;
  const state = wordOfRun(status.state, status.stopKept);
  const time = formatDuration(status.tookMs);
  const slots = outcome === null ? [`slots ${atWork}/${run.concurrency}`] : [];
  const done = steps.filter((step) => step.state === 'done').length;
  const progress = steps.length === 0 ? [] : [`${done} of ${steps.length} done`];
  const spent = budget === null ? [] : [budgetLine(budget)];
  return [`run ${run.id}`, `${outcome ?? state} ${time}`, ...progress, ...slots, ...spent].join(' · ');
}

/** What may be folded into a count, first those a person misses least. */
const foldable: readonly StepWord[] = [
  'skipped',
  'blocked',
  'done',
  'pending',
  'queued',
  'waiting',
  'paused',
  'running',
  'failed',
];

function stepLines(steps: readonly StepStatus[], rows: number, params: FrameParams): string[] {
  const folded = new Set<StepWord>();
  const needed = (): number => steps.filter(({ state }) => !folded.has(state)).length + folded.size;
  for (const word of foldable) {
    if (needed() <= rows) break;
    if (steps.some(({ state }) => state === word)) folded.add(word);
  }
  const shown = steps.filter(({ state }) => !folded.has(state));
  const line = { ...params, nameWidth: nameWidthOf(shown, params.columns) };
  return [...shown.map((step) => stepLine(step, line)), ...counts(steps, folded, params)].slice(
    0,
    Math.max(0, rows),
  );
}

function counts(
  steps: readonly StepStatus[],
  folded: ReadonlySet<StepWord>,
  { paint, columns }: FrameParams,
): string[] {
  return [...folded].map((word) => {
    const [glyph, tone] = stepMarks[word];
    const count = steps.filter(({ state }) => state === word).length;
    return `${paint(tone, glyph)} ${fit(`${count} ${word}`, columns - 2)}`;
  });
}
