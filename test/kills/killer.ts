import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { identify, isAlive } from '../../src/lib/process/identity.ts';
import { system } from '../../src/lib/process/system.ts';
import { readStart } from '../../src/runtime/attempt-files.ts';
import { lines } from '../e2e/project.ts';
import { hangLimitMs } from '../rig/hang-limit.ts';
import type { ProgramEnd, StartedProgram } from '../rig/program.ts';
import type { Random } from '../simulation/random.ts';
import type { Evidence } from './judge.ts';

/** A project whose commands are killed. Every process that it starts has its home. */
export interface KillableProject {
  readonly path: string;
  readonly home: string;
  start(...args: readonly string[]): StartedProgram;
}

/** How long each command takes when no process kills it, as this machine is now: it only spreads the moments. */
export type Pace = Map<string, number>;

const unknownPaceMs = 1500;

/** Kills processes of a project at random moments and keeps what they must not do. */
export class Killer {
  readonly project: KillableProject;
  readonly random: Random;
  readonly #pace: Pace;
  readonly #stuck: string[] = [];
  readonly #left: string[] = [];
  /** Processes that were alive and ended by SIGKILL. */
  kills = 0;

  constructor(project: KillableProject, random: Random, pace: Pace) {
    this.project = project;
    this.random = random;
    this.#pace = pace;
  }

  /** Starts a command and kills it somewhere in its life. If it ends before, it has to end with one of the codes. */
  async kill(args: readonly string[], codes: readonly number[] = [0]): Promise<void> {
    const program = this.project.start(...args);
    const moment = pause(this.#someMs(args[0] ?? ''), 'now' as const, { ref: false });
    if ((await Promise.race([program.ended, moment])) === 'now') program.child.kill('SIGKILL');
    const end = await program.ended;
    if (end.signal === 'SIGKILL') this.kills += 1;
    else this.#check(args, end, codes);
  }

  /** A command that no process kills. It has to end with one of the codes. */
  async finish(args: readonly string[], codes: readonly number[] = [0]): Promise<ProgramEnd> {
    const begun = performance.now();
    const program = this.project.start(...args);
    const hangs = new AbortController();
    const limit = pause(hangLimitMs, null, { signal: hangs.signal }).catch(() => null);
    const end = (await Promise.race([program.ended, limit])) ?? (await this.#giveUp(program, args));
    hangs.abort();
    const name = args[0] ?? '';
    this.#pace.set(name, Math.max(this.#pace.get(name) ?? 0, performance.now() - begun));
    this.#check(args, end, codes);
    return end;
  }

  /** A command in the foreground, during which the conductor is killed at random moments. */
  async finishWithoutConductor(
    args: readonly string[],
    kills: number,
    codes: readonly number[] = [0],
  ): Promise<void> {
    const command = { isOver: false };
    const finished = this.finish(args, codes).finally(() => {
      command.isOver = true;
    });
    for (let n = 0; n < kills && !command.isOver; n += 1) await this.killConductor();
    await finished;
  }

  /** Waits a while and kills the conductor, if there is one. */
  async killConductor(): Promise<void> {
    await pause(this.#someMs('conductor'));
    const pid = this.#conductor();
    const conductor = pid === null ? null : identify(pid);
    if (pid === null || conductor === null) return;
    process.kill(pid, 'SIGKILL');
    while (isAlive(conductor)) await pause(5);
    this.kills += 1;
  }

  /** What is left when the work is over. The conductor gets the time to see that. */
  async evidence(expected: readonly string[], patienceMs = hangLimitMs / 4): Promise<Evidence> {
    const until = performance.now() + patienceMs;
    while (this.#alive().length > 0 && performance.now() < until) await pause(50);
    return {
      ledger: this.ledger(),
      expected,
      survivors: this.#alive(),
      stuck: [...this.#stuck, ...this.#unfinished()],
      left: this.#left,
    };
  }

  ledger(): readonly string[] {
    return lines(join(this.project.path, 'ledger'));
  }

  /** The rows that a query finds; none before the database is made. */
  rows(query: string): readonly Readonly<Record<string, unknown>>[] {
    const path = join(this.project.path, '.tutti', 'tutti.db');
    if (!existsSync(path)) return [];
    using db = openToRead(path);
    // A command that was killed while it made the database leaves one without tables.
    const { made } =
      db.prepare(`select count(*) as made from sqlite_master where name = 'launches'`).get() ?? {};
    return made === 1 ? db.prepare(query).all() : [];
  }

  /** Whether a session was recorded and its process killed before it could launch the agent. Another one takes its place. */
  neverStarted(id: string): boolean {
    return readStart(join(this.project.path, '.tutti', 'sessions', id)).kind !== 'started';
  }

  #someMs(command: string): number {
    return this.random.next() * (this.#pace.get(command) ?? unknownPaceMs);
  }

  #conductor(): number | null {
    const [row] = this.rows(`select pid from holders where id = 'conductor'`);
    return row === undefined ? null : Number(row['pid']);
  }

  #check(args: readonly string[], { code, stderr, stdout }: ProgramEnd, codes: readonly number[]): void {
    if (code !== null && codes.includes(code)) return;
    this.#left.push(`tutti ${args.join(' ')} ended with ${code}: ${stderr}${stdout.slice(-500)}`);
  }

  async #giveUp(program: StartedProgram, args: readonly string[]): Promise<ProgramEnd> {
    this.#stuck.push(`tutti ${args.join(' ')} did not end`);
    program.child.kill('SIGKILL');
    return program.ended;
  }

  #unfinished(): readonly string[] {
    return [
      ...this.rows(`select id, state, outcome from runs where state <> 'ended' or outcome <> 'SUCCESS'`).map(
        ({ id, state, outcome }) => `run ${String(id)} is ${String(state)} ${String(outcome)}`,
      ),
      ...this.rows(`select id, status from sessions where status <> 'COMPLETED'`)
        .filter(({ id, status }) => status !== 'FAILED' || !this.neverStarted(String(id)))
        .map(({ id, status }) => `session ${String(id)} is ${String(status)}`),
      ...this.rows('select * from launches').map((row) => `a slot is taken: ${JSON.stringify(row)}`),
    ];
  }

  #alive(): readonly string[] {
    return system()
      .withVariable('HOME', (value) => value === this.project.home)
      .flatMap((pid) => {
        const words = commandLine(pid);
        return words === '' ? [] : [`${pid} ${words}`];
      });
  }
}

/** Only a connection that may write can read what a killed process left in the log of the database. */
function openToRead(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 120_000 });
  try {
    db.prepare('select count(*) from sqlite_master').get();
    return db;
  } catch {
    db.close();
    return new DatabaseSync(path, { timeout: 120_000 });
  }
}

/** Empty for a process that has ended meanwhile. */
function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim().slice(0, 200);
  } catch {
    return '';
  }
}
