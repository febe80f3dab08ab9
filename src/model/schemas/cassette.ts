import { limitKindOf } from '../limit-pause.ts';
import * as z from 'zod';
import type { DriverEvent } from '../driver.ts';
import { permissionAnswers } from '../permission.ts';
import type { StopReason } from '../turn.ts';
import {
  argv,
  countOrNull,
  duration,
  filledText,
  jsonSchemaLink,
  list,
  members,
  oneOf,
  text,
  wanted,
  wholeNumber,
  yesOrNo,
} from './basic-shapes.ts';
import { usageMembers, usageOf } from './usage.ts';

/** What an agent said or wrote: any text, whatever characters it has. */
function words(what = 'text'): z.ZodString {
  return z.string(wanted(what));
}

const contents = z.record(
  filledText('a path'),
  z.string(wanted('the content of the file, as text')),
  wanted('a mapping of paths to contents'),
);

const command = z.union(
  [argv(), members({ command: argv(), may_fail: yesOrNo() })],
  wanted('a program and its arguments, or a mapping with command and may_fail'),
);

const matchForm = members({
  agent: text().optional(),
  step: text().optional(),
  contains: text().optional(),
  prompt: words('the whole prompt of the task').optional(),
  nth: wholeNumber(1, 1_000_000).optional(),
  turn: wholeNumber(1, 1_000_000).optional(),
  attempt: wholeNumber(1, 1_000_000).optional(),
});

const toolMembers = { tool: words('the name of a tool'), reason: words().optional() };

const limitForm = members({
  reset_at: z.iso.datetime({ offset: true, ...wanted('a time such as 2026-01-31T18:00:00Z') }).optional(),
  reset_in: duration.optional(),
  kind: oneOf(['overload']).optional(),
}).refine(
  (limit) => limit.reset_at === undefined || limit.reset_in === undefined,
  'may name reset_at or reset_in, not both',
);

/** Each event is a mapping with one of these. */
const eventMembers = {
  text: words().optional(),
  tool: members({ name: words(), target: words().optional() }).optional(),
  tool_failed: members({
    name: words(),
    target: words().optional(),
    reason: words().optional(),
  }).optional(),
  files: list(words('a path'), 'a list of paths').optional(),
  usage: members({ ...usageMembers, cached_input_tokens: countOrNull().optional() }).optional(),
  conversation: words().optional(),
  waiting: words().optional(),
  answered: members({ request: wholeNumber(1, 1_000_000), answer: oneOf(permissionAnswers) }).optional(),
  limit: limitForm.optional(),
  retrying: words().optional(),
  sign_in: words('why the model refused the sign-in').optional(),
  denied: members({ ...toolMembers, target: words().optional(), call: yesOrNo().optional() }).optional(),
  blocked: members(toolMembers).optional(),
  problem: words().optional(),
};

const eventForm = members(eventMembers).refine(
  (event) => Object.keys(event).length === 1,
  `must have exactly one of ${Object.keys(eventMembers).join(', ')}`,
);

/** How a turn may stop other than by its exit code. That it finished only an exit code of 0 can say. */
const stops = [
  'failed',
  'timeout',
  'killed',
  'over-quota',
  'crashed',
  'limit',
  'unavailable',
  'sign-in',
] as const satisfies readonly StopReason[];

/** Where a recorded turn comes from; nothing of it is played. */
const recordedForm = members({
  session: words('the id of a session'),
  at: words('a time').optional(),
  driver: words('the name of a driver').optional(),
  left_out: list(words(), 'a list of what was not recorded, and why').optional(),
});

const paths = list(filledText('a path'), 'a list of paths');

const turnForm = members({
  recorded: recordedForm.optional(),
  match: matchForm.optional(),
  delay_ms: wholeNumber(0, 86_400_000).optional(),
  files: contents.optional(),
  append: contents.optional(),
  bytes: z
    .record(filledText('a path'), z.base64(wanted('base64')), wanted('a mapping of paths to base64'))
    .optional(),
  executable: paths.optional(),
  delete: paths.optional(),
  commands: list(command, 'a list of commands').optional(),
  text: z.string(wanted('text')).optional(),
  tells_tools: yesOrNo().optional(),
  tools: list(members({ name: filledText(), target: text().optional() }), 'a list of tools').optional(),
  usage: members(usageMembers).optional(),
  events: list(eventForm, 'a list of events').optional(),
  limit: limitForm.optional(),
  result: z.unknown().optional(),
  stop: oneOf(stops).optional(),
  exit: wholeNumber(0, 255).optional(),
  signal: z
    .string(wanted('the name of a signal'))
    .regex(/^SIG[A-Z0-9]{2,10}$/, 'must be the name of a signal, such as SIGTERM')
    .optional(),
  hang: yesOrNo().optional(),
});

/** What the replay driver plays: the first turn whose `match` fits, each time again. */
export const cassetteForm = members({ $schema: jsonSchemaLink, turns: list(turnForm, 'a list of turns') });

export type Cassette = z.output<typeof cassetteForm>;
export type CassetteTurn = z.output<typeof turnForm>;
export type CassetteMatch = z.output<typeof matchForm>;
export type CassetteEvent = z.output<typeof eventForm>;
export type CassetteStop = (typeof stops)[number];

export function isCassetteStop(value: unknown): value is CassetteStop {
  return stops.some((stop) => stop === value);
}

/** What the player says for an event of a cassette; `now` is what `reset_in` counts from. */
export function eventOf(event: CassetteEvent, now: number): DriverEvent {
  const { text: said, tool, files, usage, conversation, waiting, limit, retrying, denied, blocked } = event;
  if (said !== undefined) return { type: 'text', text: said };
  if (tool !== undefined) return { type: 'tool', name: tool.name, target: tool.target ?? '' };
  if (files !== undefined) return { type: 'files', paths: files };
  if (usage !== undefined) {
    const { cached_input_tokens: cached } = usage;
    const more = cached === undefined ? {} : { cachedInputTokens: cached };
    return { type: 'usage', usage: { ...usageOf(usage), ...more } };
  }
  if (conversation !== undefined) return { type: 'conversation', id: conversation };
  if (waiting !== undefined) return { type: 'waiting', why: waiting };
  if (event.answered !== undefined) return { type: 'answered', ...event.answered };
  if (limit !== undefined)
    return { type: 'limit', resetAt: resetAtOf(limit, now), ...limitKindOf(limit.kind) };
  if (retrying !== undefined) return { type: 'retrying', reason: retrying };
  if (event.sign_in !== undefined) return { type: 'sign-in', reason: event.sign_in };
  if (event.tool_failed !== undefined) {
    const { name, target = '', reason = '' } = event.tool_failed;
    return { type: 'tool-failed', name, target, reason };
  }
  if (denied !== undefined) {
    const call = denied.call === true ? { call: true as const } : {};
    const on = denied.target === undefined ? {} : { target: denied.target };
    return { type: 'denied', tool: denied.tool, ...on, reason: denied.reason ?? '', ...call };
  }
  if (blocked !== undefined) return { type: 'blocked', tool: blocked.tool, reason: blocked.reason ?? '' };
  return { type: 'problem', message: event.problem ?? '' };
}

function resetAtOf(limit: z.output<typeof limitForm>, now: number): number | null {
  if (limit.reset_in !== undefined) return now + limit.reset_in;
  return limit.reset_at === undefined ? null : Date.parse(limit.reset_at);
}
