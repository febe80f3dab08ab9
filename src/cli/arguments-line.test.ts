import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../../test/rig/temp-folder.ts';
import { asksForJson, rewritten } from './arguments-line.ts';

const commands = ['make', 'init', 'status', 'validate-tasks'];

function line(text: string, planCommands = commands, folder = '/nowhere'): string {
  return rewritten(text === '' ? [] : text.split(' '), folder, planCommands).join(' ');
}

describe('tutti plan SPEC is tutti plan make SPEC', () => {
  test.each([
    ['plan', 'plan make'],
    ['plan spec.md', 'plan make spec.md'],
    ['plan docs/spec --new', 'plan make docs/spec --new'],
    ['plan - --target app', 'plan make - --target app'],
    ['plan --plan shop', 'plan make --plan shop'],
  ])('%s', (typed, meant) => {
    expect(line(typed)).toBe(meant);
  });

  test('also a file without a dot in its name, if it is there', () => {
    using folder = tempFolder();
    writeFileSync(join(folder.path, 'SPEC'), '');
    expect(line('plan SPEC', commands, folder.path)).toBe('plan make SPEC');
    expect(line('plan SPEC')).toBe('plan SPEC');
  });

  test.each([
    'plan status',
    'plan --help',
    'plan -h',
    'plan validate-complete',
    'run plan.yaml',
    'status',
    '',
  ])('but not: %s', (typed) => {
    expect(line(typed)).toBe(typed);
  });

  test('nor while there is no such command', () => {
    expect(line('plan spec.md', ['init'])).toBe('plan spec.md');
  });
});

describe('several values after one flag', () => {
  test.each([
    [
      'task complete T001 --created a b --modified c',
      'task complete T001 --created a --created b --modified c',
    ],
    ['task complete --created a --created b --json', 'task complete --created a --created b --json'],
    [
      'plan validate-tasks BLOCKED s --issues one two',
      'plan validate-tasks BLOCKED s --issues one --issues two',
    ],
    ['task complete T001 --created', 'task complete T001 --created'],
    ['task complete T001 --created a -- b c', 'task complete T001 --created a -- b c'],
    ['session create a b --tag x y', 'session create a b --tag x y'],
    [
      'spawn --extra-context a - b --json',
      'spawn --extra-context a --extra-context - --extra-context b --json',
    ],
    ['spawn - --extra-context a', 'spawn - --extra-context a'],
  ])('%s', (typed, meant) => {
    expect(line(typed)).toBe(meant);
  });
});

describe('whether errors are JSON', () => {
  test.each([
    ['status --json', true],
    ['spawn --output-format json', true],
    ['spawn --output-format=json', true],
    ['spawn --output-format text', false],
    ['json spawn --prompt x', false],
    ['answer Q1 -- --json', false],
  ])('%s', (typed, isJson) => {
    expect(asksForJson(typed.split(' '))).toBe(isJson);
  });
});
