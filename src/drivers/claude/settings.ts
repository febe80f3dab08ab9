import type { Json } from '../../lib/json.ts';

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
 * would ask about the mistake before it starts.
 */
export function hookSettings(): string {
  const groups: Record<string, Json[]> = {};
  for (const { hook, matcher, event } of hooks) {
    const command = { type: 'command', command: `"$TUTTI_NODE" "$TUTTI_HOOK" ${event}`, timeout: 20 };
    (groups[hook] ??= []).push({ ...(matcher === undefined ? {} : { matcher }), hooks: [command] });
  }
  return JSON.stringify({ hooks: groups });
}
