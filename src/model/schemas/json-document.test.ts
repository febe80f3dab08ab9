import { expect, test } from 'vitest';
import * as z from 'zod';
import { readJsonForm } from './json-document.ts';
import { planBundleForm } from './plan-bundle.ts';
import { planResultForm } from './plan-result.ts';
import { planTaskForm } from './plan-task.ts';
import { problemSentence } from './problem.ts';
import { taskValidationForm } from './task-validation.ts';

function said(form: Parameters<typeof readJsonForm>[0], text: string): readonly string[] {
  const read = readJsonForm(form, text, 'f.json');
  return read.ok ? [] : read.error.map(problemSentence);
}

test('what agents add is dropped; what they misspell is named, where it stands', () => {
  const verdict = { verdict: 'READY', summary: 'fine', issues: [] };
  expect(readJsonForm(taskValidationForm, JSON.stringify({ ...verdict, mood: 'good' }), 'f.json')).toEqual({
    ok: true,
    value: verdict,
  });
  expect(said(taskValidationForm, '{"verdict": "READY", "sumary": "fine", "issues": []}')).toEqual([
    'f.json:1:32: summary: is missing; there is "sumary"',
  ]);
  expect(said(taskValidationForm, '{"issues": [1], "x": 2}')).toEqual([
    'f.json:1:1: verdict: is missing',
    'f.json:1:1: summary: is missing',
    'f.json:1:13: issues[0]: must be text that is not empty',
  ]);
});

test('a mistake shows its line with a caret, and text that is no JSON its byte', () => {
  const read = readJsonForm(taskValidationForm, '{\n  "verdict": "ä",,\n', 'f.json');
  expect(read.ok ? [] : read.error).toEqual([
    {
      file: 'f.json',
      line: 2,
      column: 18,
      message: 'is not JSON: unexpected "," at byte 20',
      frame: '2 |   "verdict": "ä",,\n  |                  ^',
    },
  ]);
});

test('of thousands of mistakes only the first are looked at', () => {
  expect(
    said(taskValidationForm, JSON.stringify({ issues: Array.from({ length: 5000 }, () => 1) })),
  ).toHaveLength(51);
});

test('a result and a bundle that Tutti writes are what their forms say', () => {
  const result = {
    version: '1.0',
    task_id: 'T001',
    name: 'x',
    status: 'failed',
    started_at: '2026-01-31T18:00:00Z',
    completed_at: '2026-01-31T18:00:01Z',
    files: { created: ['a'], modified: [] },
    verification: { verdict: 'FAIL', criteria: [{ name: 'c', status: 'FAIL', evidence: '' }] },
    error: { category: 'test', message: 'no', retryable: true },
    notes: '',
  };
  expect(said(planResultForm, JSON.stringify(result))).toEqual([]);
  expect(said(planResultForm, JSON.stringify({ ...result, error: null }))).toEqual([]);
  expect(said(planResultForm, JSON.stringify({ ...result, completed_at: 'today' }))).toEqual([
    'f.json:1:115: completed_at: must be a time such as 2026-01-31T18:00:00Z',
  ]);
  expect(said(planBundleForm, '{}')).toHaveLength(11);
  expect(said(planTaskForm, 'null')).toEqual([
    'f.json:1:1: must be a mapping with id, name, phase, task_type, context, behaviors, files, dependencies, acceptance_criteria, estimate_hours',
  ]);
});

test('what is said to be missing where nothing could be is told where its place would be', () => {
  const form = z.unknown().superRefine((_, context) => {
    for (const path of [['a', 'b'], ['n', 'b', 'c'], [0]])
      context.addIssue({ code: 'custom', path, message: 'is missing' });
  });
  expect(said(form, '{"a": 1, "n": null}')).toEqual([
    'f.json:1:7: a.b: is missing',
    'f.json:1:15: n.b.c: is missing',
    'f.json:1:1: [0]: is missing',
  ]);
});
