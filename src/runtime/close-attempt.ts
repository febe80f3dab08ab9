import { spawnSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { isMachineTrouble } from '../lib/machine-trouble.ts';
import { currentProcess } from '../lib/process/identity.ts';
import type { Ending } from '../model/driver.ts';
import { announceEnding, fileOf, markTail, readEnding, recordEnd, startRecordedAt } from './attempt-files.ts';
import type { RelaySpec } from './session-relay-spec.ts';
import { waitingShell } from './launch-script.ts';
import { removeSessionGroup } from './limits/group.ts';
import { markerVariable } from './process-spec.ts';
import type { RecordedEnd } from './recorded-end.ts';
import { hasState, shellCode, writeTerminal } from './session-state.ts';

/** Why a launcher that is a Node process ends its session: told to everybody, and remembered where the disk cannot take it. */
export class AnnouncedEnding {
  readonly #dir: string;
  #first: ReturnType<typeof readEnding> | null = null;

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** The first reason stays. */
  announce(ended: Ending, reason: string): void {
    this.#first ??= { ended, reason };
    try {
      announceEnding(this.#dir, ended, reason);
    } catch (error) {
      // The end itself needs no disk.
      if (!isMachineTrouble(error)) throw error;
    }
  }

  /** Of this launcher, or of another process that ended the session. */
  read(): ReturnType<typeof readEnding> {
    const told = readEnding(this.#dir);
    // A file without a reason is one that met a full disk.
    return told.reason === '' ? (this.#first ?? told) : told;
  }
}

type Closed = Pick<RelaySpec, 'marker' | 'searchPath' | 'limits'>;

/**
 * The last thing that a launcher which is a Node process does: records the end, and tells it. Where the disk cannot take the
 * end, the process becomes the shell launcher that waits for space: one program waits, whatever started the agent.
 */
export async function closeAttempt(dir: string, spec: Closed, end: RecordedEnd): Promise<void> {
  try {
    recordEnd(dir, end);
  } catch (error) {
    if (!isMachineTrouble(error)) throw error;
    await becomeWaiting(dir, spec, end);
    return;
  }
  writeTerminal(dir, end);
  if (hasState(dir)) removeSessionGroup(dir, spec.marker);
}

const retryMs = 1000;

async function becomeWaiting(
  dir: string,
  { marker, searchPath, limits }: Closed,
  end: RecordedEnd,
): Promise<void> {
  const { startTime, bootId } = currentProcess();
  const shell = waitingShell({
    place: fileOf(dir, ''),
    marker,
    tail: markTail(bootId, marker),
    startTime,
    sessionSince: hasState(dir) ? new Date(startRecordedAt(dir) ?? Date.now()).toISOString() : null,
    groups: limits.groups,
    end: { ...end, exitCode: shellCode(end) },
  });
  const [program, ...args] = shell.argv;
  // A process that fails to become another is gone, and the end with it.
  while (spawnSync(program, ['-c', ':']).status !== 0) await pause(retryMs);
  const path = [searchPath, '/usr/bin:/bin'].filter((part) => part !== '').join(':');
  const env = { PATH: path, [markerVariable]: marker, ...shell.env };
  process.execve?.(program, [program, ...args], env);
  // Node before 22.15: this process stays too. Its own environment does not tell the end, which is known once it is recorded.
  spawnSync(program, args, { env, stdio: 'ignore' });
}
