import { spawn } from 'node:child_process';
import { programForPerson } from '../rig/program.ts';
import { trustProject } from '../rig/trust.ts';
import type { AgentLedProject } from './project.ts';

export interface CalledEnd {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The built program in a process of its own, as an agent in a shell calls it. */
export function call(
  project: Pick<AgentLedProject, 'path' | 'home'>,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CalledEnd> {
  const variables = { PATH: process.env['PATH'], HOME: project.home, ...env };
  trustProject(project.path, variables);
  const child = spawn(process.execPath, [programForPerson(words), ...words], {
    cwd: project.path,
    env: variables,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  return new Promise((resolve) => {
    child.once('close', (code) => {
      resolve({ code, out, err });
    });
  });
}
