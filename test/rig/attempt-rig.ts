import { existsSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { hangLimitMs } from './hang-limit.ts';
import { familyFinder } from '../../src/lib/process/process-family.ts';
import { isGroupOfAttempt } from '../../src/runtime/limits/group.ts';
import { markerVariable, type ProcessSpec } from '../../src/runtime/process-spec.ts';

/** For tests: real attempts in a folder, and the certainty that none of them left a process behind. */
export class AttemptRig {
  readonly #folder: string;
  readonly #specs: ProcessSpec[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  spec(argv: readonly [string, ...string[]], more: Partial<ProcessSpec> = {}): ProcessSpec {
    const name = `a${this.#specs.length}`;
    const dir = join(this.#folder, name);
    mkdirSync(dir, { mode: 0o700 });
    const spec: ProcessSpec = {
      dir,
      marker: `${basename(this.#folder)}#${name}#1`,
      argv,
      cwd: dir,
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', RIG: dir },
      stdinFile: null,
      logFile: join(dir, 'output.log'),
      timeoutMs: null,
      launcher: 'shell',
      limits: null,
      session: null,
      ...more,
    };
    this.#specs.push(spec);
    return spec;
  }

  /** Pids that still carry a marker of this rig. */
  left(): readonly number[] {
    const marks = new Set(this.#specs.map(({ marker }) => marker));
    const groups = [...marks].map((mark) => isGroupOfAttempt(mark));
    // One look for all of them: a rig may have hundreds.
    const find = familyFinder({
      variable: markerVariable,
      accepts: (value) => marks.has(value),
      inGroup: (name) => groups.some((isOne) => isOne(name)),
      leader: null,
    });
    return find().map(({ pid }) => pid);
  }

  /** A process that is still there fails the test, and does not trouble the next one. */
  async close(): Promise<void> {
    try {
      // A launcher that has recorded the end is about to end itself.
      await until('nobody is left behind', () => this.left().length === 0, 60_000);
    } finally {
      for (const pid of this.left()) process.kill(pid, 'SIGKILL');
    }
  }
}

/** Waits for what is sure to come; a test that waits in vain fails with the name of what did not happen. */
export async function until(
  what: string,
  happened: () => boolean | Promise<boolean>,
  limitMs = hangLimitMs,
): Promise<void> {
  for (const endAt = performance.now() + limitMs; !(await happened()); ) {
    if (performance.now() > endAt) throw new Error(`did not happen: ${what}`);
    await pause(10);
  }
}

export async function untilExists(...path: readonly string[]): Promise<void> {
  const file = join(...path);
  await until(file, () => existsSync(file));
}
