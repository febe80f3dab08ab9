import { findProgram, isRunnable } from '../../lib/find-program.ts';
import type { AcpDriver } from '../../model/acp.ts';
import { programPath } from '../command/launch.ts';
import { presets } from './presets.ts';

/** Null when the agent's program is there and may be run; otherwise one sentence. */
export function missingAcpAgent({ agent }: AcpDriver, projectDir: string, searchPath: string): string | null {
  const preset = 'preset' in agent ? presets[agent.preset] : null;
  const named = 'preset' in agent ? (agent.program ?? presets[agent.preset].program) : agent.command[0];
  const program = programPath(named, projectDir);
  const found = program.includes('/') ? isRunnable(program) : findProgram(program, searchPath) !== null;
  if (found) return null;
  const install = preset === null ? 'install it' : preset.install;
  return `the program ${program} is not there or may not be run: ${install}, or name another one in tutti.yaml`;
}
