import { command, trustFlag } from '../command.ts';
import type { BuildFlags } from '../commands/build.ts';
import type { ExecuteFlags } from '../commands/execute.ts';
import type { LandFlags } from '../commands/land.ts';
import type { EditFlags, VerifyFlags } from '../commands/plan/edit.ts';
import type { MakeFlags } from '../commands/plan/make.ts';
import type { ShowFlags } from '../commands/plan/show.ts';
import { undeclaredPolicies } from '../../model/plan/execute-input.ts';
import { amount, oneOf, wholeNumber } from '../parsers.ts';
import { listFlag, planFlags, taskArgument } from './plan-flags.ts';

const specArgument = {
  parse: String,
  brief: "Specification: a file, or - for standard input; default: the plan's own",
  placeholder: 'SPEC',
  optional: true,
} as const;

const off = { kind: 'boolean', default: false, withNegated: false } as const;

const planning = {
  target: {
    kind: 'parsed',
    parse: String,
    brief: 'Folder for the code; default: the project',
    placeholder: 'DIR',
    optional: true,
  },
  new: { ...off, brief: 'The target is a new project' },
  existing: { ...off, brief: 'The target is an existing project' },
  stack: {
    kind: 'parsed',
    parse: String,
    brief: 'Technology to build with',
    placeholder: 'TEXT',
    optional: true,
  },
  yes: { ...off, brief: 'Approve the plan without asking' },
  refresh: { ...off, brief: 'Reload agent files and project facts' },
} as const;

/** Ceilings of the run: nothing is launched once one is reached. */
const ceilings = {
  maxLaunches: {
    kind: 'parsed',
    parse: wholeNumber(1, 1_000_000),
    brief: 'Start at most N sessions in total',
    placeholder: 'N',
    optional: true,
  },
  maxTokens: {
    kind: 'parsed',
    parse: wholeNumber(1, 999_999_999),
    brief: 'Start no more sessions after N tokens',
    placeholder: 'N',
    optional: true,
  },
  maxCost: {
    kind: 'parsed',
    parse: amount,
    brief: 'Start no more sessions after spending USD dollars',
    placeholder: 'USD',
    optional: true,
  },
} as const;

const detach = { ...off, brief: 'Run in the background' } as const;

const parallel = {
  kind: 'parsed',
  parse: wholeNumber(1, 100),
  brief: 'Maximum number of tasks that run at once (default 3)',
  placeholder: 'N',
  optional: true,
} as const;

const undeclared = {
  kind: 'parsed',
  parse: oneOf(undeclaredPolicies),
  brief: 'Policy for files that a task did not declare (default: from tutti.yaml, else ask)',
  placeholder: undeclaredPolicies.join('|'),
  optional: true,
} as const;

export const make = command<MakeFlags, [spec?: string]>({
  load: async () => (await import('../commands/plan/make.ts')).make,
  reads: false,
  parameters: {
    flags: { ...planning, ...ceilings, detach, trust: trustFlag, ...planFlags },
    positional: { kind: 'tuple', parameters: [specArgument] },
  },
  brief: 'Turn a specification into verified, approved tasks',
  about:
    '`tutti plan SPEC` is short for `tutti plan make SPEC`. Agents write the tasks, code and a second agent check them, and\n' +
    'a person approves them. Run it again to plan only what depends on a change.',
  examples: [
    ['tutti plan spec.md', 'plan a specification'],
    ['tutti plan spec.md --target app --new --stack "Python with FastAPI"', 'a new project in app'],
    ['tutti plan - < spec.md', 'from standard input'],
    ['tutti plan --plan shop', 'continue an existing plan'],
    ['tutti plan spec.md --yes', 'approve without asking, in CI'],
  ],
});

export const show = command<ShowFlags, []>({
  load: async () => (await import('../commands/plan/show.ts')).show,
  reads: true,
  parameters: {
    flags: { mermaid: { ...off, brief: 'Print only the task graph, as Mermaid' }, ...planFlags },
  },
  brief: 'Show a plan: tasks, files, commands, order, forecast',
  about:
    'Forecasts of tokens and cost come from earlier turns of the same agents; without any, they are unknown.',
  examples: [
    ['tutti plan show', 'before you approve'],
    ['tutti plan show --mermaid > plan.mmd', 'the graph'],
  ],
});

