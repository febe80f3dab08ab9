import { questionArgument, requiredRun, runArgument } from '../arguments.ts';
import { command, type JsonFlag, jsonFlag } from '../command.ts';
import type { HaltFlags } from '../commands/halt.ts';
import type { ResumeFlags } from '../commands/resume.ts';
import type { StopFlags } from '../commands/stop.ts';
import { planFlags } from './plan-flags.ts';

export const answer = command<JsonFlag, [question: string, text?: string]>({
  load: async () => (await import('../commands/answer.ts')).answer,
  parameters: {
    flags: { json: jsonFlag },
    positional: {
      kind: 'tuple',
      parameters: [
        questionArgument,
        {
          parse: String,
          brief: 'The answer, or the number of an option; - or nothing reads standard input',
          placeholder: 'TEXT',
          optional: true,
        },
      ],
    },
  },
  brief: 'Answer a question; its run goes on by itself',
  about: 'The first answer counts. If nobody drives the run, a conductor is started for it.',
  examples: [
    ['tutti answer Q7 yes', 'in words'],
    ['tutti answer Q7 2', 'the second option'],
    ['tutti answer Q7 - < decision.md', 'from a file'],
  ],
});

export const halt = command<HaltFlags, string[]>({
  load: async () => (await import('../commands/halt.ts')).halt,
  parameters: {
    flags: {
      reason: {
        kind: 'parsed',
        parse: String,
        brief: 'Why, for the record',
        placeholder: 'TEXT',
        optional: true,
      },
      ...planFlags,
    },
    positional: {
      kind: 'array',
      parameter: {
        ...requiredRun,
        brief: 'A run or a plan; other words are the reason why the plan is halted',
      },
    },
  },
  brief: 'Let what is under way finish and start nothing new',
  about:
    'The run or the plan stands still until it is resumed. Without a name it is the plan; a file STOP in its directory does\n' +
    'the same.',
  examples: [
    ['tutti halt nightly', 'drain a run'],
    ['tutti halt nightly --reason "disk is full"', 'and say why'],
    ['tutti halt user_message', 'the plan, with a reason'],
  ],
});

export const stop = command<StopFlags, [run?: string]>({
  load: async () => (await import('../commands/stop.ts')).stop,
  parameters: {
    flags: {
      all: { kind: 'boolean', brief: 'Every run that is not over', default: false, withNegated: false },
      json: jsonFlag,
    },
    positional: { kind: 'tuple', parameters: [{ ...runArgument, brief: 'A run' }] },
  },
  brief: 'End a run and every process it ever started',
  about: 'What finished keeps its result, and the run can be resumed.',
  examples: [
    ['tutti stop nightly', 'one run'],
    ['tutti stop --all', 'everything in this project'],
  ],
});

export const resume = command<ResumeFlags, [run?: string]>({
  load: async () => (await import('../commands/resume.ts')).resume,
  parameters: {
    flags: {
      step: {
        kind: 'parsed',
        parse: String,
        brief: 'Run this step again (may be given several times)',
        placeholder: 'ID',
        variadic: true,
        optional: true,
      },
      detach: {
        kind: 'boolean',
        brief: 'Let a conductor drive it in the background',
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
        brief: 'Only take back the halt of a plan; start nothing',
        default: false,
        withNegated: false,
      },
      json: jsonFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [
        { ...runArgument, brief: 'A run or a plan; without one, the halted plan or the newest run' },
      ],
    },
  },
  brief: 'Go on with a run that was halted, stopped, killed or failed',
  about:
    'Finished steps keep their results; failed ones, or those named with --step, run again. Of a plan it removes the STOP file\n' +
    'and the halt first.',
  examples: [
    ['tutti resume', 'the newest run'],
    ['tutti resume nightly --step build', 'with one step done again'],
    ['tutti resume nightly --detach', 'in the background'],
  ],
});
