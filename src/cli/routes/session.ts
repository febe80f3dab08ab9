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
  ['tutti session list', 'what there is'],
  ['tutti session status ID', 'how one is doing'],
  ['tutti session attach ID', 'watch it live, and talk to it'],
  ['tutti session wait ID', 'until it has ended'],
  ['tutti session continue ID TEXT', 'say more, once it has ended'],
  ['tutti session kill ID', 'end it and every process it started'],
  ['tutti session archive --all --older-than 24h', 'put away what is over'],
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
  docs: { brief: 'Start and look after single agents: create, list, attach, kill, …' },
});

export const session: RouteMap<Context> = {
  ...map,
  formatHelp: (args) => `${withoutOptions(map.formatHelp(args))}\n${examplesText(examples)}`,
};
