import { buildRouteMap, type RouteMap } from '@stricli/core';
import { command, examplesText } from '../command.ts';
import type { Context } from '../context.ts';
import { oneOf } from '../parsers.ts';
import type { PlanFlags } from '../plan-project.ts';
import { planFlags, taskArgument } from './plan-flags.ts';
import { withoutOptions } from './without-options.ts';

const examples = [
  ['tutti checkpoint create T001 T002', 'before agents are sent out'],
  ['tutti checkpoint update T001 success', 'as each comes back'],
  ['tutti checkpoint complete', 'when all have'],
  ['tutti checkpoint recover', 'after a crash'],
] as const;

const create = command<PlanFlags, string[]>({
  load: async () => (await import('../commands/checkpoint/checkpoint.ts')).create,
  reads: false,
  parameters: { flags: planFlags, positional: { kind: 'array', parameter: taskArgument, minimum: 1 } },
  brief: 'Record which tasks are about to start',
  about: 'Before they are sent out, so that a crash leaves a list of whom to look for. One at a time.',
  examples,
});

const update = command<PlanFlags, [id: string, status: 'success' | 'failed']>({
  load: async () => (await import('../commands/checkpoint/checkpoint.ts')).update,
  reads: false,
  parameters: {
    flags: planFlags,
    positional: {
      kind: 'tuple',
      parameters: [
        taskArgument,
        {
          parse: oneOf(['success', 'failed']),
          brief: 'success or failed',
          placeholder: 'STATUS',
          proposeCompletions: (partial) => ['success', 'failed'].filter((word) => word.startsWith(partial)),
        },
      ],
    },
  },
  brief: 'Record how a task ended',
  about: 'It changes no task: that is for tutti task complete and fail.',
  examples,
});

const complete = command<PlanFlags, []>({
  load: async () => (await import('../commands/checkpoint/checkpoint.ts')).complete,
  reads: false,
  parameters: { flags: planFlags },
  brief: 'Record that all tasks ended',
  about: 'The next one may be created.',
  examples,
});

const status = command<PlanFlags, []>({
  load: async () => (await import('../commands/checkpoint/checkpoint.ts')).status,
  reads: true,
  parameters: { flags: planFlags },
  brief: 'Show the checkpoint',
  about: 'Each of its tasks: running, success, failed or orphaned.',
  examples,
});

const recover = command<PlanFlags, []>({
  load: async () => (await import('../commands/checkpoint/checkpoint.ts')).recover,
  reads: false,
  parameters: { flags: planFlags },
  brief: 'Find ended and orphaned tasks after a crash',
  about:
    'Takes down what ended unnoticed, and names the tasks that are marked as running without a process, each with the\n' +
    'commands to choose from. Sessions and runs that are still there keep theirs.',
  examples,
});

const clear = command<PlanFlags, []>({
  load: async () => (await import('../commands/checkpoint/checkpoint.ts')).clear,
  reads: false,
  parameters: { flags: planFlags },
  brief: 'Delete the checkpoint',
  about: 'Also when it still waits for a person.',
  examples,
});

const routes = { create, update, complete, status, recover, clear };

export const checkpointCommandNames: readonly string[] = Object.keys(routes);

const map = buildRouteMap<keyof typeof routes, Context>({
  routes,
  docs: { brief: 'Track running tasks for crashes: create, update, recover, …' },
});

export const checkpoint: RouteMap<Context> = {
  ...map,
  formatHelp: (args) => `${withoutOptions(map.formatHelp(args))}\n${examplesText(examples)}`,
};
