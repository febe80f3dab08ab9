import { isObject, type Json, type JsonObject, textMember } from '../../lib/json.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { DriverEvent, DriverReader, ProcessEnd } from '../../model/driver.ts';
import { permissionAnswerOf, permissionRequestOf, requestNumberOf } from '../../model/permission.ts';
import { parseJson } from '../../model/schemas/json-text.ts';
import type { StopReason } from '../../model/turn.ts';
import { unknownUsage } from '../../model/usage.ts';
import { stopReasonOf } from '../stop-reason.ts';
import { isLimit, LimitWatch, retryEvent } from './limits.ts';
import { signInEvents } from './sign-in.ts';
import { structuredTool, ToolWatch } from './tools.ts';
import { usageAfter } from './usage.ts';

/** The CLI ends so after it refused several results; what the agent did before is finished. */
const resultRefused = 'error_max_structured_output_retries';
const promptBlock = 'UserPromptSubmit operation blocked by hook';

/** Reads `stream-json`. Types that are not known are left alone: each version of the CLI adds some. */
export function claudeReader(): DriverReader {
  let result: JsonObject | null = null;
  let usage = unknownUsage;
  let owesStructured = false;
  const watch: Watch = { tools: new ToolWatch(), limits: new LimitWatch() };
  return {
    line: (line) => {
      const json = line.startsWith('{') ? parseJson(line) : null;
      // Standard error shares the log: it is the only place where wrong flags and the like are told.
      if (json?.ok !== true || !isObject(json.value)) return line.trim() === '' ? [] : [problem(line)];
      const { value } = json;
      if (isInit(value))
        owesStructured = Array.isArray(value['tools']) && value['tools'].includes(structuredTool);
      if (value['type'] !== 'result') return eventsOf(value, watch);
      // A process may tell several; the last one counts.
      result = value;
      usage = usageAfter(usage, result);
      return [{ type: 'usage', usage }, ...resultEvents(result, watch, owesStructured)];
    },
    stop: (end) => stopOf(end, result),
    inFlight: () => watch.tools.inFlight,
    handedOver: () => structured(result),
    refusedResult: () => watch.tools.refusedResult,
  };
}

/** What one turn must remember about itself. */
interface Watch {
  readonly tools: ToolWatch;
  readonly limits: LimitWatch;
}

/** Exit code 0 alone proves nothing: an interrupted run and a failed one may end with it too. */
function stopOf(end: ProcessEnd, result: JsonObject | null): StopReason {
  const stop = stopReasonOf(end);
  if (stop !== 'finished' && stop !== 'failed') return stop;
  if (result === null) return 'failed';
  if (isLimit(result)) return 'limit';
  if (textMember(result, 'subtype') === resultRefused) return 'finished';
  const succeeded =
    result['is_error'] === false &&
    result['subtype'] === 'success' &&
    !textMember(result, 'result').startsWith(promptBlock);
  return stop === 'finished' && succeeded ? 'finished' : 'failed';
}

function structured(result: JsonObject | null): Json {
  return result?.['structured_output'] ?? null;
}

function isInit(value: JsonObject): boolean {
  return value['type'] === 'system' && value['subtype'] === 'init';
}

function eventsOf(value: JsonObject, { tools, limits }: Watch): readonly DriverEvent[] {
  switch (textMember(value, 'type')) {
    case 'assistant':
      return assistantEvents(value, tools);
    case 'user':
      return blocksOf(value).flatMap((block) => tools.answered(block));
    case 'system':
      return systemEvents(value, tools);
    case 'waiting':
    case 'answered':
      return askedEvents(value, tools);
    case 'rate_limit_event':
      return limits.told(value['rate_limit_info']);
    default:
      return [];
  }
}

function systemEvents(value: JsonObject, tools: ToolWatch): readonly DriverEvent[] {
  switch (textMember(value, 'subtype')) {
    case 'init': {
      const id = textMember(value, 'session_id');
      return id === '' ? [] : [{ type: 'conversation', id }];
    }
    case 'api_retry': {
      // A refused key ends the turn before the CLI asks again.
      const refused = signInEvents(value);
      return refused.length > 0 ? refused : [retryEvent(value)];
    }
    case 'permission_denied':
      return tools.denied(value);
    default:
      return [];
  }
}

/** What our client tells of questions and answers; the log is shared, so each member is looked at. */
function askedEvents(value: JsonObject, tools: ToolWatch): readonly DriverEvent[] {
  const event = askedEvent(value);
  if (event === null) return [];
  tools.noteAnswer(event);
  return [event];
}

function askedEvent(value: JsonObject): DriverEvent | null {
  if (value['type'] === 'waiting') {
    const request = permissionRequestOf(value['request']);
    return request === null ? null : { type: 'waiting', why: textMember(value, 'why'), request };
  }
  const request = requestNumberOf(value['request']);
  const answer = permissionAnswerOf(value['answer']);
  return request === null || answer === null ? null : { type: 'answered', request, answer };
}

/** What a subagent says is for the agent that asked it, and what the CLI says itself is no work; what they do counts. */
function assistantEvents(value: JsonObject, tools: ToolWatch): readonly DriverEvent[] {
  const silent = (value['parent_tool_use_id'] ?? null) !== null;
  const own = textMember(value['message'], 'model') === '<synthetic>';
  return blocksOf(value).flatMap((block): readonly DriverEvent[] => {
    if (block['type'] === 'tool_use') return tools.used(block);
    const text = block['type'] === 'text' ? textMember(block, 'text') : '';
    if (text === '' || silent) return [];
    return [own ? problem(text) : { type: 'text', text }];
  });
}

function resultEvents(
  value: JsonObject,
  { tools, limits }: Watch,
  owesStructured: boolean,
): readonly DriverEvent[] {
  const denials = value['permission_denials'];
  const events = Array.isArray(denials) ? denials.flatMap((denial) => tools.denied(denial)) : [];
  const failed = value['is_error'] === true || textMember(value, 'result').startsWith(promptBlock);
  if (failed) return [...events, ...limits.ofResult(value), ...signInEvents(value), problem(reasonOf(value))];
  const owes = owesStructured && structured(value) === null;
  return owes ? [...events, problem('it did not hand over the result that was asked for')] : events;
}

function reasonOf(value: JsonObject): string {
  const errors = value['errors'];
  const told = Array.isArray(errors) ? errors.filter((error) => typeof error === 'string').join('; ') : '';
  return textMember(value, 'result') || told || textMember(value, 'subtype');
}

function blocksOf(value: JsonObject): readonly JsonObject[] {
  const message = value['message'];
  const content = isObject(message) ? message['content'] : null;
  return Array.isArray(content) ? content.filter(isObject) : [];
}

function problem(message: string): DriverEvent {
  return { type: 'problem', message: oneLine(message, 1000) };
}
