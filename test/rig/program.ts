import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { decisions } from '../../src/app/people/decisions.ts';
import { delayedPersonVariable, installedTutti } from './installed-tutti.ts';
import { repository } from './repository.ts';
import { trustProject } from './trust.ts';

/**
 * These decide only about a run that rests by a person, which tests hardly ever have where `resume` is not the word, or about
 * files that were edited while Tutti plans, where `plan edit` is the word.
 */
const seldom: ReadonlySet<string> = new Set(
  [...decisions.resume.commands, ...decisions.edit.commands].filter(
    (command) => command !== 'resume' && command !== 'plan edit',
  ),
);

/** Commands that take part in a decision when they are given these words. */
const deciding = new Set(
  Object.values(decisions).flatMap(({ commands }) =>
    commands.flatMap((command) => (seldom.has(command) ? [] : [command.split(' ').at(-1)])),
  ),
);

/** The program composed for a person. */
export const personProgram = process.env[delayedPersonVariable] ?? repository('test/rig/tutti-for-person.ts');

/**
 * The file that a test starts to play a person: the built program, or for a decision the one that is composed for a
 * person, so that the test passes below an agent's tool too. That one is not built, and slower to start.
 */
export function programForPerson(args: readonly string[]): string {
  // Nearly every run is named, and hardly one gets another ceiling by that.
  const decides = args.some((word) => word !== '--run-id' && deciding.has(word));
  return decides ? personProgram : installedTutti();
}

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

/** The program (or an older one), as a person calls it, in its own folder and with a clean environment. */
export function startTutti(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  program?: string,
): StartedProgram {
  const variables = { PATH: process.env['PATH'], HOME: folder, ...env };
  // The first release asks for no trust.
  if (program === undefined) trustProject(folder, variables);
  const child = spawn(process.execPath, [program ?? programForPerson(args), ...args], {
    cwd: folder,
    env: variables,
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
