import { limitKindOf, type MetLimit } from '../model/limit-pause.ts';
import { oneLine } from '../lib/terminal-text.ts';
import { unreachable } from '../lib/unreachable.ts';
import { describeDenied, type DeniedUse } from '../model/denied-use.ts';
import type { DriverEvent, DriverReader } from '../model/driver.ts';
import type { PermissionRequest } from '../model/permission.ts';
import { unknownUsage, type Usage } from '../model/usage.ts';

const keptCharacters = 4000;
/** More than a client lets an agent ask at once: the rest was never asked. */
const mostAsks = 100;
const mostDenied = 20;

/** What a session's log tells, once it has been read from the first byte to the last. */
export interface TurnLog {
  /** The end of what the agent said. */
  readonly text: string;
  /** Calls of tools, whatever became of them. */
  readonly toolCalls: number;
  readonly usage: Usage;
  /** The driver's own words about what went wrong; the last ones, if several. */
  readonly problem: string | null;
  /** Why the model refused the sign-in, when nothing was said or done after it. */
  readonly signIn: string | null;
  /** Set when a limit was met and nothing was said or done after it. */
  readonly limit: MetLimit | null;
  /** Set when it waits for a person, and nothing was said or done after that. */
  readonly waiting: { readonly why: string } | null;
  /** What it asks a person and was not told yet, oldest first: it waits for all of them. */
  readonly asks: readonly Asked[];
  readonly denials: number;
  /** Those of them that ended a call: they are among `toolCalls`. */
  readonly deniedCalls: number;
  /** Tools that it was not permitted to use, each once. */
  readonly deniedTools: readonly string[];
  /** The same with what each was to be used on, as far as the log tells it. */
  readonly deniedUses: readonly DeniedUse[];
  /** How often the CLI asked its model again by itself. */
  readonly retries: number;
  /** Why it did so last, when nothing was said or done after it. */
  readonly retrying: string | null;
  readonly conversation: string | null;
  /** How often a hook kept it from something. */
  readonly hookBlocks: number;
}

interface Asked {
  readonly why: string;
  readonly request: PermissionRequest;
}

const emptyLog: TurnLog = {
  text: '',
  toolCalls: 0,
  usage: unknownUsage,
  problem: null,
  signIn: null,
  limit: null,
  waiting: null,
  asks: [],
  denials: 0,
  deniedCalls: 0,
  deniedTools: [],
  deniedUses: [],
  retries: 0,
  retrying: null,
  conversation: null,
  hookBlocks: 0,
};

export function readLog(lines: Iterable<string>, reader: DriverReader): TurnLog {
  let log = emptyLog;
  for (const line of lines) {
    for (const event of reader.line(line)) log = after(log, event);
  }
  return log;
}

/** Whatever stood in its way before is over. */
const worksAgain = { limit: null, signIn: null, retrying: null } as const;

function after(log: TurnLog, event: DriverEvent): TurnLog {
  switch (event.type) {
    case 'text':
      return { ...log, text: tail(log.text, event.text), ...worksAgain, waiting: firstOf(log.asks) };
    case 'tool':
      return { ...log, toolCalls: log.toolCalls + 1, ...worksAgain, waiting: firstOf(log.asks) };
    case 'usage':
      return { ...log, usage: known(log.usage, event.usage) };
    case 'limit':
      return { ...log, limit: { resetAt: event.resetAt, ...limitKindOf(event.kind) } };
    case 'files':
    case 'tool-failed':
      return log;
    case 'retrying':
      return { ...log, retries: log.retries + 1, retrying: event.reason };
    case 'sign-in':
      return { ...log, signIn: event.reason };
    case 'conversation':
      return { ...log, conversation: event.id };
    case 'denied':
      return {
        ...log,
        denials: log.denials + 1,
        deniedCalls: log.deniedCalls + (event.call === true ? 1 : 0),
        deniedTools: withTool(log.deniedTools, event.tool),
        deniedUses: withUse(log.deniedUses, event),
      };
    case 'blocked':
      return { ...log, hookBlocks: log.hookBlocks + 1 };
    case 'problem':
      return { ...log, problem: event.message };
    case 'waiting': {
      const { why, request } = event;
      const isNew = request !== undefined && log.asks.length < mostAsks;
      return { ...log, waiting: { why }, asks: isNew ? [...log.asks, { why, request }] : log.asks };
    }
    case 'answered': {
      const asks = log.asks.filter(({ request }) => request.number !== event.request);
      return { ...log, asks, waiting: firstOf(asks) };
    }
    default:
      return unreachable(event);
  }
}

/** A log may name any number of them: those a person can read are kept. */
function withTool(tools: readonly string[], tool: string): readonly string[] {
  const name = oneLine(tool, 80);
  return tools.includes(name) || tools.length >= mostDenied ? tools : [...tools, name];
}

function withUse(uses: readonly DeniedUse[], { tool, target }: DeniedUse): readonly DeniedUse[] {
  const use = { tool: oneLine(tool, 80), ...(target === undefined ? {} : { target: oneLine(target, 200) }) };
  const isKnown = uses.some((one) => describeDenied(one) === describeDenied(use));
  return isKnown || uses.length >= mostDenied ? uses : [...uses, use];
}

function firstOf([first]: readonly Asked[]): TurnLog['waiting'] {
  return first === undefined ? null : { why: first.why };
}

function tail(before: string, text: string): string {
  const joined = before === '' ? text : `${before}\n${text}`;
  return joined.slice(-keptCharacters);
}

/** Each usage event is the total so far, not an increment: reading a log twice must not double it. */
function known(before: Usage, now: Usage): Usage {
  const cachedInputTokens = now.cachedInputTokens ?? before.cachedInputTokens;
  return {
    inputTokens: now.inputTokens ?? before.inputTokens,
    outputTokens: now.outputTokens ?? before.outputTokens,
    costUsd: now.costUsd ?? before.costUsd,
    ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }),
  };
}
