import type { ComposeInput } from './compose-input.ts';
import { callLines } from './compose/executor-call.ts';
import { type AgentSnapshot, commandOfGate, type Flow, verifierOfGate } from './flow.ts';
import type { SessionSpec } from './turn.ts';

/** One setting, command or prompt that a person decides about, whole: what shows it to them cuts each member by itself. */
export interface Member {
  /** Where it stands: `workspace.setup[0]`, or the step of a flow. */
  readonly name: string;
  /** The words of a command or a list, each for itself. */
  readonly value: Word | readonly Word[];
}

export type Word = string | number | boolean | null;

/** Everything that a flow would do: its commands, where they run, and what it tells which agent. */
export function flowMembers(
  { steps }: Pick<Flow, 'steps'>,
  promptFiles: ReadonlyMap<string, string> = new Map(),
): readonly Member[] {
  return steps.flatMap(({ id, work, cwd, gates }) => [
    ...(work.kind === 'command'
      ? [{ name: id, value: work.argv }]
      : [{ name: `${id} (agent)`, value: work.agent }]),
    ...(cwd === '.' ? [] : [{ name: `${id} (cwd)`, value: cwd }]),
    ...[promptFiles.get(id) ?? []].flat().map((file) => ({ name: `${id} (prompt_file)`, value: file })),
    // Empty where the file of a prompt cannot be read.
    ...(work.kind === 'agent' && work.prompt !== '' ? [{ name: `${id} (prompt)`, value: work.prompt }] : []),
    ...gates.flatMap(commandOfGate).map((argv) => ({ name: `${id} (gate)`, value: argv })),
    ...gates.flatMap(verifierOfGate).map((agent) => ({ name: `${id} (verifier)`, value: agent })),
  ]);
}

type Told = Pick<AgentSnapshot, 'driver' | 'systemPrompt' | 'startsSessions' | 'role' | 'tools' | 'model'>;

/** What a run recorded of an agent when it was started: the run keeps it, whatever the agent's file says now. */
export function agentMembers(name: string, told: Told): readonly Member[] {
  return [
    { name: `${name} (driver)`, value: told.driver },
    ...(told.model === undefined ? [] : [{ name: `${name} (model)`, value: told.model }]),
    ...(told.role === undefined ? [] : [{ name: `${name} (role)`, value: told.role }]),
    ...(told.tools === undefined ? [] : [{ name: `${name} (tools)`, value: told.tools }]),
    ...(told.startsSessions === true ? [{ name: `${name} (allow)`, value: 'sessions' }] : []),
    { name: `${name} (prompt)`, value: told.systemPrompt },
  ];
}

/** What a session that was asked for would do. */
export function sessionMembers(
  spec: Told & Pick<SessionSpec, 'agent' | 'prompt' | 'workspace' | 'handoff'>,
): readonly Member[] {
  const { agent, prompt, workspace, handoff } = spec;
  return [
    { name: 'agent', value: agent },
    { name: 'cwd', value: workspace },
    ...(handoff.addDirs.length === 0 ? [] : [{ name: 'add_dir', value: handoff.addDirs }]),
    ...Object.entries(handoff.env ?? {}).map(([name, value]) => ({ name: `env.${name}`, value })),
    { name: 'prompt', value: prompt },
    ...agentMembers(agent, spec),
  ];
}

/** What a call of a layer would do. */
export function composeMembers(input: ComposeInput): readonly Member[] {
  const { cwd, context } = input;
  const texts = context.map(({ name, text }) => ({ name: `extra context ${name}`, value: text }));
  const place = cwd === '' ? [] : [{ name: 'cwd', value: cwd }];
  if (input.layer === 'primitive')
    return [
      ...place,
      { name: 'prompt', value: input.prompt },
      ...texts,
      ...agentMembers(`agent ${input.agent.name}`, input.agent),
    ];
  const calls = input.layer === 'executor' ? [input.call] : input.stages.map(({ call }) => call);
  const agents = calls.map(({ agent }) => agent);
  const known = new Map([...agents, ...Object.values(input.judges)].map((agent) => [agent.name, agent]));
  return [
    ...place,
    ...calls.map((call) => ({ name: 'prompt', value: callLines(call) })),
    ...texts,
    ...calls
      .flatMap(({ rules }) => rules.gates)
      .flatMap(commandOfGate)
      .map((argv) => ({ name: 'gate', value: argv })),
    ...[...known.values()].flatMap((agent) => agentMembers(`agent ${agent.name}`, agent)),
  ];
}
