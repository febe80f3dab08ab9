import { buildRouteMap, type RouteMap } from '@stricli/core';
import { command, examplesText } from '../command.ts';
import type { Context } from '../context.ts';
import type { PlanFlags } from '../plan-project.ts';
import { planFlags, taskArgument } from './plan-flags.ts';
import { withoutOptions } from './without-options.ts';

const examples = [
  ['tutti bundle generate T001', 'everything its executor needs, in one file'],
  ['tutti bundle generate-ready', 'for all tasks that may be started'],
  ['tutti bundle validate-integrity T001', 'was it made from what is there now?'],
] as const;

const oneTask = { kind: 'tuple', parameters: [taskArgument] } as const;

const generate = command<PlanFlags, [id: string]>({
  load: async () => (await import('../commands/bundle/bundle.ts')).generate,
  reads: false,
  parameters: { flags: planFlags, positional: oneTask },
  brief: 'Write everything an executor needs to one file',
  about:
    'bundles/ID-bundle.json: behaviors in full, files, criteria, constraints, dependencies. Prints where it is.',
  examples,
});

const generateReady = command<PlanFlags, []>({
  load: async () => (await import('../commands/bundle/bundle.ts')).generateAllReady,
  reads: false,
  parameters: { flags: planFlags },
  brief: 'Generate bundles for all tasks that can start',
  about: 'A path each. Nothing, and code 0, when there is none.',
  examples,
});

const validate = command<PlanFlags, [id: string]>({
  load: async () => (await import('../commands/bundle/bundle.ts')).validate,
  reads: true,
  parameters: { flags: planFlags, positional: oneTask },
  brief: 'Check the form of a bundle',
  about: 'Code 1 with file, place and reason when it has not.',
  examples,
});

const integrity = command<PlanFlags, [id: string]>({
  load: async () => (await import('../commands/bundle/bundle.ts')).integrity,
  reads: true,
  parameters: { flags: planFlags, positional: oneTask },
  brief: 'Check whether a bundle is up to date',
  about:
    'The task, both maps and the specification by their checksums, and the files it builds on. Code 1 when not.',
  examples,
});

const list = command<PlanFlags, []>({
  load: async () => (await import('../commands/bundle/bundle.ts')).list,
  reads: true,
  parameters: { flags: planFlags },
  brief: 'List bundles',
  about: 'With what is wrong with each, if something is.',
  examples,
});

const clean = command<PlanFlags, []>({
  load: async () => (await import('../commands/bundle/bundle.ts')).clean,
  reads: false,
  parameters: { flags: planFlags },
  brief: 'Delete all bundles',
  about: 'Results stay; bundles can be made again.',
  examples,
});

const routes = {
  generate,
  'generate-ready': generateReady,
  validate,
  'validate-integrity': integrity,
  list,
  clean,
};

export const bundleCommandNames: readonly string[] = Object.keys(routes);

const map = buildRouteMap<keyof typeof routes, Context>({
  routes,
  docs: { brief: 'Bundle what an executor needs: generate, validate, …' },
});

export const bundle: RouteMap<Context> = {
  ...map,
  formatHelp: (args) => `${withoutOptions(map.formatHelp(args))}\n${examplesText(examples)}`,
};
