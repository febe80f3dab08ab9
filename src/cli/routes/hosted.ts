import { logLevels } from '../../model/plan/log-levels.ts';
import { command } from '../command.ts';
import { amount, oneOf, wholeNumber } from '../parsers.ts';
import type { PlanFlags } from '../plan-project.ts';
import { planFlags } from './plan-flags.ts';

const maxTokens = 999_999_999;

export const checkHalt = command<PlanFlags, []>({
  load: async () => (await import('../commands/plan/halt-status.ts')).checkHalt,
  reads: true,
  parameters: { flags: planFlags },
  brief: 'Check whether a plan is halted',
  about: 'Code 1 when it is, 0 when it is not. A STOP file in the directory of the plan halts it too.',
  examples: [['tutti check-halt || exit', 'before the next task']],
});

export const confirmHalt = command<PlanFlags, []>({
  load: async () => (await import('../commands/plan/halt-status.ts')).confirmHalt,
  reads: false,
  parameters: { flags: planFlags },
  brief: 'Record that a halted plan has stopped working',
  about: 'Refused while a task is being worked on.',
  examples: [['tutti confirm-halt', 'when the last agent is back']],
});

export const haltStatus = command<PlanFlags, []>({
  load: async () => (await import('../commands/plan/halt-status.ts')).haltStatus,
  reads: true,
  parameters: { flags: planFlags },
  brief: 'Show when and why a plan was halted',
  about: 'With --json: plan, halted, reason, requested_at, confirmed_at, stop_file, running.',
  examples: [['tutti halt-status --json', 'for a program']],
});

export const log = command<
  PlanFlags,
  [level: (typeof logLevels)[number], agent: string, event: string, message: string]
>({
  load: async () => (await import('../commands/log.ts')).log,
  reads: false,
  parameters: {
    flags: planFlags,
    positional: {
      kind: 'tuple',
      parameters: [
        {
          parse: oneOf(logLevels),
          brief: logLevels.join(', '),
          placeholder: 'LEVEL',
          proposeCompletions: (partial) => logLevels.filter((level) => level.startsWith(partial)),
        },
        { parse: String, brief: 'Name of the agent', placeholder: 'AGENT' },
        {
          parse: String,
          brief: 'Kind of event: start, decision, tool, complete, …',
          placeholder: 'EVENT',
        },
        { parse: String, brief: 'Message in one line', placeholder: 'MESSAGE' },
      ],
    },
  },
  brief: "Append a line to a plan's activity.log",
  about: 'Secrets and what a terminal would obey are taken out.',
  examples: [
    [
      'tutti log INFO task-executor decision "a table instead of a switch: it is read by people"',
      'a decision',
    ],
  ],
});

export const logTokens = command<
  PlanFlags,
  [session: string, tokensIn: number, tokensOut: number, cost: number]
>({
  load: async () => (await import('../commands/log.ts')).tokens,
  reads: false,
  parameters: {
    flags: planFlags,
    positional: {
      kind: 'tuple',
      parameters: [
        { parse: String, brief: 'Session that used them', placeholder: 'SESSION' },
        { parse: wholeNumber(0, maxTokens), brief: 'Input tokens', placeholder: 'IN' },
        { parse: wholeNumber(0, maxTokens), brief: 'Output tokens', placeholder: 'OUT' },
        { parse: amount, brief: 'In US dollars', placeholder: 'COST' },
      ],
    },
  },
  brief: "Add tokens and cost to a plan's total",
  about: 'For agents that Tutti did not start: of its own it knows what they used.',
  examples: [['tutti log-tokens executor-1 12000 3400 0.21', 'what a turn took']],
});
