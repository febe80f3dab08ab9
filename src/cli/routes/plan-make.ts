import { command } from '../command.ts';
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
  brief: 'The specification: a file, or - for standard input; without it, the one that the plan has',
  placeholder: 'SPEC',
  optional: true,
} as const;

const off = { kind: 'boolean', default: false, withNegated: false } as const;

const planning = {
  target: {
    kind: 'parsed',
    parse: String,
    brief: 'Where the code goes; without it, the project',
    placeholder: 'DIR',
    optional: true,
  },
  new: { ...off, brief: 'The target is a new project' },
  existing: { ...off, brief: 'The target is a project already' },
  stack: {
    kind: 'parsed',
    parse: String,
    brief: 'What it is to be built with',
    placeholder: 'TEXT',
    optional: true,
  },
  yes: { ...off, brief: 'Approve the plan without asking anybody' },
  refresh: { ...off, brief: 'Take agent files and what is known of the project anew' },
} as const;

/** Ceilings of the run: nothing is launched once one is reached. */
const ceilings = {
  maxLaunches: {
    kind: 'parsed',
    parse: wholeNumber(1, 1_000_000),
    brief: 'Start no more sessions than this, in all',
    placeholder: 'N',
    optional: true,
  },
  maxTokens: {
    kind: 'parsed',
    parse: wholeNumber(1, 999_999_999),
    brief: 'Start nothing more once this many tokens are used',
    placeholder: 'N',
    optional: true,
  },
  maxCost: {
    kind: 'parsed',
    parse: amount,
    brief: 'Start nothing more once this much is spent, in dollars',
    placeholder: 'USD',
    optional: true,
  },
} as const;

const detach = { ...off, brief: 'Let a conductor drive it in the background' } as const;

const parallel = {
  kind: 'parsed',
  parse: wholeNumber(1, 100),
  brief: 'How many tasks at a time (default 3)',
  placeholder: 'N',
  optional: true,
} as const;

const undeclared = {
  kind: 'parsed',
  parse: oneOf(undeclaredPolicies),
  brief:
    'What happens when a task writes files that it did not declare (default: as tutti.yaml says, or ask)',
  placeholder: undeclaredPolicies.join('|'),
  optional: true,
} as const;

export const make = command<MakeFlags, [spec?: string]>({
  load: async () => (await import('../commands/plan/make.ts')).make,
  parameters: {
    flags: { ...planning, ...ceilings, detach, ...planFlags },
    positional: { kind: 'tuple', parameters: [specArgument] },
  },
  brief: 'Turn a specification into tasks that were verified, put in order and approved',
  about:
    '`tutti plan SPEC` is short for `tutti plan make SPEC`. Agents write the maps and the tasks, code checks them, and a\n' +
    'person says yes. Done again it plans only what depends on what changed.',
  examples: [
    ['tutti plan spec.md', 'plan what spec.md wants'],
    ['tutti plan spec.md --target app --new --stack "Python with FastAPI"', 'a new project in app'],
    ['tutti plan - < spec.md', 'from standard input'],
    ['tutti plan --plan shop', 'go on with a plan there is'],
    ['tutti plan spec.md --yes', 'approve it without asking, in CI'],
  ],
});

export const show = command<ShowFlags, []>({
  load: async () => (await import('../commands/plan/show.ts')).show,
  parameters: { flags: { mermaid: { ...off, brief: 'Only the graph, as Mermaid draws it' }, ...planFlags } },
  brief: 'Show a plan: tasks, phases, graph, steel thread, what it may take, and what to mind',
  about:
    'What is unknown is said to be unknown. Money and tokens come from earlier turns of the same agents.',
  examples: [
    ['tutti plan show', 'before saying yes'],
    ['tutti plan show --mermaid > plan.mmd', 'the graph'],
  ],
});

export const edit = command<EditFlags, string[]>({
  load: async () => (await import('../commands/plan/edit.ts')).edit,
  parameters: {
    flags: {
      taken: { ...off, brief: 'The files are edited already: only check and take them' },
      ...planFlags,
    },
    positional: { kind: 'array', parameter: taskArgument },
  },
  brief: 'Edit task files, check them and take them; finished work stays finished',
  about: 'On a terminal it opens VISUAL or EDITOR. A plan that was edited must be approved again.',
  examples: [
    ['tutti plan edit T003', 'one task'],
    ['tutti plan edit --taken', 'after editing them in your own way'],
  ],
});

export const verify = command<VerifyFlags, []>({
  load: async () => (await import('../commands/plan/edit.ts')).verify,
  parameters: { flags: { detach, ...planFlags } },
  brief: 'Let the verifier look at the tasks again',
  about:
    'After a BLOCKED verdict: mend the task files, then this. The report is in reports/task-validation-report.md.',
  examples: [['tutti plan verify', 'of the newest plan']],
});

export const execute = command<ExecuteFlags, []>({
  load: async () => (await import('../commands/execute.ts')).execute,
  parameters: {
    flags: {
      task: {
        ...listFlag('Only this task, and others so named', 'ID'),
        proposeCompletions: taskArgument.proposeCompletions,
      },
      parallel,
      batch: { ...off, brief: 'Ask nothing before starting' },
      interactive: { ...off, brief: 'One task at a time, with a question before each' },
      undeclared,
      verify: { kind: 'boolean', brief: 'Let an agent that did not do the work judge it', default: true },
      refresh: { ...off, brief: 'Take agent files anew' },
      ...ceilings,
      detach,
      ...planFlags,
    },
  },
  brief: 'Carry out an approved plan: each task in a checkout of its own, proven, then landed',
  about:
    'A task starts as soon as what it needs is done. Its acceptance criteria are run by Tutti, another agent verifies it,\n' +
    'and it lands on the branch tutti/PLAN/integration. Your checkout is not touched before `tutti land`. What failed\n' +
    'blocks only what needs it; executing again tries it again, and runs nothing that is done.',
  examples: [
    ['tutti execute', 'everything that is open, three tasks at a time'],
    ['tutti execute --parallel 5 --batch', 'five at a time, no questions'],
    ['tutti execute --task T005', 'one task'],
    ['tutti execute --max-cost 20', 'for at most about 20 dollars'],
    ['tutti execute --interactive', 'asking before each'],
  ],
});

export const build = command<BuildFlags, [spec?: string]>({
  load: async () => (await import('../commands/build.ts')).build,
  parameters: {
    flags: { ...planning, parallel, undeclared, ...ceilings, ...planFlags },
    positional: { kind: 'tuple', parameters: [specArgument] },
  },
  brief: 'Plan a specification, ask for approval, and execute it',
  about:
    'The same as `tutti plan`, `tutti plan approve` and `tutti execute`; done again it goes on where it stopped.',
  examples: [
    ['tutti build spec.md', 'ask before anything is built'],
    ['tutti build spec.md --yes --json', 'in CI'],
  ],
});

export const land = command<LandFlags, []>({
  load: async () => (await import('../commands/land.ts')).land,
  parameters: {
    flags: {
      into: {
        kind: 'parsed',
        parse: String,
        brief: 'The branch you mean; refused if your checkout is on another',
        placeholder: 'BRANCH',
        optional: true,
      },
      ...planFlags,
    },
  },
  brief: 'Bring what has landed into your checkout',
  about:
    'The one command that writes there. It refuses, naming the files, when it would overwrite something that is not\n' +
    'committed, or when both sides changed the same lines.',
  examples: [
    ['tutti land', 'into the branch you are on'],
    ['tutti land --into main', 'only if that is main'],
  ],
});
