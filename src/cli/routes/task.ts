import { buildRouteMap, type RouteMap } from '@stricli/core';
import { errorCategories } from '../../model/plan/task-state.ts';
import { command, examplesText } from '../command.ts';
import type {
  CompleteFlags,
  FailFlags,
  ReopenFlags,
  SkipFlags,
  StartFlags,
} from '../commands/task/change.ts';
import type { ListFlags } from '../commands/task/look.ts';
import type { Context } from '../context.ts';
import { oneOf } from '../parsers.ts';
import type { PlanFlags } from '../plan-project.ts';
import { listFlag, planFlags, taskArgument } from './plan-flags.ts';
import { withoutOptions } from './without-options.ts';

const statuses = ['ready', 'waiting', 'blocked', 'running', 'parked', 'done', 'failed', 'skipped'] as const;
const oneTask = { kind: 'tuple', parameters: [taskArgument] } as const;

const ready = command<PlanFlags, []>({
  load: async () => (await import('../commands/task/look.ts')).ready,
  reads: true,
  parameters: { flags: planFlags },
  brief: 'List tasks that can start, most critical first',
  about: 'A line each: ID: NAME. Nothing, and code 0, when there is none.',
  examples: [
    ['tutti task ready', 'what can be begun'],
    ['tutti task ready | head -3 | cut -d: -f1', 'the ids of the first three'],
  ],
});

const list = command<ListFlags, []>({
  load: async () => (await import('../commands/task/look.ts')).list,
  reads: true,
  parameters: {
    flags: {
      status: {
        kind: 'parsed',
        parse: oneOf(statuses),
        brief: `Only tasks in this state: ${statuses.join(', ')}`,
        placeholder: 'STATUS',
        optional: true,
        proposeCompletions: (partial) => statuses.filter((status) => status.startsWith(partial)),
      },
      ...planFlags,
    },
  },
  brief: 'List the tasks of a plan and their states',
  about: 'A task that waits for one that failed or was skipped is blocked, with the reason.',
  examples: [
    ['tutti task list', 'all of them'],
    ['tutti task list --status blocked', 'what cannot go on, and why'],
  ],
});

const show = command<PlanFlags, [id: string]>({
  load: async () => (await import('../commands/task/look.ts')).show,
  reads: true,
  parameters: { flags: planFlags, positional: oneTask },
  brief: 'Show a task: files, criteria, result',
  about: 'With --json also its definition.',
  examples: [['tutti task show T001', 'one task']],
});

const start = command<StartFlags, [id: string]>({
  load: async () => (await import('../commands/task/change.ts')).start,
  reads: false,
  parameters: {
    flags: {
      as: {
        kind: 'parsed',
        parse: String,
        brief: 'Name of the claimant; the same name may claim it again',
        placeholder: 'NAME',
        optional: true,
      },
      ...planFlags,
    },
    positional: oneTask,
  },
  brief: 'Claim a task and work on it in the target directory',
  about:
    'What the directory is like is kept, so that a failure can be undone. Refused while the plan is halted or not approved,\n' +
    'while something it needs is not done, and when another agent has it: of ten that ask at once, one gets it.',
  examples: [['tutti task start T001', 'begin it']],
});

const complete = command<CompleteFlags, [id: string]>({
  load: async () => (await import('../commands/task/change.ts')).complete,
  reads: false,
  parameters: {
    flags: {
      created: listFlag('Files that are new', 'FILE'),
      modified: listFlag('Files that were changed', 'FILE'),
      ...planFlags,
    },
    positional: oneTask,
  },
  brief: 'Claim that a task is done; Tutti checks it',
  about:
    'Something must have changed since it was started, only in files that the task declares, and every acceptance criterion is\n' +
    'run in the target directory. Code 1 with what was found when one of them fails: the task is still yours. Code 69 when\n' +
    'only a missing program is in the way: a person installs it, and you claim the task again. When all pass it is done,\n' +
    'and bundles/ID-result.json is written.',
  examples: [['tutti task complete T001 --created src/a.js src/b.js --modified README.md', 'claim it']],
});

