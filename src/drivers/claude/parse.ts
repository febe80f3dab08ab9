import { isObject, type Json, type JsonObject, textMember } from '../../lib/json.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { DriverEvent, DriverReader, ProcessEnd } from '../../model/driver.ts';
import { parseJson } from '../../model/schemas/json-text.ts';
import type { StopReason } from '../../model/turn.ts';
import { unknownUsage } from '../../model/usage.ts';
import { stopReasonOf } from '../stop-reason.ts';
import { amount, usageAfter } from './usage.ts';

const tooMany = 429;
const hookBlock = /^(?:<tool_use_error>)?\s*(?:Error: )?(PreToolUse:\S+) hook error:? ?([\s\S]*)/;
const promptBlock = 'UserPromptSubmit operation blocked by hook';

/** Reads `stream-json`. Types that are not known are left alone: each version of the CLI adds some. */
export function claudeReader(): DriverReader {
  let result: JsonObject | null = null;
  let usage = unknownUsage;
  return {
    line: (line) => {
      const json = line.startsWith('{') ? parseJson(line) : null;
      // Standard error shares the log: it is the only place where wrong flags and the like are told.
      if (json?.ok !== true || !isObject(json.value)) return line.trim() === '' ? [] : [problem(line)];
      if (json.value['type'] !== 'result') return eventsOf(json.value);
      // A process may tell several; the last one counts.
      result = json.value;
      usage = usageAfter(usage, result);
      return [{ type: 'usage', usage }, ...resultEvents(result)];
    },
    stop: (end) => stopOf(end, result),
  };
}

/** Exit code 0 alone proves nothing: an interrupted run and a failed one may end with it too. */
function stopOf(end: ProcessEnd, result: JsonObject | null): StopReason {
  const stop = stopReasonOf(end);
  if (stop !== 'finished' && stop !== 'failed') return stop;
  if (result?.['api_error_status'] === tooMany) return 'limit';
  const succeeded =
    result !== null &&
    result['is_error'] === false &&
    result['subtype'] === 'success' &&
    !textMember(result, 'result').startsWith(promptBlock);
  return stop === 'finished' && succeeded ? 'finished' : 'failed';
}

function eventsOf(value: JsonObject): readonly DriverEvent[] {
  switch (textMember(value, 'type')) {
    case 'assistant':
      return assistantEvents(value);
    case 'user':
      return blocksOf(value).flatMap(refusedTool);
    case 'system':
      return value['subtype'] === 'api_retry' ? [retryEvent(value)] : [];
    case 'rate_limit_event':
      return limitEvents(value['rate_limit_info']);
    default:
      return [];
  }
}

/** What a subagent says is for the agent that asked it, and what the CLI says itself is no work; what they do counts. */
function assistantEvents(value: JsonObject): readonly DriverEvent[] {
  const silent = (value['parent_tool_use_id'] ?? null) !== null;
  const own = textMember(value['message'], 'model') === '<synthetic>';
  return blocksOf(value).flatMap((block): readonly DriverEvent[] => {
    if (block['type'] === 'tool_use') {
      return [{ type: 'tool', name: textMember(block, 'name'), target: targetOf(block['input']) }];
    }
    const text = block['type'] === 'text' ? textMember(block, 'text') : '';
    if (text === '' || silent) return [];
    return [own ? problem(text) : { type: 'text', text }];
  });
}

/** The member that tells a person what the tool is used on. */
function targetOf(input: Json | undefined): string {
  const names = ['file_path', 'path', 'command', 'pattern', 'url', 'query', 'description'];
  return oneLine(names.map((name) => textMember(input, name)).find((text) => text !== '') ?? '');
}

function refusedTool(block: JsonObject): readonly DriverEvent[] {
  if (block['type'] !== 'tool_result' || block['is_error'] !== true) return [];
  const { content } = block;
  const text =
    typeof content === 'string' ? content : textMember(Array.isArray(content) ? content[0] : null, 'text');
  const [, hook, why = ''] = hookBlock.exec(text) ?? [];
  if (hook === undefined) return [];
  return [{ type: 'blocked', tool: hook.replace('PreToolUse:', ''), reason: oneLine(why, 1000) }];
}

function retryEvent(value: JsonObject): DriverEvent {
  const status = amount(value['error_status']);
  if (status === tooMany) return { type: 'limit', resetAt: null };
  const [attempt, most] = [amount(value['attempt']), amount(value['max_retries'])];
  return problem(`the model answered ${status ?? 'nothing'}; attempt ${attempt ?? '?'} of ${most ?? '?'}`);
}

function limitEvents(info: Json | undefined): readonly DriverEvent[] {
  if (!isObject(info) || info['status'] !== 'rejected') return [];
  const seconds = info['resetsAt'];
  return [{ type: 'limit', resetAt: typeof seconds === 'number' ? seconds * 1000 : null }];
}

function resultEvents(value: JsonObject): readonly DriverEvent[] {
  const failed = value['is_error'] === true || textMember(value, 'result').startsWith(promptBlock);
  return [...denials(value['permission_denials']), ...(failed ? [problem(reasonOf(value))] : [])];
}

function denials(value: Json | undefined): readonly DriverEvent[] {
  const tools = Array.isArray(value) ? value.map((denial) => textMember(denial, 'tool_name')) : [];
  return tools.length === 0 ? [] : [problem(`it was not allowed to use ${[...new Set(tools)].join(', ')}`)];
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
