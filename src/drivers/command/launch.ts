import { isAbsolute, join } from 'node:path';
import type { DriverConfig } from '../../model/config.ts';
import type { LaunchPlan, TurnPlace } from '../../model/driver.ts';
import type { SessionSpec } from '../../model/turn.ts';
import { promptText } from '../prompt-text.ts';

export type CommandConfig = Extract<DriverConfig, { type: 'command' }>;

export function planCommand(config: CommandConfig, spec: SessionSpec, place: TurnPlace): LaunchPlan {
  const [program, ...rest] = config.command;
  const prompt = promptText(spec);
  const stream = config.input === 'stream';
  return {
    argv: [programPath(program, place.projectDir), ...rest],
    env: {},
    // Further messages are lines: the first of them must not become a part of the prompt's last one.
    stdin: stream && !prompt.endsWith('\n') ? `${prompt}\n` : prompt,
    launcher: stream ? 'host' : 'shell',
  };
}

/** `./agent.sh` is the project's, wherever the step works; a bare name is left to PATH. */
export function programPath(program: string, projectDir: string): string {
  return program.includes('/') && !isAbsolute(program) ? join(projectDir, program) : program;
}
