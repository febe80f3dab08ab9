import { artifactNames } from '../../model/plan/plan-record.ts';
import { command } from '../command.ts';
import type { DecideFlags, VerdictFlags } from '../commands/plan/change.ts';
import type { InitPlanFlags } from '../commands/plan/init.ts';
import { oneOf } from '../parsers.ts';
import type { PlanFlags } from '../plan-project.ts';
import { listFlag, planFlags } from './plan-flags.ts';

const verdicts = ['READY', 'READY_WITH_NOTES', 'BLOCKED'] as const;

export const init = command<InitPlanFlags, [target?: string]>({
  load: async () => (await import('../commands/plan/init.ts')).init,
  reads: false,
  parameters: {
    flags: {
      new: { kind: 'boolean', brief: 'The target is a new project', default: false, withNegated: false },
      existing: {
        kind: 'boolean',
        brief: 'The target is an existing project',
        default: false,
        withNegated: false,
      },
      stack: {
        kind: 'parsed',
        parse: String,
        brief: 'Technology to build with',
        placeholder: 'TEXT',
        optional: true,
      },
      spec: {
        kind: 'parsed',
        parse: String,
        brief: 'Specification file; - reads standard input',
        placeholder: 'FILE',
        optional: true,
      },
      ...planFlags,
    },
    positional: {
      kind: 'tuple',
      parameters: [
        {
          parse: String,
          brief: 'Folder for the code; default: the project',
          placeholder: 'TARGET_DIR',
          optional: true,
        },
      ],
    },
  },
  brief: 'Create a plan that an agent conducts',
  about:
    'Prints the absolute directory of the plan: agents get it as TUTTI_PLAN_DIR, and make no directories themselves.\n' +
    'Done again it changes only what is given again; another specification takes back what stood on the old one.',
  examples: [
    ['tutti plan init . --spec spec.md', 'for this project'],
    ['PLAN_DIR=$(tutti plan init app --new --plan shop)', 'and keep the directory'],
    ['tutti plan init --plan shop --spec - < spec.md', 'from standard input'],
  ],
});

export const status = command<PlanFlags, []>({
  load: async () => (await import('../commands/plan/status.ts')).status,
  reads: true,
  parameters: { flags: planFlags },
  brief: 'Show the state of a plan and the next command',
  about:
    'Phase, counts of tasks, verdict, approval, halt, checkpoint, blocked tasks with the reason, the next command.',
  examples: [
    ['tutti plan status', 'in words'],
    ['tutti plan status --json', 'for a program'],
  ],
});

export const list = command<PlanFlags, []>({
  load: async () => (await import('../commands/plan/status.ts')).list,
  reads: true,
  parameters: { flags: planFlags },
  brief: 'List the plans of this project',
  about: 'The one that changed last comes first.',
  examples: [['tutti plan list', 'which there are']],
});

export const advance = command<PlanFlags, []>({
  load: async () => (await import('../commands/plan/change.ts')).advance,
  reads: false,
  parameters: { flags: planFlags },
  brief: 'Move to the next phase',
  about:
    'Code 0 when it went on; 1 when something is owed, which is named. What passed is looked at once more.',
  examples: [['tutti plan advance', 'from one phase to the next']],
});

export const validate = command<PlanFlags, [artifact: (typeof artifactNames)[number]]>({
  load: async () => (await import('../commands/plan/change.ts')).validate,
  reads: false,
  parameters: {
    flags: planFlags,
    positional: {
      kind: 'tuple',
      parameters: [
        {
          parse: oneOf(artifactNames),
          brief: artifactNames.join(', '),
          placeholder: 'ARTIFACT',
          proposeCompletions: (partial) => artifactNames.filter((name) => name.startsWith(partial)),
        },
      ],
    },
  },
  brief: 'Check an artifact: capability_map, physical_map or tasks',
  about: 'Code 1 with file, place and reason of every mistake; what passes is recorded by its digest.',
  examples: [
    ['tutti plan validate capability_map', 'what the specification wants'],
    ['tutti plan validate physical_map', 'which files that becomes'],
  ],
});

export const validateTasks = command<VerdictFlags, [verdict: (typeof verdicts)[number], summary?: string]>({
  load: async () => (await import('../commands/plan/change.ts')).validateTasks,
  reads: false,
  parameters: {
    flags: { issues: listFlag('What is wrong, one text each', 'TEXT'), ...planFlags },
    positional: {
      kind: 'tuple',
      parameters: [
        {
          parse: oneOf(verdicts),
          brief: verdicts.join(', '),
          placeholder: 'VERDICT',
          proposeCompletions: (partial) => verdicts.filter((verdict) => verdict.startsWith(partial)),
        },
        { parse: String, brief: 'Summary in one sentence', placeholder: 'SUMMARY', optional: true },
      ],
    },
  },
  brief: "Record a verifier's verdict on the tasks",
  about: 'It holds for the tasks as they are now. BLOCKED takes the plan back to validation.',
  examples: [
    ['tutti plan validate-tasks READY "all behaviors are covered"', 'they may be sequenced'],
    [
      'tutti plan validate-tasks BLOCKED "two gaps" --issues "T004 tests nothing" "no task for B7"',
      'they may not',
    ],
  ],
});

export const loadTasks = command<PlanFlags, []>({
  load: async () => (await import('../commands/plan/change.ts')).loadTasks,
  reads: false,
  parameters: { flags: planFlags },
  brief: 'Check and load the task files',
  about:
    'The same work keeps what became of it; other work under the same id starts over. A task at work may neither\n' +
    'change nor go. Tasks that own one file are put one after the other, and that is said.',
  examples: [['tutti plan load-tasks', 'after tasks/*.json were written or edited']],
});

const reasonFlag = {
  kind: 'parsed',
  parse: String,
  brief: 'Reason, for the record',
  placeholder: 'TEXT',
  optional: true,
} as const;

export const approve = command<DecideFlags, []>({
  load: async () => (await import('../commands/plan/change.ts')).approve,
  reads: false,
  parameters: { flags: { reason: reasonFlag, ...planFlags } },
  brief: 'Approve the current plan',
  about:
    'For a person; an agent of a session is refused. Task files that were edited must be verified first, and tasks\n' +
    'that change afterwards approved again. Of two decisions at once, the first counts.',
  examples: [['tutti plan approve', 'it may be carried out']],
});

export const refuse = command<DecideFlags, []>({
  load: async () => (await import('../commands/plan/change.ts')).refuse,
  reads: false,
  parameters: { flags: { reason: reasonFlag, ...planFlags } },
  brief: 'Refuse the current plan',
  about: 'No task of it is started.',
  examples: [['tutti plan refuse --reason "too much at once"', 'and say why']],
});
