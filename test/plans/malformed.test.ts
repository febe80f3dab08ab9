import { expect, test } from 'vitest';
import { tempFolder } from '../rig/temp-folder.ts';
import { malformedCapabilities, malformedPhysical } from './malformed-maps.ts';
import { malformedTaskFiles, malformedTasks } from './malformed-tasks.ts';
import { saidOf } from './malformed.ts';

const all = [...malformedCapabilities, ...malformedPhysical, ...malformedTaskFiles, ...malformedTasks];

test('the plan that is spoilt below is good, for a new project and for an existing one', () => {
  using folder = tempFolder();
  expect(saidOf(folder.path, { spoil: () => undefined })).toEqual([]);
  const facts = { projectType: 'existing', testCommands: ['node --test'] } as const;
  expect(saidOf(folder.path, { spoil: () => undefined, facts })).toEqual([]);
});

test('there are many ways to get a plan wrong, and each is told with its file, place and reason', () => {
  expect(all.length).toBeGreaterThanOrEqual(100);
  // One thing wrong is a few sentences at most, and each says where.
  for (const { said } of all) {
    expect(said.length).toBeGreaterThan(0);
    expect(said.length).toBeLessThan(5);
    for (const sentence of said) expect(sentence).toMatch(/^(?:artifacts|tasks)[\w./-]*(?::\d+:\d+)?: \S/);
  }
});

test.each(malformedCapabilities)('capability map: $name', (malformed) => {
  using folder = tempFolder();
  expect(saidOf(folder.path, malformed)).toEqual(malformed.said);
});

test.each(malformedPhysical)('physical map: $name', (malformed) => {
  using folder = tempFolder();
  expect(saidOf(folder.path, malformed)).toEqual(malformed.said);
});

test.each(malformedTaskFiles)('a task: $name', (malformed) => {
  using folder = tempFolder();
  expect(saidOf(folder.path, malformed)).toEqual(malformed.said);
});

test.each(malformedTasks)('the tasks: $name', (malformed) => {
  using folder = tempFolder();
  expect(saidOf(folder.path, malformed)).toEqual(malformed.said);
});
