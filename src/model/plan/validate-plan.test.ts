import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { goodPlan, type PlanDocuments, textOf } from '../../../test/plans/good-plan.ts';
import { documentDigest } from './checksum.ts';
import type { PlanFacts, PlanIssue, Standing } from './plan-facts.ts';
import type { PlanTask } from './plan-task.ts';
import { quoteFinder } from './spec-quotes.ts';
import { validateCapabilityMap } from './validate-capability-map.ts';
import { validatePhysicalMap } from './validate-physical-map.ts';
import { validateTasks } from './validate-tasks.ts';

/*
 * What is wrong with one document is tried in test/plans/malformed.test.ts, from the files. Here is what needs facts that
 * no file can make, and what must hold for any plan.
 */

const plan = goodPlan();

function facts({ spec }: PlanDocuments, more: Partial<PlanFacts> = {}): PlanFacts {
  return {
    specText: spec,
    occurs: quoteFinder(spec),
    targetDir: '/target',
    projectType: 'new',
    standing: (): Standing => 'absent',
    touched: () => false,
    testCommands: [],
    badCommands: () => new Map(),
    sequenced: true,
    ...more,
  };
}

function issuesOf(all: PlanDocuments, more: Partial<PlanFacts> = {}): readonly PlanIssue[] {
  const known = facts(all, more);
  const source = { value: all.capabilityMap, text: textOf(all.capabilityMap) };
  return [
    ...validateCapabilityMap(all.capabilityMap, known),
    ...validatePhysicalMap(all.physicalMap, source, known),
    ...validateTasks(all.tasks, all.capabilityMap, known),
  ];
}

/** With other words in some tasks. */
function withTasks(change: (task: PlanTask) => PlanTask): PlanDocuments {
  return { ...plan, tasks: plan.tasks.map(change) };
}

function said(all: PlanDocuments, more: Partial<PlanFacts> = {}): readonly string[] {
  return issuesOf(all, more).map(({ file, message }) => `${file}: ${message}`);
}

test('good plans of any size pass', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 300 }), (tasks) => {
      expect(issuesOf(goodPlan({ tasks }))).toEqual([]);
    }),
    { numRuns: 20 },
  );
});

test('before they are sequenced, the phases of tasks are nobody’s business', () => {
  const odd = withTasks((task) => ({ ...task, phase: task.id === 'T004' ? 7 : 2 }));
  expect(issuesOf(odd)).not.toEqual([]);
  expect(issuesOf(odd, { sequenced: false })).toEqual([]);
});

test('what work of the plan has already made or removed is not held against it', () => {
  const there: Partial<PlanFacts> = { projectType: 'existing', standing: () => 'file' };
  expect(said(plan, there)).toContain('tasks/T001.json: exists already: its action must be modify');
  expect(said(plan, { ...there, touched: () => true })).toEqual([]);
  expect(said(plan, { standing: () => 'folder', touched: () => true })).not.toEqual([]);
});

test('what exists may be changed and deleted, and what leads out or is a directory may not', () => {
  const changing = withTasks((task) => ({
    ...task,
    files: task.files.map((file, index) => ({ ...file, action: index === 0 ? 'modify' : 'delete' })),
  }));
  expect(said(changing, { standing: () => 'file' })).toEqual([]);
  expect(said(changing)).toContain(
    'tasks/T005.json: does not exist and no task creates it: it cannot be deleted',
  );
  expect(said(changing, { standing: () => 'outside' })).toContain(
    'tasks/T005.json: leads out of the target directory through a link',
  );
  expect(said(changing, { standing: () => 'folder' })).toContain(
    'tasks/T005.json: is a directory of the target',
  );
});

test('a task may create a file that another one it needs has deleted, and change what a far one created', () => {
  const first = { path: 'src/part-2/record-2.js', action: 'modify', purpose: '' } as const;
  const far = withTasks((task) => (task.id === 'T008' ? { ...task, files: [...task.files, first] } : task));
  expect(said(far)).toEqual([]);
});

test('one file is deleted by one task', () => {
  const gone = { path: 'old.js', action: 'delete', purpose: '' } as const;
  const twice = withTasks((task) => ({
    ...task,
    files: [...task.files, gone].slice(-2 - Number(task.id === 'T001')),
  }));
  const [, second] = said(twice, { standing: (path) => (path === 'old.js' ? 'file' : 'absent') });
  expect(second).toBe('tasks/T003.json: is deleted by T001 already');
});

test('an id that is used twice is told once', () => {
  expect(said({ ...plan, tasks: [...plan.tasks, ...plan.tasks.slice(4, 5)] })).toContain(
    'tasks/T005.json: T005 is used twice',
  );
});