export const edit = command<EditFlags, string[]>({
  load: async () => (await import('../commands/plan/edit.ts')).edit,
  reads: false,
  parameters: {
    flags: {
      taken: { ...off, brief: 'Check and load files that you edited already' },
      ...planFlags,
    },
    positional: { kind: 'array', parameter: taskArgument },
  },
  brief: 'Edit and reload task files; finished work is kept',
  about: 'Opens VISUAL or EDITOR on a terminal. An edited plan must be approved again.',
  examples: [
    ['tutti plan edit T003', 'one task'],
    ['tutti plan edit --taken', 'after you edited the files yourself'],
  ],
});

export const verify = command<VerifyFlags, []>({
  load: async () => (await import('../commands/plan/edit.ts')).verify,
  reads: false,
  parameters: { flags: { detach, trust: trustFlag, ...planFlags } },
  brief: 'Run the verifier on the tasks again',
  about:
    'Use it after a BLOCKED verdict, once you fixed the task files. The report is reports/task-validation-report.md.',
  examples: [['tutti plan verify', 'the newest plan']],
});

export const execute = command<ExecuteFlags, []>({
  load: async () => (await import('../commands/execute.ts')).execute,
  reads: false,
  parameters: {
    flags: {
      task: {
        ...listFlag('Run only this task (repeatable)', 'ID'),
        proposeCompletions: taskArgument.proposeCompletions,
      },
      parallel,
      batch: { ...off, brief: 'Ask nothing (the default)' },
      interactive: { ...off, brief: 'Ask before each task, and run one at a time' },
      undeclared,
      verify: { kind: 'boolean', brief: 'Have a second agent verify each task', default: true },
      refresh: { ...off, brief: 'Reload agent files' },
      ...ceilings,
      detach,
      trust: trustFlag,
      ...planFlags,
    },
  },
  brief: 'Run the tasks of an approved plan',
  about:
    'Each task runs in its own checkout as soon as the tasks it needs are done. Tutti runs its acceptance criteria, another\n' +
    'agent verifies it, and it lands on the branch tutti/PLAN/integration. Your checkout does not change until `tutti land`.\n' +
    'A failed task blocks only the tasks that need it. Run it again to retry failed tasks; done tasks do not run again.\n' +
    'You approved these tasks, so it starts without another question.',
  examples: [
    ['tutti execute', 'all open tasks, three at a time'],
    ['tutti execute --parallel 5', 'five at a time'],
    ['tutti execute --task T005', 'one task'],
    ['tutti execute --max-cost 20', 'spend about 20 dollars at most'],
    ['tutti execute --interactive', 'ask before each task'],
  ],
});

export const build = command<BuildFlags, [spec?: string]>({
  load: async () => (await import('../commands/build.ts')).build,
  reads: false,
  parameters: {
    flags: { ...planning, parallel, undeclared, ...ceilings, trust: trustFlag, ...planFlags },
    positional: { kind: 'tuple', parameters: [specArgument] },
  },
  brief: 'Plan a specification, ask for approval, and execute it',
  about:
    'The same as `tutti plan`, `tutti plan approve` and `tutti execute`. Run it again to continue where it stopped.',
  examples: [
    ['tutti build spec.md', 'ask before anything is built'],
    ['tutti build spec.md --yes --json', 'in CI'],
  ],
});

export const land = command<LandFlags, []>({
  load: async () => (await import('../commands/land.ts')).land,
  reads: false,
  parameters: {
    flags: {
      into: {
        kind: 'parsed',
        parse: String,
        brief: 'Expected branch; refused if your checkout is on another',
        placeholder: 'BRANCH',
        optional: true,
      },
      ...planFlags,
    },
  },
  brief: "Merge a plan's landed work into your checkout",
  about:
    'No other command writes to your checkout. It refuses, and names the files, if it would overwrite uncommitted changes or\n' +
    'if both sides changed the same lines. If you have switched branches since the plan began, it asks first, or without a\n' +
    'terminal wants --into.',
  examples: [
    ['tutti land', 'into the branch that the plan began on'],
    ['tutti land --into release', 'into release, which your checkout must be on'],
  ],
});
