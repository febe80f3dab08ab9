import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { repository } from '../rig/repository.ts';
import { runId } from './flow.ts';

/** How one process of Tutti ended, as a person saw it. */
export interface Life {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Disturbance {
  /** A program that runs it and disturbs it. */
  readonly below?: readonly string[];
  /** A bug to put into it. */
  readonly planted?: string;
}

/** A fault may not make a process hang. Generous, because a loaded machine is slow and no fault. */
const longestMs = 120_000;
/** Descendants may keep the pipes open after the process has ended. */
const lastWordsMs = 2_000;

/** Runs `tutti COMMAND…` in a project, below a program that disturbs it if one is given. */
export function live(
  folder: string,
  command: readonly string[],
  { below = [], planted = '' }: Disturbance = {},
): Promise<Life> {
  const argv = [...below, process.execPath, repository('test/faults/victim.ts'), ...command];
  const [program = '', ...args] = argv;
  const env = { PATH: process.env['PATH'], HOME: folder, NO_COLOR: '1', PLANTED: planted };
  const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const told = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      told[name] += chunk;
    });
  }
  // Killing strace lets go of the process below it, so both are ended; what outlives them belongs to nobody.
  const tooLong = setTimeout(() => {
    process.kill(-(child.pid ?? 0), 'SIGKILL');
  }, longestMs);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    const end = (code: number | null): void => {
      clearTimeout(tooLong);
      resolve({ code, ...told });
    };
    // The end of a process can be seen before its last words, and one of these is the sentence that must be there.
    child.once('close', end);
    child.once('exit', (code) => setTimeout(end, lastWordsMs, code));
  });
}

export const start = ['run', 'flow.yaml', '--run-id', runId] as const;
export const resume = ['resume', runId] as const;

/** The database with everything that SQLite keeps beside it. */
export function databaseFiles(folder: string): readonly string[] {
  const database = join(folder, '.tutti', 'tutti.db');
  return [database, `${database}-wal`, `${database}-shm`, `${database}-journal`];
}

/** What a life that met a fault must not look like; null when it is fine. */
export function complaint({ code, stdout, stderr }: Life, folder: string): string | null {
  const told = `${stdout}\n${stderr}`;
  if (/^\s+at .+:\d+|^Node\.js v|unhandled/im.test(told)) return `a stack trace:\n${told}`;
  if (code === 0) return null;
  const sentences = stderr.split('\n').filter((line) => line.startsWith('tutti: '));
  if (code === null || sentences.length !== 1)
    return `exit code ${code ?? 'none'} and not one sentence:\n${told}`;
  const [sentence = ''] = sentences;
  // What is printed has no path: it may be a pipe.
  const isOfOutput = sentence.startsWith('tutti: standard output cannot be written: ');
  // Nor does what is known of other processes lie in the project.
  const isOfProcess = /'\/proc\/\w+\/\w+'/.test(sentence);
  return isOfOutput || isOfProcess || sentence.includes(folder)
    ? null
    : `a sentence that names no path: ${sentence}`;
}
