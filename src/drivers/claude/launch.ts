import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentAddress } from '../../lib/digest.ts';
import type { DriverConfig, PermissionMode } from '../../model/config.ts';
import type { InteractivePlan, LaunchPlan, TurnPlace } from '../../model/driver.ts';
import { beginsLikeCommand } from '../../model/typed-text.ts';
import type { SessionSpec } from '../../model/turn.ts';
import { programPath } from '../command/launch.ts';
import { hookSettings } from './settings.ts';

export type ClaudeConfig = Extract<DriverConfig, { type: 'claude' }>;

/** One turn: the prompt on the input, one JSON object a line on the output. */
export function planClaude(config: ClaudeConfig, spec: SessionSpec, place: TurnPlace): LaunchPlan {
  const output = ['-p', '--output-format', 'stream-json', '--verbose'];
  return {
    argv: [programOf(config, place), ...output, ...commonFlags(config, spec, place, 'dontAsk')],
    env: {},
    stdin: spec.prompt,
    launcher: 'shell',
  };
}

/** Its own interface. A person is there, so what is not allowed is asked. */
export function interactiveClaude(
  config: ClaudeConfig,
  spec: SessionSpec,
  place: TurnPlace,
): InteractivePlan {
  const flags = commonFlags(config, spec, place, 'default');
  return {
    argv: [programOf(config, place), '--settings', hookSettings(), ...flags],
    env: {},
    // It runs a text that begins with `!` in a shell, and one with `/` as a command: seen with a pasted prompt.
    prompt: beginsLikeCommand(spec.prompt) ? `Your task:\n\n${spec.prompt}` : spec.prompt,
  };
}

/** `./claude` is the project's; a bare name is left to PATH. */
function programOf({ program }: ClaudeConfig, { projectDir }: TurnPlace): string {
  return programPath(program, projectDir);
}

function commonFlags(
  config: ClaudeConfig,
  spec: SessionSpec,
  place: TurnPlace,
  mode: PermissionMode,
): readonly string[] {
  const model = config.models[spec.tier];
  const tools = config.allowedTools;
  // The session's own folder is among them: that is where the result goes.
  const folders = [...spec.handoff.addDirs, place.sessionDir];
  return [
    '--permission-mode',
    config.permissionMode ?? mode,
    ...(tools.length === 0 ? [] : ['--allowedTools', tools.join(',')]),
    ...(model === undefined ? [] : ['--model', model]),
    ...systemPrompt(spec, place),
    ...folders.flatMap((folder) => ['--add-dir', folder]),
    ...conversation(spec, place),
  ];
}

/** In a file: an argument may not be long, and everybody can read it. */
function systemPrompt(spec: SessionSpec, { sessionDir }: TurnPlace): readonly string[] {
  if (spec.systemPrompt === '') return [];
  const file = join(sessionDir, 'system.md');
  writeFileSync(file, spec.systemPrompt, { mode: 0o600 });
  return ['--append-system-prompt-file', file];
}

/** Its id is ours, so that a later session finds the conversation again; a fork leaves the earlier one as it was. */
function conversation(spec: SessionSpec, place: TurnPlace): readonly string[] {
  const own = ['--session-id', conversationId(place.projectDir, place.sessionId)];
  if (spec.continues === null) return own;
  return ['--resume', conversationId(place.projectDir, spec.continues), '--fork-session', ...own];
}

/** The CLI wants a UUID, and refuses one that it has seen: two projects may have sessions of the same name. */
export function conversationId(projectDir: string, sessionId: string): string {
  const hex = contentAddress(`${projectDir}\n${sessionId}`);
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`];
  return [...parts, hex.slice(20, 32)].join('-');
}
