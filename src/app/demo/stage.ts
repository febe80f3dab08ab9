import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { oneLine } from '../../lib/terminal-text.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { startProgram, type RunningProgram } from '../../runtime/program.ts';
import { runGit } from '../../workspace/git.ts';
import { refusal, type Refusal } from '../refusal.ts';
import { pathsOf } from '../project.ts';
import { makeState } from '../trust/state-mark.ts';
import { trustWritten } from '../trust/trust.ts';
import type { Environment } from '../opened-project.ts';
import { writeDemoProject } from './project.ts';

const limitMs = 120_000;

export interface StageParams {
  readonly folder: string;
  readonly env: Environment;
  /** bin/tutti.js. */
  readonly program: string;
}

export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** The folder of the demo, and the programs that are started there as a person would. */
export class Stage {
  readonly folder: string;
  readonly env: Environment;
  readonly #program: string;
  #started = 0;

  constructor({ folder, env, program }: StageParams) {
    this.folder = folder;
    // The criteria of the tasks say `node`: the one that runs here, wherever it is.
    this.env = { ...env, PATH: `${dirname(process.execPath)}:${env['PATH'] ?? ''}` };
    this.#program = program;
  }

  start(...args: readonly string[]): Promise<RunningProgram> {
    return this.#start([process.execPath, this.#program, ...args], this.log);
  }

  /** To its end, with what it printed. */
  async tutti(...args: readonly string[]): Promise<Ended> {
    return this.#toEnd([process.execPath, this.#program, ...args]);
  }

  async node(...args: readonly string[]): Promise<Ended> {
    return this.#toEnd([process.execPath, ...args]);
  }

  get log(): string {
    return join(this.folder, '.tutti', 'demo.log');
  }

  /** Looks again and again, and tells what it sees, until it happened; false: it did not in time. */
  async until(tell: () => Promise<void>, happened: () => Promise<boolean>, ms = limitMs): Promise<boolean> {
    const end = Date.now() + ms;
    for (;;) {
      await tell();
      if (await happened()) return true;
      if (Date.now() > end) return false;
      await new Promise((wake) => {
        setTimeout(wake, 40);
      });
    }
  }

  stuck(): Result<never, Refusal> {
    return err(refusal('TIMEOUT', 'the demo did not get on', `look at ${this.log}`));
  }

  async #toEnd(argv: readonly [string, ...string[]]): Promise<Ended> {
    this.#started += 1;
    const log = join(this.folder, '.tutti', `demo-${this.#started}.log`);
    const { exited } = await this.#start(argv, log);
    return { code: await exited, output: readFileSync(log, 'utf8') };
  }

  #start(argv: readonly [string, ...string[]], logFile: string): Promise<RunningProgram> {
    return startProgram({ argv, cwd: this.folder, env: this.env, logFile, life: 'with-us' });
  }
}

const identity = ['-c', 'user.name=tutti', '-c', 'user.email=tutti@localhost', '-c', 'commit.gpgsign=false'];

/** A repository with a specification and nothing else, as somebody would begin. */
export async function prepareFolder(folder: string, env: Environment): Promise<Result<null, Refusal>> {
  mkdirSync(folder, { recursive: true });
  if (readdirSync(folder).length > 0) {
    return err(refusal('USAGE', `${folder} is not empty`, 'choose another: tutti demo --keep NEW-FOLDER'));
  }
  const written = writeDemoProject(folder);
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    [...identity, 'commit', '-qm', 'Specification'],
  ]) {
    const end = await runGit(folder, args);
    if (end.exitCode === 0) continue;
    const message = `git could not ${args[0] ?? ''}: ${oneLine(end.stderr)}`;
    return err(refusal('UNAVAILABLE', message, 'check that git works there: git --version, df -h'));
  }
  // The first log of the demo is written before its project is opened.
  makeState(pathsOf(folder), env);
  const trusted = trustWritten(folder, env, written);
  return trusted.ok ? ok(null) : trusted;
}
