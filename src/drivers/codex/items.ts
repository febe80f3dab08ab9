import { amount } from '../../lib/amount.ts';
import { isObject, type Json, type JsonObject, textMember } from '../../lib/json.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { DriverEvent } from '../../model/driver.ts';

/** Said each time a model is used that this version does not know; it works all the same. */
const unknownModel = 'Model metadata for ';

/** What one item tells. `told` holds the tools that were told already: some begin and end, some only end. */
export function itemEvents(value: JsonObject, told: Set<string>): readonly DriverEvent[] {
  const item = value['item'];
  if (!isObject(item)) return [];
  const ended = value['type'] === 'item.completed';
  const used = toolOf(item);
  if (used !== null) return [...once(item, used, told), ...(ended ? endEvents(item, used) : [])];
  const text = textMember(item, 'text');
  const message = textMember(item, 'message');
  if (item['type'] === 'agent_message' && ended && text !== '') return [{ type: 'text', text }];
  if (item['type'] !== 'error' || message.startsWith(unknownModel)) return [];
  return [{ type: 'problem', message: oneLine(message, 1000) }];
}

type ToolEvent = Extract<DriverEvent, { type: 'tool' }>;

function toolOf(item: JsonObject): ToolEvent | null {
  const type = textMember(item, 'type');
  switch (type) {
    case 'command_execution':
      return tool(type, withoutShell(textMember(item, 'command')));
    case 'file_change':
      return tool(type, pathsOf(item['changes']).join(' '));
    case 'mcp_tool_call':
      return tool(`${textMember(item, 'server')}.${textMember(item, 'tool')}`, '');
    case 'web_search':
      return tool(type, textMember(item, 'query'));
    default:
      return null;
  }
}

/** A command or change that began, by the id of its item; null for what is no tool. */
export function describeTool(value: JsonObject): { readonly id: string; readonly words: string } | null {
  const item = value['item'];
  const used = isObject(item) ? toolOf(item) : null;
  return used === null ? null : { id: textMember(item, 'id'), words: `${used.name} ${used.target}`.trim() };
}

function tool(name: string, target: string): ToolEvent {
  return { type: 'tool', name, target: oneLine(target) };
}

/** Every command runs in a login shell, which says nothing about it. */
function withoutShell(command: string): string {
  return command.replace(/^\S*sh -l?c /, '');
}

function once(item: JsonObject, event: ToolEvent, told: Set<string>): readonly DriverEvent[] {
  const id = textMember(item, 'id');
  if (told.has(id)) return [];
  told.add(id);
  return [event];
}

function endEvents(item: JsonObject, { name, target }: ToolEvent): readonly DriverEvent[] {
  const status = textMember(item, 'status');
  if (status === 'declined')
    return [{ type: 'denied', tool: name, target, reason: 'it was declined', call: true }];
  if (status === 'failed') return [{ type: 'tool-failed', name, target, reason: reasonOf(item) }];
  const paths = pathsOf(item['changes']);
  return status !== 'completed' || paths.length === 0 ? [] : [{ type: 'files', paths }];
}

function pathsOf(changes: Json | undefined): readonly string[] {
  return Array.isArray(changes) ? changes.map((change) => textMember(change, 'path')) : [];
}

/** Empty: the CLI does not tell. */
function reasonOf(item: JsonObject): string {
  const code = amount(item['exit_code']);
  return code === null ? '' : `exit code ${code}`;
}
