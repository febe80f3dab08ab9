import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  readCapabilityMap,
  readPhysicalMap,
  readPlan,
  readSpec,
  readTasks,
} from '../../src/app/plan-files/load-plan.ts';
import { type Problem, problemSentence } from '../../src/model/schemas/problem.ts';
import type { Result } from '../../src/lib/result.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { factsFor, goodPlan, textOf, writeGoodPlan, writePlan } from './good-plan.ts';

function sentences(read: Result<unknown, readonly Problem[]>): readonly string[] {
  return read.ok ? [] : read.error.map(problemSentence);
}

test.each([2, 8, 120])('a good plan of %i tasks is read whole, also in parts', (tasks) => {
  using folder = tempFolder();
  const plan = writeGoodPlan(folder.path, { tasks });
  const facts = factsFor(plan, '/nowhere');
  const read = readPlan(folder.path, facts);
  expect(sentences(read)).toEqual([]);
  if (!read.ok) return;
  expect(read.value.tasks.value).toEqual(plan.tasks);
  expect(readSpec(folder.path)).toEqual({ ok: true, value: plan.spec });
  expect(readCapabilityMap(folder.path, facts)).toEqual({ ok: true, value: read.value.capabilityMap });
  expect(readPhysicalMap(folder.path, facts)).toEqual({ ok: true, value: read.value.physicalMap });
  const alone = readTasks(folder.path, facts);
  expect(alone.ok && alone.value.digest).toBe(read.value.tasks.digest);
  expect(read.value.tasks.graph.order).toHaveLength(tasks);
});

test('what is wrong with the capability map is told by everything that stands on it', () => {
  using folder = tempFolder();
  const plan = writeGoodPlan(folder.path);
  writeFileSync(join(folder.path, 'artifacts/capability-map.json'), '[]');
  const facts = factsFor(plan, '/nowhere');
  const reads = [readCapabilityMap, readPhysicalMap, readTasks, readPlan].map((read) =>
    sentences(read(folder.path, facts)),
  );
  for (const said of reads)
    expect(said).toEqual([expect.stringMatching(/^artifacts\/capability-map\.json:1:1: /)]);
});

test('both the physical map and the tasks are looked at before anything is said', () => {
  using folder = tempFolder();
  const plan = goodPlan();
  writePlan(folder.path, {
    ...plan,
    physicalMap: { ...plan.physicalMap, target_dir: '/x' },
    tasks: plan.tasks.slice(1),
  });
  const said = sentences(readPlan(folder.path, factsFor(plan, '/nowhere')));
  expect(said.map((sentence) => sentence.split(':')[0])).toEqual(
    expect.arrayContaining(['artifacts/physical-map.json', 'tasks', 'tasks/T002.json']),
  );
});

test('the digest is that of the content: layout, order and what an agent added do not matter, a word does', () => {
  using folder = tempFolder();
  const plan = writeGoodPlan(folder.path);
  const facts = factsFor(plan, '/nowhere');
  const digestNow = (): string => {
    const read = readTasks(folder.path, facts);
    return read.ok ? read.value.digest : sentences(read).join();
  };
  const before = digestNow();
  const [task] = plan.tasks;
  const path = join(folder.path, 'tasks/T001.json');
  writeFileSync(
    path,
    JSON.stringify({ mood: 'good', ...Object.fromEntries(Object.entries(task ?? {}).toReversed()) }),
  );
  expect(digestNow()).toBe(before);
  writeFileSync(path, textOf({ ...task, name: 'Another name' }));
  expect(digestNow()).toMatch(/^[0-9a-f]{16}$/);
  expect(digestNow()).not.toBe(before);
});

test('two tasks that change one file are put in order, and it is said', () => {
  using folder = tempFolder();
  const plan = goodPlan();
  const shared = { path: 'package.json', action: 'modify', purpose: 'a script' } as const;
  const tasks = plan.tasks.map((task) =>
    ['T006', 'T007'].includes(task.id) ? { ...task, files: [...task.files, shared] } : task,
  );
  writePlan(folder.path, { ...plan, tasks });
  const read = readPlan(folder.path, factsFor(plan, '/nowhere'));
  expect(sentences(read)).toEqual([]);
  // T001 creates it, and both need that.
  expect(read.ok && read.value.tasks.added).toEqual([
    { before: 'T006', after: 'T007', file: 'package.json' },
  ]);
  expect(read.ok && read.value.tasks.graph.needs('T007')).toEqual(['T004', 'T006']);
});

test('of hundreds of problems the first are told, and that there are more', () => {
  using folder = tempFolder();
  const plan = goodPlan({ tasks: 120 });
  const tasks = plan.tasks.map((task) => ({
    ...task,
    files: task.files.map((file) => ({ ...file, path: `/${file.path}` })),
  }));
  writePlan(folder.path, { ...plan, tasks });
  const said = sentences(readPlan(folder.path, factsFor(plan, '/nowhere')));
  expect(said).toHaveLength(51);
  expect(said[0]).toBe('tasks/T001.json:23:15: files[0].path: must be relative to the target directory');
  expect(said[50]).toBe('more is wrong: these are the first 50');
  for (const task of plan.tasks) writeFileSync(join(folder.path, `tasks/${task.id}.json`), '{}');
  expect(sentences(readTasks(folder.path, factsFor(plan, '/nowhere')))).toHaveLength(51);
});

test('what is no JSON file in the folder of tasks is nobody’s business', () => {
  using folder = tempFolder();
  const plan = writeGoodPlan(folder.path);
  for (const name of ['README.md', 'T001.json~', '.T001.json.swp', '.hidden.json']) {
    writeFileSync(join(folder.path, 'tasks', name), 'x');
  }
  mkdirSync(join(folder.path, 'tasks/old'));
  expect(sentences(readPlan(folder.path, factsFor(plan, '/nowhere')))).toEqual([]);
});

test('tasks are in the order of their numbers', () => {
  using folder = tempFolder();
  const plan = writeGoodPlan(folder.path, { tasks: 1100 });
  const read = readTasks(folder.path, factsFor(plan, '/nowhere'));
  expect(read.ok && read.value.value.map(({ id }) => id).slice(998, 1001)).toEqual([
    'T999',
    'T1000',
    'T1001',
  ]);
});

test('a folder of tasks that is a link out of the plan is not followed', () => {
  using folder = tempFolder();
  const plan = writeGoodPlan(join(folder.path, 'plan'));
  renameSync(join(folder.path, 'plan/tasks'), join(folder.path, 'elsewhere'));
  symlinkSync('../elsewhere', join(folder.path, 'plan/tasks'));
  expect(sentences(readTasks(join(folder.path, 'plan'), factsFor(plan, '/nowhere')))).toEqual([
    "tasks: tasks leads out of the plan's folder through a link",
  ]);
  expect(readFileSync(join(folder.path, 'elsewhere/T001.json'), 'utf8')).toContain('T001');
});

test('a specification that is not there, is a directory or no text is one sentence', () => {
  using folder = tempFolder();
  expect(sentences(readSpec(folder.path))).toEqual(['inputs/spec.md: does not exist']);
  mkdirSync(join(folder.path, 'inputs/spec.md'), { recursive: true });
  expect(sentences(readSpec(folder.path))).toEqual(['inputs/spec.md: is a directory']);
});
