import { expect, test } from 'vitest';
import { isReplaced, isSuperseded } from './superseded.ts';

const session = (key: string, attempt = 1) => ({ key, kind: 'session', attempt }) as const;
const task = (key: string) => ({ key, kind: 'task', attempt: 1 }) as const;

test('a step that left the plan can no longer be asked for', () => {
  const steps = new Set(['build', 'test']);
  expect(isSuperseded('lint/heal-1@1', steps, [session('build@1')])).toBe(true);
  expect(isSuperseded('test/heal-1@1', steps, [session('build@1')])).toBe(false);
  expect(isSuperseded('lint/heal-1@1', null, [session('build@1')])).toBe(false);
});

test('a new turn of a step supersedes every other part of that step', () => {
  const now = [session('build@new')];
  for (const key of ['build@old', 'build/heal-1@old', 'build/question-1@old', 'build/gate-1@old']) {
    expect(isSuperseded(key, null, now), key).toBe(true);
  }
});

test('a turn that is tried again may lead to what followed it before', () => {
  expect(isSuperseded('build/heal-1@1', null, [session('build@1', 2)])).toBe(false);
});

test('an edited command supersedes the command, and a look at files supersedes nothing', () => {
  expect(isSuperseded('build@old', null, [task('build@new')])).toBe(true);
  expect(isSuperseded('logical/heal-1@1', null, [task('logical/check@2')])).toBe(false);
  expect(isSuperseded('ingestion/base-run@1', null, [task('ingestion@2')])).toBe(false);
  expect(isSuperseded('logical@1', null, [task('ingestion@2')])).toBe(false);
});

test('only a part that was never launched is replaced by the same part of another key', () => {
  const asked = new Set(['physical/check']);
  const open = { key: 'physical/check@1', kind: 'task', state: { at: 'open' } } as const;
  expect(isReplaced(open, asked)).toBe(true);
  expect(isReplaced({ ...open, state: { at: 'launched' } }, asked)).toBe(false);
  expect(isReplaced({ ...open, kind: 'ask' }, asked)).toBe(false);
  expect(isReplaced({ ...open, key: 'physical/check-2@1' }, asked)).toBe(false);
});
