import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { askPastGone } from '../../../src/kernel/past-gone.ts';
import { markOf } from '../../../src/app/host/attempt-folder.ts';
import type { Tutti } from '../../../src/app/tutti.ts';
import { currentProcess, isAlive, type ProcessIdentity } from '../../../src/lib/process/identity.ts';
import type { Holder } from '../../../src/model/holder.ts';
import type { Fence } from '../../../src/model/ports/store.ts';
import { declareStarted } from '../../../src/runtime/attempt-files.ts';
import { cli, type CliEnd } from '../../cli/rig.ts';
import { writeProject } from '../../rig/program.ts';
import { tempFolder } from '../../rig/temp-folder.ts';
import { openTutti, trustProject } from '../../rig/trust.ts';

/** Whether the process that advances a run lives, died, or never was. */
export const holderStates = ['alive', 'dead', 'none'] as const;
export type HolderState = (typeof holderStates)[number];

/** No system gives this number to a process that starts now: it is above what the tests' machines count to. */
export const deadPid = 4_194_399;
const longLeaseMs = 1e9;

/** A project of the matrix: real database, real files of launchers, real processes; this one plays those that live. */
export class MatrixProject implements Disposable {
  readonly path: string;
  readonly tutti: Tutti;
  readonly #folder = tempFolder();
  readonly #env: Readonly<Record<string, string>>;
  readonly #watch: DatabaseSync;

  constructor() {
    this.path = realpathSync(this.#folder.path);
    const driver = { type: 'command', command: ['true'] };
    writeProject(this.path, {
      'tutti.yaml': { driver: 'mine', drivers: { mine: driver }, max_sessions: 900 },
      'target/README.md': '# Target\n',
    });
    this.#env = { PATH: process.env['PATH'] ?? '', HOME: this.path, USER: 'ada' };
    const opened = openTutti({ folder: this.path, env: this.#env, create: true });
    if (!opened.ok) throw new Error(opened.error.message);
    this.tutti = opened.value;
    this.#watch = new DatabaseSync(join(this.path, '.tutti', 'tutti.db'), { readOnly: true });
  }

  /** The living process that advances runs. */
  get pid(): number {
    return process.pid;
  }

  /** Runs a command as a person; `leaves`: their reader leaves at once, so that nothing is followed. */
  cli(leaves: boolean, ...args: readonly string[]): Promise<CliEnd> {
    return cli({ folder: this.path, env: this.#env, trusts: false, isClosed: () => leaves }, ...args);
  }

  /** Counts what other connections than this one have written. */
  version(): number {
    return Number(this.#watch.prepare('pragma data_version').get()?.['data_version']);
  }

  /** Everything that was written for the cells counts, as if its author had trusted it. */
  trust(): void {
    trustProject(this.path, this.#env);
  }

  /** Claims a run for the process that will hold it in the end; `none` is released by `leave`. */
  async claim(runId: string, holder: HolderState): Promise<Fence> {
    const facts = { me: this.holder(holder), monotonic: this.tutti.clock.monotonic() };
    const claim = await askPastGone(isAlive, (gone) =>
      this.tutti.store.claim(runId, { ...facts, gone }, longLeaseMs),
    );
    if (claim.at !== 'claimed') throw new Error(`${runId}: ${claim.at}`);
    return { runId, epoch: claim.image.run.epoch };
  }

  async leave(fence: Fence, holder: HolderState): Promise<void> {
    if (holder === 'none') await this.tutti.store.release(fence);
  }

  holder(holder: HolderState): Holder {
    const me = { ...currentProcess(), id: `matrix-${holder}` };
    return holder === 'dead' ? { ...me, ...dead() } : me;
  }

  /** The launcher of a session declares itself; `dead`: it vanished since. */
  async launch(sessionId: string, launcher: 'alive' | 'dead'): Promise<string> {
    const { paths, queries } = this.tutti;
    const dir = paths.session(sessionId);
    const session = await queries.sessions.one(sessionId);
    if (session === null) throw new Error(`there is no session ${sessionId}`);
    mkdirSync(dir, { recursive: true });
    declareStarted(dir, launcher === 'alive' ? currentProcess() : dead(), markOf({ paths }, session));
    writeFileSync(join(dir, 'output.log'), '');
    return dir;
  }

  [Symbol.dispose](): void {
    this.#watch.close();
    this.tutti[Symbol.dispose]();
    this.#folder[Symbol.dispose]();
  }
}

function dead(): ProcessIdentity {
  return { ...currentProcess(), pid: deadPid, startTime: '1' };
}
