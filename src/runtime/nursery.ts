import { type ChildProcess, spawn } from 'node:child_process';
import { recorded } from '../lib/json.ts';
import { programFile } from '../lib/package-files.ts';
import { removeGroup } from '../lib/process/cgroup.ts';
import {
  type CommandGroup,
  noCommandGroup,
  openCommandGroup,
  openOwnGroup,
  scopeOf,
} from './limits/group.ts';
import type { Report } from './nursery-program.ts';
import { startAndWait, type StartRequest } from './start-detached.ts';

/** A few starts are cheaper from here than a process more; a run of hundreds is not. */
const fromHere = 16;
const idleMs = 10_000;

/** A command that is to be started. */
interface Command {
  readonly marker: string;
  /** The place of its files. */
  readonly dir: string;
  readonly timeoutMs: number | null;
  /** How it is started, by the group that it has to join by itself. */
  readonly request: (group: CommandGroup) => StartRequest;
}

/**
 * Starts the commands of a run in a control group of theirs, and from a small helper inside it once there are many of them.
 * Each has its own group below, so that its end finds what left its session, its parents and its environment. Only one of
 * many without a deadline has none: there, moving it would cost more than the command.
 */
class Nursery {
  readonly #groups: readonly string[];
  readonly #waiting = new Map<number, (problem: string | null) => void>();
  #helper: ChildProcess | null = null;
  #idle: NodeJS.Timeout | null = null;
  #count = 0;
  /** Groups of commands that have ended. */
  #ended: readonly string[] = [];

  constructor(scope: string) {
    this.#groups = openCommandGroup(scope);
  }

  async run({ marker, dir, timeoutMs, request }: Command): Promise<string | null> {
    this.#count += 1;
    const isOneOfMany = this.#count > fromHere;
    // One for each call: only one of several in the same place starts, and the others' ends must not take its group away.
    const group =
      isOneOfMany && timeoutMs === null
        ? noCommandGroup
        : openOwnGroup(this.#groups, marker, `${dir}#${this.#count}`);
    try {
      return await (isOneOfMany ? this.#delegate(this.#count, request(group)) : startAndWait(request(group)));
    } finally {
      if (group.name !== noCommandGroup.name) this.#remove(group);
    }
  }

  /** The kernel keeps a group for a moment after its last member, and as long as it has one: it is tried again later. */
  #remove({ dirs }: CommandGroup): void {
    this.#ended = [...this.#ended, ...dirs].filter((dir) => !removeGroup(dir));
  }

  #delegate(id: number, request: StartRequest): Promise<string | null> {
    this.#helper ??= this.#open();
    const helper = this.#helper;
    if (this.#idle !== null) clearTimeout(this.#idle);
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      helper.channel?.ref();
      helper.send({ id, request }, (error) => {
        // It is gone. Whether it had started this one is written in the attempt's own files.
        if (error !== null) this.#done(id, null);
      });
    });
  }

  #open(): ChildProcess {
    // In a session of its own, so that Ctrl-C reaches us alone; with no environment, so that no run's mark is on it.
    const helper = spawn(process.execPath, [programFile('nursery-program'), ...this.#groups], {
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: {},
    });
    helper.unref();
    helper.channel?.unref();
    helper.on('message', (message) => {
      const { id, problem } = recorded<Report>(message);
      this.#done(id, problem);
    });
    const lost = () => {
      if (this.#helper !== helper) return;
      this.#helper = null;
      for (const id of this.#waiting.keys()) this.#done(id, null);
    };
    helper.once('exit', lost);
    helper.once('error', lost);
    return helper;
  }

  #done(id: number, problem: string | null): void {
    const resolve = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#rest();
    resolve?.(problem);
  }

  /** A run that starts nothing for a while, or has ended, needs no helper. */
  #rest(): void {
    const helper = this.#helper;
    helper?.channel?.unref();
    this.#idle = setTimeout(() => {
      this.#helper = null;
      if (helper?.connected === true) helper.disconnect();
    }, idleMs).unref();
  }
}

const nurseries = new Map<string, Nursery>();

/** For the commands of the run that this attempt is of. */
export function nurseryOf(marker: string): Nursery {
  const scope = scopeOf(marker);
  const known = nurseries.get(scope) ?? new Nursery(scope);
  nurseries.set(scope, known);
  return known;
}
