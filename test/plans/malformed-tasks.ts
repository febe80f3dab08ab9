import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Malformed } from './malformed.ts';

const [one, two, three, five, six, seven, eight] = [
  'tasks/T001.json',
  'tasks/T002.json',
  'tasks/T003.json',
  'tasks/T005.json',
  'tasks/T006.json',
  'tasks/T007.json',
  'tasks/T008.json',
];
const criterion = 'acceptance_criteria.0.criterion';
const command = 'acceptance_criteria.0.verification';

/** What the form of one file, or the file itself, already says. */
export const malformedTaskFiles: readonly Malformed[] = [
  {
    name: 'no task at all',
    spoil: (plan) => {
      plan.folderInstead('tasks');
    },
    said: ['tasks: has no task: they are files such as T001.json'],
  },
  { name: 'no folder of tasks', spoil: (plan) => plan.delete('tasks'), said: ['tasks: does not exist'] },
  {
    name: 'a file in place of the folder',
    spoil: (plan) => {
      plan.delete('tasks');
      plan.write('tasks', '{}');
    },
    said: ['tasks: is not a directory'],
  },
  {
    name: 'a directory in place of a task',
    spoil: (plan) => plan.folderInstead(five),
    said: ['tasks/T005.json: is a directory'],
  },
  {
    name: 'a link in place of a task',
    spoil: (plan) => plan.linkInstead(five),
    said: ['tasks/T005.json: is a symbolic link'],
  },
  {
    name: '10 MB of task',
    spoil: ({ planDir }) => writeFileSync(join(planDir, five), Buffer.alloc(10_000_000, 0x20)),
    said: ['tasks/T005.json: is larger than 1048576 bytes'],
  },
  {
    name: 'a task of another name',
    spoil: (plan) => plan.copy(five, 'tasks/notes.json'),
    said: ['tasks/notes.json:2:9: id: is T005, but the file of that task is T005.json'],
  },
  {
    name: 'one id in two files',
    spoil: (plan) => plan.copy(five, 'tasks/T009.json'),
    said: ['tasks/T009.json:2:9: id: is T005, but the file of that task is T005.json'],
  },
  {
    name: 'an id that is not its name',
    spoil: (plan) => plan.set(five, 'id', 'T050'),
    said: ['tasks/T005.json:2:9: id: is T050, but the file of that task is T050.json'],
  },
  {
    name: 'no JSON at a byte',
    spoil: (plan) => plan.replace(five, '"phase": 3', '"phase": 03'),
    said: ['tasks/T005.json:4:13: is not JSON: unexpected "3" at byte 57'],
  },
  {
    name: 'a quote left open',
    spoil: (plan) => plan.replace(five, '"T005"', '"T005'),
    said: ['tasks/T005.json:2:15: is not JSON: unexpected character U+000A at byte 16'],
  },
  {
    name: 'an empty file',
    spoil: (plan) => plan.write(five, ''),
    said: ['tasks/T005.json:1:1: is not JSON: it ends too early at byte 0'],
  },
  {
    name: 'phase 0',
    spoil: (plan) => plan.set(five, 'phase', 0),
    said: ['tasks/T005.json:4:12: phase: must be a whole number from 1 to 1000'],
  },
  {
    name: 'half a phase',
    spoil: (plan) => plan.set(five, 'phase', 2.5),
    said: ['tasks/T005.json:4:12: phase: must be a whole number from 1 to 1000'],
  },
  {
    name: 'a type nobody knows',
    spoil: (plan) => plan.set(five, 'task_type', 'epic'),
    said: ['tasks/T005.json:5:16: task_type: must be one of feature, refactor, bugfix, test'],
  },
  {
    name: 'an action nobody knows',
    spoil: (plan) => plan.set(five, 'files.0.action', 'extend'),
    said: ['tasks/T005.json:24:17: files[0].action: must be one of create, modify, delete'],
  },
  {
    name: 'no files',
    spoil: (plan) => plan.set(five, 'files', []),
    said: ['tasks/T005.json:21:12: files: must have at least one file'],
  },
  {
    name: 'no criteria',
    spoil: (plan) => plan.set(five, 'acceptance_criteria', []),
    said: ['tasks/T005.json:40:26: acceptance_criteria: must have at least one criterion'],
  },
  {
    name: 'misspelt criteria',
    spoil: (plan) => plan.replace(five, '"acceptance_criteria"', '"acceptence_criteria"'),
    said: ['tasks/T005.json:40:26: acceptance_criteria: is missing; there is "acceptence_criteria"'],
  },
  {
    name: 'a criterion too short',
    spoil: (plan) => plan.set(five, criterion, 'It works.'),
    said: [
      'tasks/T005.json:42:20: acceptance_criteria[0].criterion: must be a measurable sentence of 20 characters or more',
    ],
  },
  {
    name: 'a criterion of blanks',
    spoil: (plan) => plan.set(five, criterion, ' '.repeat(30)),
    said: [
      'tasks/T005.json:42:20: acceptance_criteria[0].criterion: must be a measurable sentence of 20 characters or more',
    ],
  },
  {
    name: 'an empty command',
    spoil: (plan) => plan.set(five, command, ' '),
    said: [
      'tasks/T005.json:43:23: acceptance_criteria[0].verification: must be a command that passes or fails',
    ],
  },
  {
    name: 'no time at all',
    spoil: (plan) => plan.set(five, 'estimate_hours', 0),
    said: ['tasks/T005.json:50:21: estimate_hours: must be a number of hours, more than 0 and at most 10000'],
  },
  {
    name: 'a need that is no id',
    spoil: (plan) => plan.set(five, 'dependencies.tasks.0', 'T1'),
    said: ['tasks/T005.json:35:7: dependencies.tasks[0]: must be an id such as T001'],
  },
  {
    name: 'NUL in a path',
    spoil: (plan) => plan.set(five, 'files.0.path', 'src/a\0b.js'),
    said: ['tasks/T005.json:23:15: files[0].path: may not contain NUL or broken UTF-16'],
  },
];

