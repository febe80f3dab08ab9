import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, constants, openSync, readlinkSync } from 'node:fs';
import { constants as system } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { isWithin } from '../../lib/path-below.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import {
  type Confinement,
  confinedVariable,
  type RelayAnswer,
  type RelayedCommand,
  relayedVariables,
} from '../../model/command-relay.ts';
import type { OutputStream } from './answers.ts';

/** The one program that a relay starts, and for whom. */
export interface RelayProgram {
  /** Tutti itself; the words of the request follow. */
  readonly argv: readonly [string, ...string[]];
  /** The environment of the session, as its launcher made it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Its places are real paths. */
  readonly confinement: Confinement;
}

export interface CarriedCommand {
  readonly ended: Promise<RelayAnswer>;
  kill(signal: NodeJS.Signals): void;
}

/** A process that the command left behind may hold its output open; the command itself has ended. */
const drainMs = 1000;

/** Starts the command. Who calls is decided by what this process inherits, never by the request. */
export function carryOut(
  { argv, cwd, env, stdin }: RelayedCommand,
  { argv: [program, ...first], env: own, confinement }: RelayProgram,
  onOutput: (stream: OutputStream, bytes: Buffer) => void,
): Result<CarriedCommand, string> {
  const folder = openFolder(cwd, confinement.places);
  if (!folder.ok) return folder;
  try {
    const child = spawn(program, [...first, ...argv], {
      // The folder that was looked at, whatever its path leads to by now. The child has the descriptor until it is the program.
      cwd: `/proc/self/fd/${folder.value}`,
      env: { ...withoutRelayed(own), ...env, [confinedVariable]: JSON.stringify(confinement) },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stdout.on('data', (bytes: Buffer) => {
      onOutput('out', bytes);
    });
    child.stderr.on('data', (bytes: Buffer) => {
      onOutput('err', bytes);
    });
    // It may end without reading.
    child.stdin.on('error', () => undefined);
    child.stdin.end(stdin ?? '');
    return ok({
      ended: endOf(child),
      kill: (signal) => {
        child.kill(signal);
      },
    });
  } catch (error) {
    return err(`it could not be started: ${String(error)}`);
  } finally {
    closeSync(folder.value);
  }
}

/** A descriptor, because an agent could put a link in the place of a path that was checked. */
function openFolder(cwd: string, places: readonly string[]): Result<number, string> {
  const { O_RDONLY, O_DIRECTORY, O_NONBLOCK } = constants;
  let descriptor: number;
  try {
    descriptor = openSync(cwd, O_RDONLY | O_DIRECTORY | O_NONBLOCK);
  } catch {
    return err(`outside the sandbox there is no folder ${cwd.slice(0, 200)}: call tutti in the workspace`);
  }
  const real = readlinkSync(`/proc/self/fd/${descriptor}`);
  if (places.some((place) => isWithin(place, real))) return ok(descriptor);
  closeSync(descriptor);
  return err(`the folder ${cwd.slice(0, 200)} is none of this session's: call tutti in the workspace`);
}

function withoutRelayed(env: RelayProgram['env']): RelayProgram['env'] {
  const relayed: readonly string[] = relayedVariables;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !relayed.includes(name)));
}

async function endOf(child: ChildProcess): Promise<RelayAnswer> {
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const answer = await new Promise<RelayAnswer>((resolve) => {
    child.once('error', (error) => resolve({ refused: `it could not be started: ${error.message}` }));
    child.once('exit', (code, signal) => {
      resolve({ exitCode: code ?? 128 + (signal === null ? 0 : system.signals[signal]) });
    });
  });
  await Promise.race([closed, pause(drainMs, undefined, { ref: false })]);
  child.stdout?.destroy();
  child.stderr?.destroy();
  return answer;
}
