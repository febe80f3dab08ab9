import { buildRouteMap, type RouteMap } from '@stricli/core';
import { examplesText } from '../command.ts';
import type { Context } from '../context.ts';
import {
  advance,
  approve,
  init,
  list,
  loadTasks,
  refuse,
  status,
  validate,
  validateTasks,
} from './plan-state.ts';
import { edit, make, show, verify } from './plan-make.ts';
import { withoutOptions } from './without-options.ts';

const examples = [
  ['tutti plan spec.md', 'from a specification to approved tasks'],
  ['tutti plan show', 'tasks, order and forecast'],
  ['tutti plan init . --spec spec.md', 'start a plan that an agent conducts'],
  ['tutti plan status', 'its state and the next command'],
  ['tutti plan validate capability_map', 'check what an agent wrote'],
  ['tutti plan advance', 'move to the next phase'],
] as const;

/** A command named `make` is what `tutti plan SPEC` does (`rewritten` in arguments-line.ts). */
const routes = {
  make,
  show,
  approve,
  edit,
  refuse,
  verify,
  init,
  status,
  list,
  advance,
  validate,
  'validate-tasks': validateTasks,
  'load-tasks': loadTasks,
};

export const planCommandNames: readonly string[] = Object.keys(routes);

const map = buildRouteMap<keyof typeof routes, Context>({
  routes,
  docs: { brief: 'Plan a specification: make, show, approve, status, …' },
});

export const plan: RouteMap<Context> = {
  ...map,
  formatHelp: (args) => `${withoutOptions(map.formatHelp(args))}\n${examplesText(examples)}`,
};