/** What only all of them together, the maps and the target can say. */
export const malformedTasks: readonly Malformed[] = [
  {
    name: 'a circle',
    spoil: (plan) => plan.set(three, 'dependencies.tasks', ['T002', 'T008']),
    said: [
      'tasks/T003.json:34:14: dependencies.tasks: these tasks wait for each other: T003 → T005 → T008 → T003',
    ],
  },
  {
    name: 'a need of itself',
    spoil: (plan) => plan.set(five, 'dependencies.tasks', ['T005']),
    said: ['tasks/T005.json:34:14: dependencies.tasks: these tasks wait for each other: T005 → T005'],
  },
  {
    name: 'a need of nobody',
    spoil: (plan) => plan.set(five, 'dependencies.tasks.1', 'T099'),
    said: ['tasks/T005.json:36:7: dependencies.tasks[1]: there is no task T099'],
  },
  {
    name: 'a behavior of no task',
    spoil: (plan) => plan.set(five, 'behaviors', []),
    said: ['tasks: no task has behavior B5 (keep record 5)'],
  },
  {
    name: 'a behavior of two tasks',
    spoil: (plan) => plan.set(six, 'behaviors', ['B6', 'B5']),
    said: ['tasks/T006.json:20:5: behaviors[1]: B5 is in T005 already'],
  },
  {
    name: 'a behavior twice',
    spoil: (plan) => plan.set(six, 'behaviors', ['B6', 'B6']),
    said: ['tasks/T006.json:20:5: behaviors[1]: B6 is in this task twice'],
  },
  {
    name: 'an unknown behavior',
    spoil: (plan) => plan.set(six, 'behaviors', ['B6', 'B99']),
    said: ['tasks/T006.json:20:5: behaviors[1]: B99 is no behavior of artifacts/capability-map.json'],
  },
  {
    name: 'a quote that is not in the specification',
    spoil: (plan) => plan.set(five, 'context.spec_ref.quote', 'shall keep record 5 and burn it'),
    said: ['tasks/T005.json:10:16: context.spec_ref.quote: does not occur in inputs/spec.md'],
  },
  {
    name: 'a path up and out',
    spoil: (plan) => plan.set(five, 'files.0.path', 'src/../../x.js'),
    said: ['tasks/T005.json:23:15: files[0].path: may not lead up with ".."'],
  },
  {
    name: 'an absolute path',
    spoil: (plan) => plan.set(five, 'files.0.path', '/tmp/x.js'),
    said: ['tasks/T005.json:23:15: files[0].path: must be relative to the target directory'],
  },
  {
    name: 'a path at home',
    spoil: (plan) => plan.set(five, 'files.0.path', '~/x.js'),
    said: ['tasks/T005.json:23:15: files[0].path: must be relative to the target directory'],
  },
  {
    name: 'a advance',
    spoil: (plan) => plan.set(five, 'files.0.path', 'C:/x.js'),
    said: ['tasks/T005.json:23:15: files[0].path: must be relative to the target directory'],
  },
  {
    name: 'backslashes',
    spoil: (plan) => plan.set(five, 'files.0.path', '..\\..\\x.js'),
    said: [`tasks/T005.json:23:15: files[0].path: must be written with "/", not "\\"`],
  },
  {
    name: 'a hook of git',
    spoil: (plan) => plan.set(five, 'files.0.path', '.git/hooks/pre-push'),
    said: ['tasks/T005.json:23:15: files[0].path: may not lie in .git/, which no task may write'],
  },
  {
    name: 'what Tutti keeps',
    spoil: (plan) => plan.set(five, 'files.0.path', 'a/.TUTTI/x'),
    said: ['tasks/T005.json:23:15: files[0].path: may not lie in .TUTTI/, which no task may write'],
  },
  {
    name: 'two ways to write it',
    spoil: (plan) => plan.set(five, 'files.0.path', './src//x.js'),
    said: ['tasks/T005.json:23:15: files[0].path: must be written as src/x.js'],
  },
  {
    name: 'a pattern',
    spoil: (plan) => plan.set(five, 'files.0.path', 'src/*.js'),
    said: ['tasks/T005.json:23:15: files[0].path: must name one file, not a pattern'],
  },
  {
    name: 'a directory',
    spoil: (plan) => plan.set(five, 'files.0.path', 'src/'),
    said: ['tasks/T005.json:23:15: files[0].path: must name a file, not a directory'],
  },
  {
    name: 'a path read backwards',
    spoil: (plan) => plan.set(five, 'files.0.path', 'src/\u202Esj.x'),
    said: ['tasks/T005.json:23:15: files[0].path: may not contain control or invisible characters'],
  },
  {
    name: 'a name without end',
    spoil: (plan) => plan.set(five, 'files.0.path', 'x'.repeat(300)),
    said: ['tasks/T005.json:23:15: files[0].path: is longer than a path can be'],
  },
  {
    name: 'two tasks create one file',
    spoil: (plan) => plan.set(six, 'files.0.path', 'src/part-5/record-5.js'),
    said: ['tasks/T006.json:23:15: files[0].path: is created by T005 already'],
  },
  {
    name: 'a file twice in one task',
    spoil: (plan) => plan.set(five, 'files.1.path', 'src/part-5/record-5.js'),
    said: ['tasks/T005.json:28:15: files[1].path: is named twice in this task'],
  },
  {
    name: 'a file in a file',
    spoil: (plan) => plan.set(six, 'files.0.path', 'src/part-5/record-5.js/x.js'),
    said: ['tasks/T006.json:23:15: files[0].path: lies in src/part-5/record-5.js, which is a file of T005'],
  },
  {
    name: 'a change of nothing',
    spoil: (plan) => plan.set(five, 'files.0.action', 'modify'),
    said: [
      'tasks/T005.json:23:15: files[0].path: does not exist and no task creates it: it cannot be modified',
    ],
  },
  {
    name: 'a removal of nothing',
    spoil: (plan) => plan.set(five, 'files.0.action', 'delete'),
    said: [
      'tasks/T005.json:23:15: files[0].path: does not exist and no task creates it: it cannot be deleted',
    ],
  },
  {
    name: 'a change of what a task creates that is not needed',
    spoil: (plan) =>
      plan.set(eight, 'files.0', { path: 'src/part-7/record-7.js', action: 'modify', purpose: 'more' }),
    said: ['tasks/T008.json:23:15: files[0].path: is created by T007: T008 must depend on it'],
  },
  {
    name: 'a file that is there is to be created',
    facts: { projectType: 'existing' },
    spoil: (plan) => {
      plan.inTarget('README.md');
      plan.set(five, 'files.0.path', 'README.md');
    },
    said: ['tasks/T005.json:23:15: files[0].path: exists already: its action must be modify'],
  },
  {
    name: 'a need in a later phase',
    spoil: (plan) => plan.set(five, 'phase', 4),
    said: ['tasks/T008.json:35:7: dependencies.tasks[0]: T005 is in phase 4, after phase 3 of this task'],
  },
  {
    name: 'the steel thread late',
    spoil: (plan) => plan.set('tasks/T004.json', 'phase', 3),
    said: ['tasks/T004.json:4:12: phase: is 3, but the steel thread is built in phase 2'],
  },
  {
    name: 'a feature among the steel',
    spoil: (plan) => plan.set(six, 'phase', 2),
    said: [
      "tasks/T006.json:4:12: phase: is 2, the steel thread's, of which this task is no part: features are 3 and more",
    ],
  },
  {
    name: 'the steel thread unsaid',
    spoil: (plan) => plan.set(two, 'context.steel_thread', false),
    said: ['tasks/T002.json:16:21: context.steel_thread: must be true: B2 is a part of the steel thread'],
  },
  {
    name: 'the steel thread in two pieces',
    spoil: (plan) => plan.set(three, 'dependencies.tasks', ['T001']),
    said: [
      'tasks/T002.json:34:14: dependencies.tasks: the steel thread is not connected: no dependencies join T002 and T003',
    ],
  },
  {
    name: 'a criterion of one word',
    spoil: (plan) => plan.set(five, criterion, 'everything-works-very-well'),
    said: [
      'tasks/T005.json:42:20: acceptance_criteria[0].criterion: must be a measurable sentence, not a word',
    ],
  },
  {
    name: 'a command that does not parse',
    spoil: (plan) => plan.set(five, command, "grep -q 'x y"),
    said: ['tasks/T005.json:43:23: acceptance_criteria[0].verification: is no shell command: …'],
  },
  {
    name: 'commands that only parse together',
    spoil: (plan) => {
      plan.set(five, command, 'if test -f a');
      plan.set(six, command, 'then true; fi');
    },
    said: [
      'tasks/T005.json:43:23: acceptance_criteria[0].verification: is no shell command: …',
      'tasks/T006.json:42:23: acceptance_criteria[0].verification: is no shell command: …',
    ],
  },
  {
    name: 'a sentence for a command',
    spoil: (plan) => plan.set(five, command, 'Verify that the record is shown'),
    said: [
      'tasks/T005.json:43:23: acceptance_criteria[0].verification: is a sentence: it must be a command that passes or fails',
    ],
  },
  {
    name: 'a command that cannot fail',
    spoil: (plan) => plan.set(five, command, 'npm test || true'),
    said: [
      'tasks/T005.json:43:23: acceptance_criteria[0].verification: passes whatever was done: it must be able to fail',
    ],
  },
  {
    name: "the project's own tests are not run",
    facts: { projectType: 'existing', testCommands: ['node --test', 'npm run lint'] },
    spoil: () => undefined,
    said: ["tasks: no acceptance criterion runs the project's own `npm run lint`"],
  },
  {
    name: 'several things at once',
    spoil: (plan) => {
      plan.set(seven, command, 'true');
      plan.set(one, 'files.0.path', '/package.json');
      plan.set(one, 'behaviors', ['B1', 'B2']);
    },
    said: [
      'tasks/T002.json:19:5: behaviors[0]: B2 is in T001 already',
      'tasks/T007.json:42:23: acceptance_criteria[0].verification: passes whatever was done: it must be able to fail',
      'tasks/T001.json:24:15: files[0].path: must be relative to the target directory',
      'tasks/T001.json:16:21: context.steel_thread: must be true: B2 is a part of the steel thread',
    ],
  },
];
