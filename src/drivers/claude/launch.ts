import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { contentAddress } from '../../lib/digest.ts';
import { programFile } from '../../lib/package-files.ts';
import type { ClaudeDriver, PermissionMode } from '../../model/claude.ts';
import type { InteractivePlan, LaunchPlan, TurnPlace } from '../../model/driver.ts';
import { beginsLikeCommand } from '../../model/typed-text.ts';
import type { SessionSpec } from '../../model/turn.ts';
import { ownFolders } from '../../model/turn-tools.ts';
import { programPath } from '../command/launch.ts';
import { promptText } from '../prompt-text.ts';
import { modelFor } from '../turn-model.ts';
import { claudeCli } from './cli.ts';
import { hookSettings } from './settings.ts';
import { interactiveToolFlags, modeFor, toolFlags } from './turn-tools.ts';

/** One turn: the prompt on the input, one JSON object a line on the output. */
export function planClaude(config: ClaudeDriver, spec: SessionSpec, place: TurnPlace): LaunchPlan {
  const output = ['-p', '--output-format', 'stream-json', '--verbose'];
  const tools = toolFlags(config, spec, place.sessionDir);
  const mode = config.asks === true ? 'default' : 'dontAsk';
  const flags = [...turnFlags(config, place), ...commonFlags(config, spec, place, mode), ...tools];
  const argv = [programOf(config, place), ...output, ...flags] as const;
  if (config.asks === true) return planAsking(argv, spec, place);
  return { argv: [...argv], env, stdin: saidPrompt(spec, place), launcher: 'shell' };
}

/** A task in the background would outlive the answer that a turn is judged by. */
const env = { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1' };

/** A CLI that asks needs a process that hears it: our client holds its pipes, and the CLI is its child. */
function planAsking(
  [program, ...args]: readonly [string, ...string[]],
  spec: SessionSpec,
  place: TurnPlace,
): LaunchPlan {
  // In a file: what is said first may be long, and everybody can read arguments.
  const file = join(place.sessionDir, 'said.md');
  writeFileSync(file, saidPrompt(spec, place), { mode: 0o600 });
  const asking = ['--input-format', 'stream-json', '--permission-prompt-tool', 'stdio'];
  return {
    argv: [process.execPath, programFile('claude-client'), file, program, ...args, ...asking],
    env,
    stdin: '',
    launcher: 'host',
  };
}

/** Its own interface. A person is there, so what is not allowed is asked. */
export function interactiveClaude(
  config: ClaudeDriver,
  spec: SessionSpec,
  place: TurnPlace,
): InteractivePlan {
  const tools = interactiveToolFlags(config, spec, place.contract);
  const flags = [...commonFlags(config, spec, place, 'default'), ...tools];
  const settings = hookSettings(fileOf(config.settings, place));
  const prompt = saidPrompt(spec, place);
  return {
    argv: [programOf(config, place), '--settings', settings, ...flags],
    env: {},
    // It runs a text that begins with `!` in a shell, and one with `/` as a command: seen with a pasted prompt.
    prompt: beginsLikeCommand(prompt) ? `Your task:\n\n${prompt}` : prompt,
  };
}

/** `./claude` is the project's; a bare name is left to PATH. */
function programOf({ program }: ClaudeDriver, { projectDir }: TurnPlace): string {
  return programPath(program, projectDir);
}

/** A file that the configuration names is the project's as well. */
function fileOf(path: string | undefined, { projectDir }: TurnPlace): string | undefined {
  return path === undefined ? undefined : resolve(projectDir, path);
}

/** What only a turn without a terminal can be held to. */
function turnFlags(config: ClaudeDriver, place: TurnPlace): readonly string[] {
  const { contract } = place;
  return [
    ...flag('--max-turns', config.maxTurns),
    ...flag('--max-budget-usd', config.maxBudgetUsd),
    ...flag('--json-schema', contract.by === 'file' ? undefined : JSON.stringify(contract.schema)),
    ...flag('--settings', fileOf(config.settings, place)),
  ];
}

function flag(name: string, value: string | number | undefined): readonly string[] {
  return value === undefined ? [] : [name, String(value)];
}

/** What the CLI calls them. */
const modes: Readonly<Record<PermissionMode, string>> = {
  default: 'default',
  acceptEdits: 'acceptEdits',
  dontAsk: 'dontAsk',
  plan: 'plan',
  bypass: 'bypassPermissions',
};

function commonFlags(
  config: ClaudeDriver,
  spec: SessionSpec,
  place: TurnPlace,
  mode: PermissionMode,
): readonly string[] {
  const servers = fileOf(config.mcpConfig, place);
  // The session's own folder is among them, and the one that the result goes to.
  const folders = [...spec.handoff.addDirs, ...ownFolders(spec, place.sessionDir)];
  return [
    '--permission-mode',
    modes[modeFor(config, spec) ?? mode],
    ...flag('--model', modelFor(claudeCli, config.models, spec)),
    ...(servers === undefined ? [] : ['--mcp-config', servers]),
    ...(servers === undefined && place.trust.trusted ? [] : ['--strict-mcp-config']),
    // Without a terminal it asks nobody whether the repository is trusted; with one, it asked about this folder only.
    ...(place.trust.trusted ? [] : ['--setting-sources', 'user']),
    ...systemPrompt(spec, place),
    ...folders.flatMap((folder) => ['--add-dir', folder]),
    ...conversation(spec, place),
  ];
}

/** A conversation that goes on keeps the instructions it began with, whatever flags say: new ones are said in the prompt. */
function saidPrompt(spec: SessionSpec, { sessionDir }: TurnPlace): string {
  const { continues, systemPrompt: now, prompt } = spec;
  if (continues === null || now === '') return prompt;
  const before = textOf(join(dirname(sessionDir), continues, systemFile));
  return before === now ? prompt : `From now on these are your instructions.\n\n${promptText(spec)}`;
}

/** Null where it cannot be known any more. */
function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

const systemFile = 'system.md';

/** In a file: an argument may not be long, and everybody can read it. */
function systemPrompt(spec: SessionSpec, { sessionDir }: TurnPlace): readonly string[] {
  if (spec.systemPrompt === '') return [];
  const file = join(sessionDir, systemFile);
  writeFileSync(file, spec.systemPrompt, { mode: 0o600 });
  return ['--append-system-prompt-file', file];
}

/** Its id is ours, so that a later session finds the conversation again; a fork leaves the earlier one as it was. */
function conversation(spec: SessionSpec, place: TurnPlace): readonly string[] {
  const own = ['--session-id', conversationId(place.projectDir, place.sessionId)];
  if (spec.continues === null) return own;
  // It tells the id that it was given; a session whose output tells none was given this one all the same.
  const earlier = spec.conversation ?? conversationId(place.projectDir, spec.continues);
  return ['--resume', earlier, '--fork-session', ...own];
}

/** The CLI wants a UUID, and refuses one that it has seen: two projects may have sessions of the same name. */
export function conversationId(projectDir: string, sessionId: string): string {
  const hex = contentAddress(`${projectDir}\n${sessionId}`);
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`];
  return [...parts, hex.slice(20, 32)].join('-');
}
