import { isAbsolute, join } from 'node:path';
import type { DriverConfig } from '../../model/config.ts';
import type { LaunchPlan, TurnPlace } from '../../model/driver.ts';
import type { SessionSpec } from '../../model/turn.ts';
import { promptText } from '../prompt-text.ts';

export type CommandConfig = Extract<DriverConfig, { type: 'command' }>;

export function planCommand(config: CommandConfig, spec: SessionSpec, place: TurnPlace): LaunchPlan {
  const [program, ...rest] = config.command;
  return {
    argv: [programPath(program, place.projectDir), ...rest],
    env: {},
    stdin: promptText(spec),
    launcher: config.input === 'stream' ? 'host' : 'shell',
  };
}

/** `./agent.sh` is the project's, wherever the step works; a bare name is left to PATH. */
export function programPath(program: string, projectDir: string): string {
  return program.includes('/') && !isAbsolute(program) ? join(projectDir, program) : program;
}