const widen = command<PlanFlags, string[]>({
  load: async () => (await import('../commands/task/change.ts')).widen,
  reads: false,
  parameters: {
    flags: planFlags,
    positional: {
      kind: 'array',
      parameter: {
        parse: String,
        brief: 'The task, then files of the target directory',
        placeholder: 'ID FILE…',
      },
      minimum: 2,
    },
  },
  brief: 'Add undeclared files to a task',
  about:
    'For a task that is being worked on by hand, by a person: an agent of a session is refused. Its definition stays what was\n' +
    'approved; the record of this attempt says what was added.',
  examples: [['tutti task widen T001 src/helper.js', 'then claim it again: tutti task complete T001']],
});

const fail = command<FailFlags, [id: string, message: string]>({
  load: async () => (await import('../commands/task/change.ts')).failed,
  reads: false,
  parameters: {
    flags: {
      category: {
        kind: 'parsed',
        parse: oneOf(errorCategories),
        brief: errorCategories.join(', '),
        placeholder: 'CATEGORY',
        default: 'runtime',
        proposeCompletions: (partial) => errorCategories.filter((category) => category.startsWith(partial)),
      },
      retryable: {
        kind: 'boolean',
        brief: 'Another attempt may succeed',
        default: false,
        withNegated: false,
      },
      ...planFlags,
    },
    positional: {
      kind: 'tuple',
      parameters: [taskArgument, { parse: String, brief: 'What went wrong', placeholder: 'MESSAGE' }],
    },
  },
  brief: 'Give up a task',
  about:
    'Its files are put back as they were when it was started, what was done of it is kept in a git ref that is printed, and\n' +
    'the tasks that needed it are blocked. Nothing else in the directory is touched.',
  examples: [
    ['tutti task fail T001 "the parser has no grammar" --category dependency --retryable', 'and say why'],
  ],
});

const force = {
  kind: 'boolean',
  brief: 'Take it from its current claimant',
  default: false,
  withNegated: false,
} as const;

const retry = command<ReopenFlags, [id: string]>({
  load: async () => (await import('../commands/task/change.ts')).retry,
  reads: false,
  parameters: { flags: { force, ...planFlags }, positional: oneTask },
  brief: 'Reopen a task',
  about:
    'One that failed, was skipped, is done, or that no process works on any more (tutti checkpoint recover).',
  examples: [['tutti task retry T019', 'once more']],
});

const skip = command<SkipFlags, [id: string]>({
  load: async () => (await import('../commands/task/change.ts')).skip,
  reads: false,
  parameters: {
    flags: {
      reason: {
        kind: 'parsed',
        parse: String,
        brief: 'Reason, for the record',
        placeholder: 'TEXT',
        optional: true,
      },
      force,
      ...planFlags,
    },
    positional: oneTask,
  },
  brief: 'Skip a task',
  about: 'What needs it stays blocked.',
  examples: [['tutti task skip T019 --reason "not needed"', 'and say why']],
});

const examples = [
  ['tutti task ready', 'what can be begun'],
  ['tutti task start T001', 'take it'],
  ['tutti task complete T001 --created src/a.js', 'claim it: the gates decide'],
  ['tutti task fail T001 "no grammar" --category dependency', 'give it up; the files are put back'],
] as const;

const routes = { ready, list, show, start, complete, widen, fail, retry, skip };

export const taskCommandNames: readonly string[] = Object.keys(routes);

const map = buildRouteMap<keyof typeof routes, Context>({
  routes,
  docs: { brief: 'Work on tasks by hand: ready, start, complete, fail, …' },
});

export const task: RouteMap<Context> = {
  ...map,
  formatHelp: (args) => `${withoutOptions(map.formatHelp(args))}\n${examplesText(examples)}`,
};
