import { isObject, type Json, type JsonObject, textMember } from '../lib/json.ts';
import type { HookEvent } from './hook.ts';

const form = /^PreToolUse:(\S+) hook error:? ?([\s\S]*)/;

/**
 * What hooks refused while one prompt was answered, from the CLI's own record of the conversation: of these the CLI tells
 * nobody. Null for a line that is none.
 */
export function blockIn(line: string, promptId: string): Extract<HookEvent, { event: 'blocked' }> | null {
  if (!line.includes('hook error')) return null;
  const entry = objectOf(line);
  if (entry === null || entry['promptId'] !== promptId) return null;
  const { message } = entry;
  const blocks = isObject(message) ? message['content'] : null;
  const result = Array.isArray(blocks) ? blocks.find(isRefusal) : undefined;
  const [, tool, reason = ''] = form.exec(textMember(result, 'content')) ?? [];
  if (tool === undefined) return null;
  return { event: 'blocked', tool, reason: reason.trim(), id: textMember(result, 'tool_use_id') };
}

function isRefusal(block: Json): boolean {
  return isObject(block) && block['type'] === 'tool_result' && block['is_error'] === true;
}

function objectOf(line: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
