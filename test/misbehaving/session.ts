import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { logLines } from '../../src/app/host/log-file.ts';
import { assembleTurn } from '../../src/drivers/assemble-turn.ts';
import { commandReader } from '../../src/drivers/command/parse.ts';
import { readResult } from '../../src/drivers/result.ts';
import { identify, type ProcessIdentity } from '../../src/lib/process/identity.ts';
import { system } from '../../src/lib/process/system.ts';
import type { TurnOutcome } from '../../src/model/turn.ts';
import { launch } from '../../src/runtime/launcher.ts';
import type { ProcessSpec } from '../../src/runtime/process-spec.ts';
import type { RecordedEnd } from '../../src/runtime/recorded-end.ts';
import { type AttemptRig, until } from '../rig/attempt-rig.ts';
import { type Child, usualLimits } from './children.ts';

/** A misbehaving child as a session, and a way to see what it left that shares nothing with how Tutti finds it. */
export class MisbehavingSession {
  readonly spec: ProcessSpec;
  readonly #ended: Promise<RecordedEnd | 'lost'>;

  constructor(rig: AttemptRig, child: Child, launcher: ProcessSpec['launcher']) {
    const plain = rig.spec(['sh', '-c', child.program, 'tutti-agent'], {
      launcher,
      limits: { ...usualLimits, ...child.limits },
      timeoutMs: 60_000,
      session: { session_id: 's' },
    });
    this.spec = { ...plain, env: { ...plain.env, WITNESS: plain.dir, NODE: process.execPath } };
    this.#ended = launch(this.spec);
  }

  async ready(): Promise<void> {
    await until(`${this.spec.dir} is ready`, () => existsSync(join(this.spec.dir, 'ready')));
  }

  async ended(): Promise<RecordedEnd> {
    const end = await this.#ended;
    if (end === 'lost') throw new Error('it was lost');
    return end;
  }

  state(): Readonly<Record<string, unknown>> {
    return JSON.parse(this.read('state.json')) as Record<string, unknown>;
  }

  read(file: string): string {
    return existsSync(join(this.spec.dir, file)) ? readFileSync(join(this.spec.dir, file), 'utf8') : '';
  }

  turn(end: RecordedEnd): TurnOutcome {
    return assembleTurn({
      spec: { agent: 'a', driver: 'd', timeoutMs: 60_000 },
      sessionId: 's',
      end,
      lines: logLines(this.spec.logFile),
      reader: commandReader(),
      result: readResult(join(this.spec.dir, 'result.json'), 'required'),
    });
  }

  /** Living processes of its own, by a variable that Tutti does not know and by the numbers they gave. */
  survivors(): readonly number[] {
    return survivorsOf(this.spec.dir);
  }
}

export function survivorsOf(dir: string): readonly number[] {
  const pids = join(dir, 'pids');
  const named = existsSync(pids) ? readFileSync(pids, 'utf8').split('\n').map(Number) : [];
  const marked = system().withVariable('WITNESS', (value) => value === dir);
  return [...new Set([...named, ...marked])].filter((pid) => pid > 0 && identify(pid) !== null);
}

/** A process of somebody else, with the same name and a mark that begins alike. */
export async function startBystander(marker: string): Promise<Bystander> {
  const child = spawn('sh', ['-c', 'while :; do sleep 0.5; done', 'tutti-agent'], {
    stdio: 'ignore',
    detached: true,
    env: { PATH: '/usr/bin:/bin', TUTTI_ATTEMPT_ID: `${marker}0` },
  });
  const pid = child.pid ?? 0;
  await until('the bystander runs', () => identify(pid) !== null);
  const identity = identify(pid);
  return {
    identity,
    isUnharmed: () => JSON.stringify(identify(pid)) === JSON.stringify(identity),
    end: () => {
      if (identify(pid) !== null) process.kill(-pid, 'SIGKILL');
    },
  };
}

export interface Bystander {
  readonly identity: ProcessIdentity | null;
  isUnharmed(): boolean;
  end(): void;
}
