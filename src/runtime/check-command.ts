import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { endProcesses } from '../lib/process/end-processes.ts';
import { familyFinder } from '../lib/process/process-family.ts';
import { inheritedEnvironment } from './environment.ts';
import { joining } from './limits/enter.ts';
import { isGroupOfRun, openCommandGroup, removeGroups } from './limits/group.ts';
import { markerVariable } from './process-spec.ts';

export interface CheckCommand {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly parent: Readonly<Record<string, string | undefined>>;
  /** Further names that the configuration lets through. */
  readonly names: readonly string[];
  /** Added to its environment. */
  readonly extra?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

export interface CheckEnd {
  /** Null: a signal ended it, or it could not be started. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  /** The end of what it printed, both streams. */
  readonly output: string;
}

const tailBytes = 32 * 1024;
const variable = 'TUTTI_CHECK';
const graceMs = 2000;
const limitMs = 10_000;

/**
 * An acceptance command of somebody who waits for it. It belongs to the caller: the session that it is part of, and
 * the terminal that Ctrl-C is typed in. What it leaves running is ended with it.
 */
export async function runCheck(command: CheckCommand): Promise<CheckEnd> {
  const { argv, cwd, parent, names, extra = {}, timeoutMs } = command;
  const mark = randomBytes(8).toString('hex');
  const groups = openCommandGroup(`check:${mark}`);
  const [program, ...args] = joining(argv, groups);
  const session = parent[markerVariable];
  const env = {
    ...inheritedEnvironment({ parent, names }),
    ...extra,
    ...(session === undefined ? {} : { [markerVariable]: session }),
    [variable]: mark,
  };
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = Buffer.alloc(0);
  const take = (chunk: Buffer): void => {
    const all = Buffer.concat([output, chunk]);
    output = all.subarray(Math.max(0, all.length - tailBytes));
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const inGroup = isGroupOfRun(`check:${mark}`);
  const find = familyFinder({ variable, accepts: (value) => value === mark, inGroup, leader: null });
  const endAll = () => endProcesses({ find, recorder: null, graceMs, limitMs });
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    void endAll();
  }, timeoutMs);
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const { exitCode, signal } = await new Promise<Pick<CheckEnd, 'exitCode' | 'signal'>>((resolve) => {
    child.once('error', (error) => {
      take(Buffer.from(error.message));
      resolve({ exitCode: null, signal: null });
    });
    child.once('exit', (code, by) => resolve({ exitCode: code, signal: by }));
  });
  clearTimeout(timer);
  // What it left behind may hold its output open, and would be in the way of the next command.
  await endAll();
  if (child.pid !== undefined) {
    // A process without the mark may still hold the output open. Do not wait for it.
    const unheard = setTimeout(
      () => [child.stdout, child.stderr].forEach((stream) => stream.destroy()),
      graceMs,
    );
    await closed;
    clearTimeout(unheard);
  }
  removeGroups(groups);
  return { exitCode: timedOut ? null : exitCode, signal, timedOut, output: output.toString('utf8') };
}
