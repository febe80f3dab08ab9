import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { repository } from './repository.ts';

export interface ProgramEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface StartedProgram {
  readonly child: ChildProcess;
  readonly ended: Promise<ProgramEnd>;
}

/** The built program (or an older one), as a person would call it, in its own folder and with a clean environment. */
export function startTutti(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  program = repository('bin/tutti.js'),
): StartedProgram {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const ended = new Promise<ProgramEnd>((resolve) => {
    child.once('close', (code, signal) => {
      resolve({ code, signal, stdout, stderr });
    });
  });
  return { child, ended };
}

export function tutti(folder: string, ...args: readonly string[]): Promise<ProgramEnd> {
  return startTutti(folder, args).ended;
}

/** Files by name; what is not text is written as YAML. */
export function writeProject(folder: string, files: Readonly<Record<string, string | object>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof content === 'string' ? content : stringify(content));
  }
}
