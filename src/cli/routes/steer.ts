import { questionArgument, requiredRun, runArgument } from '../arguments.ts';
import { command, type JsonFlag, jsonFlag, trustFlag } from '../command.ts';
import type { HaltFlags } from '../commands/halt.ts';
import type { ResumeFlags } from '../commands/resume.ts';
import type { StopFlags } from '../commands/stop.ts';
import { planFlags } from './plan-flags.ts';

export const answer = command<JsonFlag, [question: string, text?: string]>({
  load: async () => (await import('../commands/answer.ts')).answer,
  reads: false,
  parameters: {
    flags: { json: jsonFlag },
    positional: {
      kind: 'tuple',
      parameters: [
        questionArgument,
        {
          parse: String,
          brief: 'The answer or the number of an option; - reads standard input',
          placeholder: 'TEXT',
          optional: true,
        },
      ],
    },
  },
  brief: 'Answer a question; its run continues by itself',
  about: 'The first answer counts. If no process drives the run, Tutti starts a conductor for it.',
  examples: [
    ['tutti answer Q7 yes', 'in words'],
    ['tutti answer Q7 2', 'the second option'],
    ['tutti answer Q7 - < decision.md', 'from a file'],
  ],
});

export const halt = command<HaltFlags, string[]>({
  load: async () => (await import('../commands/halt.ts')).halt,
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
      ...planFlags,
    },
    positional: {
      kind: 'array',
      parameter: {
        ...requiredRun,
        brief: 'A run or a plan; any other words are the reason',
      },
    },
  },
  brief: 'Finish running steps, start no new ones',
  about:
    '`tutti resume` continues it. Without a name it halts the plan; a file STOP in the plan directory does the same.',
  examples: [
    ['tutti halt nightly', 'drain a run'],
    ['tutti halt nightly --reason "disk is full"', 'with a reason'],
    ['tutti halt user_message', 'the plan, with a reason'],
  ],
});

export const stop = command<StopFlags, [run?: string]>({
  load: async () => (await import('../commands/stop.ts')).stop,
  reads: false,
  parameters: {
    flags: {
      all: {
        kind: 'boolean',
        brief: 'Stop every unfinished run, kill what ended ones left',
        default: false,
        withNegated: false,
      },
      json: jsonFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [{ ...runArgument, brief: 'A run; default: the only one under way' }],
    },
  },
  brief: 'Stop a run and kill every process it started',
  about: 'Finished steps keep their results, and `tutti resume` continues the run.',
  examples: [
    ['tutti stop', 'the only run under way'],
    ['tutti stop nightly', 'one run'],
    ['tutti stop --all', 'all runs of this project'],
  ],
});

export const resume = command<ResumeFlags, [run?: string]>({
  load: async () => (await import('../commands/resume.ts')).resume,
  reads: false,
  parameters: {
    flags: {
      step: {
        kind: 'parsed',
        parse: String,
        brief: 'Run this step again (repeatable)',
        placeholder: 'ID',
        variadic: true,
        optional: true,
      },
      detach: {
        kind: 'boolean',
        brief: 'Run in the background',
        default: false,
        withNegated: false,
      },
      refresh: {
        kind: 'boolean',
        brief: 'Reload agent files and drivers; finished turns of a changed agent run again',
        default: false,
        withNegated: false,
      },
      clearOnly: {
        kind: 'boolean',
        brief: "Only clear a plan's halt; start nothing",
        default: false,
        withNegated: false,
      },
      trust: trustFlag,
      json: jsonFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [{ ...runArgument, brief: 'A run or a plan; default: the halted plan or the newest run' }],
    },
  },
  brief: 'Continue a halted, stopped, killed or failed run',
  about:
    'Finished steps keep their results; failed steps and those named with --step run again. For a plan it first clears the\n' +
    'halt and removes the STOP file.',
  examples: [
    ['tutti resume', 'the newest run'],
    ['tutti resume nightly --step build', 'run one step again'],
    ['tutti resume nightly --detach', 'in the background'],
  ],
});
