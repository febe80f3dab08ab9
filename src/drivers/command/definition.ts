import type { AgentDriver, InteractivePlan, TurnPlace } from '../../model/driver.ts';
import type { SessionSpec } from '../../model/turn.ts';
import { type DriverDefinition, obeysNobody, unknownProgram } from '../driver-definition.ts';
import { promptText } from '../prompt-text.ts';
import { missingProgram } from './capabilities.ts';
import { type CommandConfig, planCommand, programPath } from './launch.ts';
import { commandReader } from './parse.ts';

export function defineCommand(config: CommandConfig): DriverDefinition {
  const { command, interactive, input } = config;
  return {
    ...unknownProgram,
    program: { kind: 'program', obeysTools: false },
    commands: [command, interactive ?? []],
    agent: (name, { projectDir, searchPath }): AgentDriver => ({
      name,
      steering: input === 'stream' ? 'input' : 'none',
      resumes: false,
      tellsTools: false,
      ...obeysNobody,
      missing: () => missingProgram(config, projectDir, searchPath),
      plan: (spec, place) => planCommand(config, spec, place),
      interactive: (spec, place) => planInterface(config, spec, place),
      reader: commandReader,
    }),
    interfaceProblem: (name) =>
      interactive === undefined
        ? `driver ${name} has no interactive interface: name one with "interactive" in tutti.yaml, or leave out --interactive`
        : null,
  };
}

/** A program that has no flag for who it is gets that as the beginning of the prompt, as on its input. */
function planInterface(
  { interactive }: CommandConfig,
  spec: SessionSpec,
  place: TurnPlace,
): InteractivePlan | null {
  if (interactive === undefined) return null;
  const [program, ...rest] = interactive;
  return { argv: [programPath(program, place.projectDir), ...rest], env: {}, prompt: promptText(spec) };
}
