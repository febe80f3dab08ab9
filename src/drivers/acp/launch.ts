import { join } from 'node:path';
import { replaceFile } from '../../lib/atomic-file.ts';
import { programFile } from '../../lib/package-files.ts';
import type { AcpDriver, AcpPreset, AcpSpec } from '../../model/acp.ts';
import type { LaunchPlan, OwnReading, TurnPlace } from '../../model/driver.ts';
import { type Restraint, repositoryClis } from '../../model/trust.ts';
import type { SessionSpec } from '../../model/turn.ts';
import { ownFolders, turnTools } from '../../model/turn-tools.ts';
import { beginsLikeCommand } from '../../model/typed-text.ts';
import { programPath } from '../command/launch.ts';
import { promptText } from '../prompt-text.ts';
import { cliBehind } from '../known-clis.ts';
import { modelFor } from '../turn-model.ts';
import { writePlaces } from '../write-places.ts';
import { presets } from './presets.ts';
import { askedRules, turnRules } from './turn-rules.ts';

/** The agent needs somebody to talk with: our client is the process, and the agent is its child. */
export function planAcp(config: AcpDriver, spec: SessionSpec, place: TurnPlace): LaunchPlan {
  const file = join(place.sessionDir, 'acp.json');
  // In a file for its owner: prompts are long, and everybody can read arguments.
  replaceFile(file, JSON.stringify(acpSpec(config, spec, place)));
  const { agent } = config;
  return {
    argv: [process.execPath, programFile('acp-client'), file],
    env: 'preset' in agent ? presetEnv(agent.preset, config, spec, place) : {},
    stdin: '',
    launcher: 'host',
  };
}

function presetEnv(
  name: AcpPreset,
  config: AcpDriver,
  spec: SessionSpec,
  place: TurnPlace,
): Readonly<Record<string, string>> {
  const { env, trust } = presets[name];
  return {
    ...env(askedRules(config, spec), besides(spec, place)),
    ...trust?.[place.trust.trusted ? 'trusted' : 'untrusted'],
  };
}

function acpSpec(config: AcpDriver, spec: SessionSpec, place: TurnPlace): AcpSpec {
  const { systemPrompt, prompt, whole = prompt, workspace, conversation } = spec;
  const model = modelFor(cliBehind(config), config.models, spec) ?? null;
  const folders = besides(spec, place);
  const { argv, told } = agentOf(config, place.projectDir, model, folders);
  return {
    argv,
    workspace,
    offersFiles: 'command' in config.agent || presets[config.agent.preset].files,
    folders: [workspace, ...folders],
    resultFile: place.contract.by === 'file' ? place.contract.path : join(place.sessionDir, 'result.json'),
    prompt: systemPrompt === '' ? asTask(whole) : promptText({ systemPrompt, prompt: whole }),
    nextPrompt: asTask(prompt),
    conversation,
    mode: config.mode ?? null,
    model: told ? null : model,
    rules: turnRules(config, spec),
    writable: writePlaces(spec, place.sessionDir),
    commands: turnTools(spec).writes === 'plan' ? 'planning' : 'any',
    tellsTokens: usageOf(config) === 'tokens',
    quietMs: config.quietMs,
    complaint: 'preset' in config.agent ? presets[config.agent.preset].complaint : null,
  };
}

/** Folders besides the workspace; that of the session is among them, because the result goes there. */
function besides(spec: SessionSpec, { sessionDir }: TurnPlace): readonly string[] {
  return [...spec.handoff.addDirs, ...ownFolders(spec, sessionDir)];
}

/** What it tells about spending: an agent that is not known is believed. */
export function usageOf({ agent }: AcpDriver): 'cost' | 'tokens' {
  return 'preset' in agent ? presets[agent.preset].tellsUsage : 'tokens';
}

/** What it finds by itself in the folder it works in: of one that is not known, nothing is known. */
export function readingOf({ agent }: AcpDriver): OwnReading {
  return 'preset' in agent ? presets[agent.preset].reads : { instructions: 'none', skills: [] };
}

/** What a person does when its model refuses the key: of an agent that is not known, nothing is known. */
export function signInOf({ agent }: AcpDriver): { readonly signInAdvice?: string } {
  return 'preset' in agent ? { signInAdvice: presets[agent.preset].signInAdvice } : {};
}

/** An agent that is not known may take settings from anybody's files. */
export function restraintOf({ agent }: AcpDriver, projectDir: string): Restraint {
  if ('command' in agent) return { obeys: repositoryClis, restrains: false };
  const { obeys, trust, program } = presets[agent.preset];
  if (trust === null) return { obeys: [obeys], restrains: false };
  const named = programPath(agent.program ?? program, projectDir);
  return { obeys: [obeys], restrains: true, restrainedSince: { program: named, version: trust.since } };
}

/** The agent's program and arguments, and whether they tell it the model. */
function agentOf(
  { agent }: AcpDriver,
  projectDir: string,
  model: string | null,
  folders: readonly string[],
): { readonly argv: AcpSpec['argv']; readonly told: boolean } {
  if ('command' in agent) {
    const [program, ...args] = agent.command;
    return { argv: [programPath(program, projectDir), ...args], told: false };
  }
  const { program, args, modelFlag, folderFlag } = presets[agent.preset];
  const flags = modelFlag === null || model === null ? [] : [modelFlag, model];
  const more = folderFlag === null ? [] : folders.flatMap((folder) => [folderFlag, folder]);
  const named = programPath(agent.program ?? program, projectDir);
  return { argv: [named, ...args, ...flags, ...more], told: modelFlag !== null };
}

/** Agents take a text that begins like one of their commands for that command. */
function asTask(prompt: string): string {
  const isCommand = beginsLikeCommand(prompt) || prompt.trimStart().startsWith('$');
  return isCommand ? `Your task:\n\n${prompt}` : prompt;
}