test('a long circle is told by its beginning', () => {
  const large = goodPlan({ tasks: 40 });
  const tasks = large.tasks.map((task, index) => ({
    ...task,
    dependencies: { tasks: [large.tasks.at(index - 1)?.id ?? ''], external: [] },
  }));
  const [circle = ''] = said({ ...large, tasks });
  expect(circle).toMatch(/^tasks\/T001\.json: these tasks wait for each other: T001 → .* → … → T001$/);
  expect(circle.length).toBeLessThan(200);
});

test('a map is known by the digest of its content as well as by that of its file', () => {
  const physicalMap = { ...plan.physicalMap, capability_map_checksum: documentDigest(plan.capabilityMap) };
  expect(issuesOf({ ...plan, physicalMap })).toEqual([]);
});

test('files of concerns that cut across are files like any others, and the target may be named in full', () => {
  const concern = { path: '../log.js', action: 'create', layer: 'infra', purpose: 'logging' } as const;
  const physicalMap = {
    ...plan.physicalMap,
    target_dir: '/target/',
    cross_cutting: [{ concern: 'logging', files: [concern] }],
    summary: { ...plan.physicalMap.summary, total_files: 18 },
  };
  expect(issuesOf({ ...plan, physicalMap })).toEqual([
    {
      file: 'artifacts/physical-map.json',
      path: ['cross_cutting', 0, 'files', 0, 'path'],
      message: 'may not lead up with ".."',
    },
  ]);
});

test('what one behavior creates another may extend', () => {
  const [first, ...rest] = plan.physicalMap.file_mapping;
  const [file] = rest[0]?.files ?? [];
  if (first === undefined || file === undefined) throw new Error('no files');
  const extended = { ...first, files: [...first.files, { ...file, action: 'extend' } as const] };
  expect(
    issuesOf({ ...plan, physicalMap: { ...plan.physicalMap, file_mapping: [extended, ...rest] } }),
  ).toEqual([]);
});

test('a shell that cannot parse a command is believed', () => {
  const bad = new Map([['node --test test/part-5/record-5.test.js', 'is no shell command: so it says']]);
  expect(said(plan, { badCommands: () => bad })).toEqual([
    'tasks/T005.json: is no shell command: so it says',
  ]);
});

test.each(['true', ':', 'exit 0', 'echo done', 'npm test || true', 'npm test || exit 0'])(
  '%j passes whatever was done',
  (verification) => {
    const empty = withTasks((task) => ({
      ...task,
      acceptance_criteria: [{ criterion: 'Everything is as it should be', verification }],
    }));
    expect(said(empty)).toContain('tasks/T001.json: passes whatever was done: it must be able to fail');
  },
);

test.each([
  'test -f a',
  'echo x | grep y',
  'echo "$(node a.js)" > out && cmp out good',
  'make check',
  'Rscript test.R',
])('%j can fail', (verification) => {
  const sound = withTasks((task) => ({
    ...task,
    acceptance_criteria: [{ criterion: 'Everything is as it should be', verification }],
  }));
  expect(said(sound)).toEqual([]);
});

test.each([
  ['authentication-works', false],
  ['authentication functionality', false],
  ['All 12 tests of the login page pass', true],
  ['ログイン画面のすべてのテストが問題なく成功すること', true],
])('%j is a sentence: %j', (criterion, sentence) => {
  const worded = withTasks((task) => ({
    ...task,
    acceptance_criteria: [{ criterion, verification: 'make test' }],
  }));
  expect(said(worded).length === 0).toBe(sentence);
});

test('an existing project runs each of its own commands somewhere, as whole words', () => {
  const commands = (...verifications: readonly string[]): PlanDocuments =>
    withTasks((task) => ({
      ...task,
      acceptance_criteria: verifications.map((verification) => ({
        criterion: 'Everything is as it should be',
        verification,
      })),
    }));
  const existing = { projectType: 'existing', testCommands: ['npm test', 'npm run lint'] } as const;
  expect(said(commands('cd app && npm  test -- --grep x', '(npm run lint)'), existing)).toEqual([]);
  expect(said(commands('npm tests', 'npm run lint:fix'), existing)).toEqual([
    "tasks: no acceptance criterion runs the project's own `npm test`",
    "tasks: no acceptance criterion runs the project's own `npm run lint`",
  ]);
});

test('a task that creates a file and changes it names it twice, and that is all that is wrong', () => {
  const twice = withTasks((task) => ({
    ...task,
    files: task.files.flatMap((file) =>
      file.path === 'package.json' ? [file, { ...file, action: 'modify' }] : [file],
    ),
  }));
  expect(said(twice)).toEqual(['tasks/T001.json: is named twice in this task']);
});
