import { isObject, type Json, type JsonObject } from '../../lib/json.ts';
import { readText } from '../../lib/read-text.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { parseJson } from '../../model/schemas/json-text.ts';

const maxBytes = 1024 * 1024;

/** Which of its hooks tells what. Each runs beside the person's and the project's own; what tools may do is theirs. */
const hooks: readonly { readonly hook: string; readonly matcher?: string; readonly event: string }[] = [
  // Not after a compaction, which happens in the middle of a turn.
  { hook: 'SessionStart', matcher: 'startup|resume|clear', event: 'ready' },
  { hook: 'UserPromptSubmit', event: 'submitted' },
  { hook: 'PermissionRequest', event: 'waiting' },
  { hook: 'Notification', matcher: 'permission_prompt|elicitation_dialog', event: 'waiting' },
  { hook: 'Notification', matcher: 'idle_prompt', event: 'ready' },
  { hook: 'PostToolUse', event: 'working' },
  { hook: 'PostToolUseFailure', event: 'working' },
  { hook: 'Stop', event: 'turn-done' },
  { hook: 'StopFailure', event: 'turn-done' },
  { hook: 'SessionEnd', event: 'ended' },
];

/**
 * For `--settings`, which adds to the settings of the person and the project. The commands are constant text: where things
 * are comes in the environment, so that no path is ever read by a shell. No hook is named that the CLI may not know: it
 * would ask about the mistake before it starts. The flag counts once, so what the operator names comes in here.
 */
export function hookSettings(file?: string): string {
  const read = file === undefined ? ok({}) : readSettings(file);
  if (!read.ok) throw new Error(read.error);
  const own: JsonObject = read.value;
  const groups: Record<string, Json[]> = {};
  for (const [hook, group] of Object.entries(isObject(own['hooks']) ? own['hooks'] : {})) {
    groups[hook] = Array.isArray(group) ? [...group] : [];
  }
  for (const { hook, matcher, event } of hooks) {
    const command = { type: 'command', command: `"$TUTTI_NODE" "$TUTTI_HOOK" ${event}`, timeout: 20 };
    (groups[hook] ??= []).push({ ...(matcher === undefined ? {} : { matcher }), hooks: [command] });
  }
  return JSON.stringify({ ...own, hooks: groups });
}

/** A file that the operator names; a sentence where it cannot be read. */
export function readSettings(file: string): Result<JsonObject, string> {
  const text = readText(file, { maxBytes, links: 'follow' });
  if (!text.ok) return err(`${file} ${text.error.message}`);
  const json = parseJson(text.value);
  if (!json.ok) return err(`${file} is not JSON: ${json.error}`);
  return isObject(json.value) ? ok(json.value) : err(`${file} is not a JSON object`);
}
