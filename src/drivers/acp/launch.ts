import { join } from 'node:path';
import { replaceFile } from '../../lib/atomic-file.ts';
import { programFile } from '../../lib/package-files.ts';
import type { AcpSpec } from '../../model/acp.ts';
import type { LaunchPlan, TurnPlace } from '../../model/driver.ts';
import type { SessionSpec } from '../../model/turn.ts';
import { ownFolders, turnTools } from '../../model/turn-tools.ts';
import { beginsLikeCommand } from '../../model/typed-text.ts';
import { programPath } from '../command/launch.ts';
import { promptText } from '../prompt-text.ts';
import { modelFor } from '../turn-model.ts';
import { writePlaces } from '../write-places.ts';
import type { Preset } from './preset.ts';
import type { AcpSetup } from './setup.ts';
import { askedRules, turnRules } from './turn-rules.ts';

/** The agent needs somebody to talk with: our client is the process, and the agent is its child. */
export function planAcp(setup: AcpSetup, spec: SessionSpec, place: TurnPlace): LaunchPlan {
  const file = join(place.sessionDir, 'acp.json');
  // In a file for its owner: prompts are long, and everybody can read arguments.
  replaceFile(file, JSON.stringify(acpSpec(setup, spec, place)));
  writePolicy(setup, spec, place);
  return {
    argv: [process.execPath, programFile('acp-client'), file],
    env: presetEnv(setup, spec, place),
    stdin: '',
    launcher: 'host',
  };
}

function writePolicy(setup: AcpSetup, spec: SessionSpec, { sessionDir }: TurnPlace): void {
  const policy = policyOf(setup);
  if (policy !== null) replaceFile(join(sessionDir, policy.file), policy.write(askedRules(setup, spec)));
}

function policyOf({ agent }: AcpSetup): Preset['policy'] {
  return 'command' in agent ? null : agent.preset.policy;
}

function presetEnv(setup: AcpSetup, spec: SessionSpec, place: TurnPlace): Readonly<Record<string, string>> {
  if ('command' in setup.agent) return {};
  const { env, trust } = setup.agent.preset;
  return {
    ...env(askedRules(setup, spec), besides(spec, place)),
    ...trust?.[place.trust.trusted ? 'trusted' : 'untrusted'],
  };
}

function acpSpec(setup: AcpSetup, spec: SessionSpec, place: TurnPlace): AcpSpec {
  const { agent } = setup;
  const { systemPrompt, prompt, whole = prompt, workspace, conversation } = spec;
  const model = modelFor('command' in agent ? null : agent.cli, setup.models, spec) ?? null;
  const folders = besides(spec, place);
  const { argv, told } = agentOf(setup, place, model, folders);
  return {
    argv,
    workspace,
    offersFiles: 'command' in agent || agent.preset.files,
    folders: [workspace, ...folders],
    resultFile: place.contract.by === 'file' ? place.contract.path : join(place.sessionDir, 'result.json'),
    prompt: systemPrompt === '' ? asTask(whole) : promptText({ systemPrompt, prompt: whole }),
    nextPrompt: asTask(prompt),
    conversation,
    mode: setup.mode ?? null,
    model: told ? null : model,
    rules: turnRules(setup, spec),
    writable: writePlaces(spec, place.sessionDir),
    commands: turnTools(spec).writes === 'plan' ? 'planning' : 'any',
    tellsTokens: tellsUsage(setup) === 'tokens',
    quietMs: setup.quietMs,
    complaint: 'command' in agent ? null : agent.preset.complaint,
  };
}

/** Folders besides the workspace; that of the session is among them, because the result goes there. */
function besides(spec: SessionSpec, { sessionDir }: TurnPlace): readonly string[] {
  return [...spec.handoff.addDirs, ...ownFolders(spec, sessionDir)];
}

/** What it tells about spending: an agent that is not known is believed. */
export function tellsUsage({ agent }: AcpSetup): 'cost' | 'tokens' {
  return 'command' in agent ? 'tokens' : agent.preset.tellsUsage;
}

/** The agent's program and arguments, and whether they tell it the model. */
function agentOf(
  setup: AcpSetup,
  { projectDir, sessionDir }: TurnPlace,
  model: string | null,
  folders: readonly string[],
): { readonly argv: AcpSpec['argv']; readonly told: boolean } {
  const { agent } = setup;
  if ('command' in agent) {
    const [program, ...args] = agent.command;
    return { argv: [programPath(program, projectDir), ...args], told: false };
  }
  const { args, modelFlag, folderFlag } = agent.preset;
  const flags = modelFlag === null || model === null ? [] : [modelFlag, model];
  const more = folderFlag === null ? [] : folders.flatMap((folder) => [folderFlag, folder]);
  const policy = policyOf(setup);
  const rules = policy === null ? [] : [policy.flag, join(sessionDir, policy.file)];
  const named = programPath(agent.program, projectDir);
  return { argv: [named, ...args, ...flags, ...more, ...rules], told: modelFlag !== null };
}

/** Agents take a text that begins like one of their commands for that command. */
function asTask(prompt: string): string {
  const isCommand = beginsLikeCommand(prompt) || prompt.trimStart().startsWith('$');
  return isCommand ? `Your task:\n\n${prompt}` : prompt;
}
