import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { stripVTControlCharacters } from 'node:util';
import { budgetOf } from '../../model/budget.ts';
import type { OpenQuestion } from '../../model/question.ts';
import type { RunStatus } from '../../app/status/run-status.ts';
import type { StepStatus, StepWord } from '../../app/status/step-status.ts';
import { glyphs } from '../../lib/glyphs.ts';
import { frameOf } from './frame.ts';
import { stepLine } from './step-line.ts';
import { painter } from './style.ts';
import { displayWidth } from './width.ts';

const words: readonly StepWord[] = [
  'pending',
  'queued',
  'running',
  'waiting',
  'done',
  'failed',
  'blocked',
  'skipped',
];

function step(id: string, state: StepWord): StepStatus {
  const begun = state !== 'pending' && state !== 'blocked' && state !== 'skipped';
  const part = {
    id: `${id}/gate-1`,
    key: `${id}/gate-1@0`,
    kind: 'task',
    state: 'launched',
    attempt: 1,
  } as const;
  return {
    id,
    name: null,
    key: null,
    state,
    attempts: 1,
    sessionId: null,
    outcome: null,
    message: state === 'failed' ? 'broke\u001B[31m\nbadly 日本' : null,
    startedAt: begun ? 1000 : null,
    endedAt: state === 'done' || state === 'failed' ? 4000 : null,
    tookMs: begun ? (state === 'running' ? 60_000 : 3000) : null,
    parts: state === 'running' ? [{ ...part, sessionId: null, outcome: null }] : [],
  };
}

function question(n: number): OpenQuestion {
  return {
    id: `Q${n}`,
    runId: 'r',
    key: 'ask@1',
    question: { text: 'Which\u001B]0;x\u0007 one?', options: ['a', 'b'] },
    asker: null,
    askedAt: 0,
  };
}

function status(steps: readonly StepStatus[], questions: readonly OpenQuestion[] = []): RunStatus {
  return {
    run: {
      id: 'r',
      workflow: 'flow',
      state: { at: 'running' },
      epoch: 1,
      change: 0,
      cancelled: false,
      stops: 0,
      stoppedBy: null,
      rootId: 'r',
      parent: null,
      depth: 0,
      traceId: '0',
      concurrency: 3,
      startedAt: 0,
      endedAt: null,
    },
    state: 'running',
    outcome: null,
    message: null,
    steps,
    skipped: null,
    budget: budgetOf({ depth: 5, launches: 10, costUsd: 5 }),
    incidents: [],
    putAside: [],
    questions,
    atWork: 1,
    drivenBy: null,
    silentHolder: null,
    stopKept: false,
    tookMs: 61_000,
    hasTaskFiles: false,
    source: null,
  };
}

const plain = { now: 61_000, columns: 80, rows: 24, paint: painter(false) };

test('a running step shows its part and what the agent of its session does', () => {
  const running = step('b', 'running');
  const parts = running.parts.map((part) => ({ ...part, id: 'b/heal-1', sessionId: 's-1' }));
  const doing = (id: string): string => `${id}: coder · sonnet · Edit a.ts`;
  const line = { columns: 80, paint: painter(false), nameWidth: 1 };
  expect(stepLine({ ...running, parts }, { ...line, doing })).toBe(
    '● b  1m 00s   heal-1  s-1: coder · sonnet · Edit a.ts',
  );
  expect(stepLine({ ...running, parts }, line)).toBe('● b  1m 00s   heal-1');
});

test('one line a step, with its glyph, its time and what it does', () => {
  const lines = frameOf(
    status([step('a', 'done'), step('b', 'running'), step('c', 'pending'), step('d', 'failed')]),
    plain,
  );
  expect(lines).toEqual([
    'run r · running 1m 01s · 1 of 4 done · slots 1/3 · 0/10 launches · $0.00/$5.00',
    '✔ a  3.0s',
    '● b  1m 00s   gate-1',
    '○ c',
    '✕ d  3.0s     broke badly 日本',
  ]);
});

test('too many steps become counts, and those at work stay', () => {
  const many = Array.from({ length: 50 }, (_, n) =>
    step(`s${n}`, n < 30 ? 'done' : n < 33 ? 'running' : 'pending'),
  );
  const lines = frameOf(status(many), { ...plain, rows: 8 });
  expect(lines).toHaveLength(6);
  expect(lines.slice(1, 4)).toEqual([
    expect.stringMatching(/^● s30/),
    expect.stringMatching(/^● s31/),
    expect.stringMatching(/^● s32/),
  ]);
  expect(lines.slice(4)).toEqual(['✔ 30 done', '○ 17 pending']);
});

test('questions come with the command that answers, shorter where there is little room', () => {
  const full = frameOf(status([step('a', 'waiting')], [question(1)]), plain).join('\n');
  expect(full).toContain('Which one?');
  expect(full).toContain('2) b');
  expect(full).toContain('tutti answer Q1 1');
  const short = frameOf(status([step('a', 'waiting')], [question(1), question(2)]), { ...plain, rows: 6 });
  expect(short.slice(-2)).toEqual(['◐ tutti answer Q1 1: Which one?', '◐ tutti answer Q2 1: Which one?']);
  const least = frameOf(status([step('a', 'waiting')], [1, 2, 3, 4].map(question)), { ...plain, rows: 4 });
  expect(least.at(-1)).toBe('◐ 4 questions wait: tutti inbox');
});

test('whatever the run and the screen: never wider, never taller, and no character that a terminal obeys', () => {
  const anyStep = fc.tuple(fc.stringMatching(/^[a-z]{1,40}$/), fc.constantFrom(...words));
  fc.assert(
    fc.property(
      fc.array(anyStep, { maxLength: 60 }),
      fc.integer({ min: 0, max: 6 }),
      fc.integer({ min: 20, max: 200 }),
      fc.integer({ min: 1, max: 40 }),
      fc.boolean(),
      (steps, asked, columns, rows, colour) => {
        const run = status(
          steps.map(([id, word]) => step(id, word)),
          Array.from({ length: asked }, (_, n) => question(n + 1)),
        );
        const lines = frameOf(run, { now: 61_000, columns, rows, paint: painter(colour) });
        expect(lines.length).toBeLessThanOrEqual(rows);
        for (const line of lines) {
          const bare = stripVTControlCharacters(line);
          expect(displayWidth(bare)).toBeLessThanOrEqual(columns);
          expect(bare).not.toMatch(/\p{Cc}/u);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('a step that has a name is shown with it, cut and made safe', () => {
  const named = { ...step('T001', 'done'), name: 'Table of \u001B[31munits\n' };
  const lines = frameOf(status([named]), { now: 5000, columns: 80, rows: 5, paint: painter(false) });
  expect(lines[1]).toMatch(/^✔ T001 Table of .*units +3\.0s$/);
  expect(lines.join('')).not.toContain('\u001B');
});

test('a step with a long id keeps the columns of the others', () => {
  const params = { nameWidth: 12, columns: 60, paint: painter(false) };
  const lines = ['a', 'x'.repeat(50)].map((id) => stepLine(step(id, 'done'), params));
  expect(lines).toEqual([`${glyphs.good} a             3.0s`, `${glyphs.good} ${'x'.repeat(11)}…  3.0s`]);
});
