import { spawn } from 'node:child_process';
import { constants, openSync, realpathSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, parsed } from '../../lib/json.ts';
import { packageFile, programFile } from '../../lib/package-files.ts';
import {
  answersVariable,
  checkConfinement,
  checkRequest,
  type Confinement,
  requestsFolder,
} from '../../model/command-relay.ts';
import type { ProcessSpec } from '../process-spec.ts';
import type { RelayProgram } from './carry-out.ts';
import { Relay } from './relay.ts';

/** What a relay is told: whose it is, and what that session may name. */
export interface RelayPlace extends Confinement {
  readonly session: string;
  readonly sessionDir: string;
  readonly answers: string;
}

/** A sandboxed program below its relay, which lives as long as the program does. */
export function withRelay(argv: ProcessSpec['argv'], place: RelayPlace): ProcessSpec['argv'] {
  return [process.execPath, programFile('relay-program'), JSON.stringify(place), ...argv];
}

const parentPollMs = 500;
const signals = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const;

/**
 * The parent of a sandbox: starts it, carries out what is asked from inside, and ends as it ended. `ended`: called with the
 * session's folder as soon as no process is left inside.
 */
export async function runInRelay(
  told: string,
  [program = '', ...args]: readonly string[],
  env: RelayProgram['env'],
  ended: (sessionDir: string) => void,
): Promise<void> {
  // Whoever ends the session signals everybody in it. The sandbox dies with this process, so this one must not be first.
  for (const signal of signals) process.on(signal, () => undefined);
  const { session, sessionDir, answers, project, places } = readPlace(told);
  const relay = new Relay({
    session,
    sessionDir,
    requests: pinFolder(join(sessionDir, requestsFolder)),
    answers: pinFolder(answers),
    check: checkRequest,
    program: {
      argv: [process.execPath, packageFile('tutti')],
      env,
      confinement: { project, places: places.map((place) => realpathSync(place)) },
    },
  });
  const child = spawn(program, args, {
    stdio: 'inherit',
    env: { ...env, [answersVariable]: answers },
  });
  const parent = process.ppid;
  // A sandbox dies with its parent; now that the relay is the parent, the relay sees to that.
  const orphaned = setInterval(() => {
    if (process.ppid !== parent) child.kill('SIGKILL');
  }, parentPollMs);
  const end = await new Promise<number | NodeJS.Signals>((resolve) => {
    child.once('error', () => {
      resolve(127);
    });
    child.once('exit', (code, signal) => {
      resolve(signal ?? code ?? 1);
    });
  });
  clearInterval(orphaned);
  ended(sessionDir);
  await relay[Symbol.asyncDispose]();
  removeEmpty(answers);
  endAs(end);
}

/** A path that leads to this folder for as long as this process lives, whatever an agent moves and links meanwhile. */
function pinFolder(path: string): string {
  return `/proc/self/fd/${openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)}`;
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // A later session removes it.
  }
}

/** Its launcher records how the sandbox ended, not how the relay did. */
function endAs(end: number | NodeJS.Signals): void {
  if (typeof end === 'number') process.exit(end);
  for (const signal of signals) process.removeAllListeners(signal);
  process.kill(process.pid, end);
}

function readPlace(text: string): RelayPlace {
  const value = parsed(text);
  const confinement = checkConfinement(value);
  if (isObject(value) && confinement !== null) {
    const { session, sessionDir, answers } = value;
    if (typeof session === 'string' && typeof sessionDir === 'string' && typeof answers === 'string') {
      return { ...confinement, session, sessionDir, answers };
    }
  }
  throw new Error('a relay is started by Tutti only');
}
