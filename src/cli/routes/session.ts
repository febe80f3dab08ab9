import { buildRouteMap, type RouteMap } from '@stricli/core';
import { examplesText } from '../command.ts';
import type { Context } from '../context.ts';
import { create } from './session-create.ts';
import { list, status, wait } from './session-look.ts';
import { archive, audit, prune, watchdog } from './session-order.ts';
import { continueIt, kill, send } from './session-steer.ts';
import { attach, logs } from './session-watch.ts';
import { withoutOptions } from './without-options.ts';

const examples = [
  ['tutti session create coder task.md', 'start an agent on a task'],
  ['tutti session list', 'list sessions'],
  ['tutti session status ID', 'show one session'],
  ['tutti session attach ID', 'watch it live and talk to it'],
  ['tutti session wait ID', 'wait until it ends'],
  ['tutti session continue ID TEXT', 'continue its conversation after it ended'],
  ['tutti session kill ID', 'kill it and every process it started'],
  ['tutti session archive --all --older-than 24h', 'archive old sessions'],
] as const;

const routes = {
  create,
  list,
  status,
  attach,
  logs,
  wait,
  send,
  continue: continueIt,
  kill,
  archive,
  prune,
  watchdog,
  audit,
};

export const sessionCommandNames: readonly string[] = Object.keys(routes);

const map = buildRouteMap<keyof typeof routes, Context>({
  routes,
  docs: { brief: 'Run single agents: create, list, attach, kill, …' },
});

export const session: RouteMap<Context> = {
  ...map,
  formatHelp: (args) => `${withoutOptions(map.formatHelp(args))}\n${examplesText(examples)}`,
};
