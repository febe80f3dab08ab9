import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { openSync, closeSync, mkdirSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { identify, isAlive } from '../../src/lib/process/identity.ts';
import { lines, processesOf, until } from '../e2e/project.ts';
import { databaseFiles } from '../faults/lives.ts';
import { mountSmallDisk, type SmallDisk } from '../faults/small-disk.ts';
import { type ProgramEnd, type StartedProgram, startTutti, writeProject } from '../rig/program.ts';

/** What is wrong while a person wants to stop. */
export const faults = [
  'disk full',
  'read-only',
  'EIO',
  'database locked',
  'SIGSTOPped holder',
  'dead conductor',
] as const;
export type Fault = (typeof faults)[number];

/** What the person wants to stop. */
export const subjects = ['run', 'plan', 'session'] as const;
export type Subject = (typeof subjects)[number];

/** Every agent notes that it began and works until it is ended or told to fail, so that each launch is seen. */
const agent = `cat > /dev/null
echo "$TUTTI_STEP begin" >> ledger
while [ ! -e go ]; do [ ! -e "fail-$TUTTI_STEP" ] || exit 3; sleep 0.05; done
echo '{"status":"success","summary":"done"}' > "$TUTTI_RESULT"
`;

const flow = {
  name: 'two',
  concurrency: 2,
  steps: [
    { id: 'one', agent: 'coder', prompt: 'one' },
    { id: 'two', agent: 'coder', prompt: 'two' },
    { id: 'three', needs: ['one'], agent: 'coder', prompt: 'three' },
    { id: 'four', needs: ['two'], agent: 'coder', prompt: 'four' },
  ],
};

const diskBytes = 48 * 1024 * 1024;

/** A project whose state is on a disk of its own, with one run, plan or session at work, that can be broken and healed. */
export class BrokenProject implements Disposable {
  readonly path: string;
  readonly subject: Subject;
  /** The run to stop; of a session, its id. */
  id = '';
  readonly #disk: SmallDisk;
  readonly #program: string | undefined;
  #command: StartedProgram | null = null;
  #tracer: ChildProcess | null = null;
  #lock: DatabaseSync | null = null;
  #isReadOnly = false;
  #frozen: number | null = null;
  #detached = false;
  #isLost = false;
  #told = '';

  constructor(path: string, subject: Subject, program?: string) {
    this.path = path;
    this.subject = subject;
    this.#program = program;
    mkdirSync(join(path, 'home'));
    writeProject(path, {
      'agent.sh': agent,
      'flow.yaml': flow,
      'SPEC.md': '# A thing\n\nIt shall add two numbers.\n',
      'tutti.yaml': { driver: 'mine', drivers: { mine: { type: 'command', command: ['sh', 'agent.sh'] } } },
    });
    this.#disk = mountSmallDisk(join(path, '.tutti'), diskBytes);
  }

  start(...args: readonly string[]): StartedProgram {
    const env = { HOME: join(this.path, 'home') };
    return startTutti(this.path, args, env, this.#program);
  }

  tutti(...args: readonly string[]): Promise<ProgramEnd> {
    return this.start(...args).ended;
  }

  /** Until its agents work: in the foreground, or left to the conductor. */
  async begin(how: 'foreground' | 'conductor'): Promise<void> {
    const detach = how === 'conductor' ? ['--detach'] : [];
    if (this.subject === 'session') {
      writeFileSync(join(this.path, 'prompt.md'), 'do it');
      const made = await this.tutti('session', 'create', 'coder', 'prompt.md', '--json');
      this.id = String((JSON.parse(made.stdout) as Record<string, unknown>)['session_id']);
    } else if (this.subject === 'plan') {
      this.id = 'spec-plan';
      this.#command = this.start('plan', 'SPEC.md', '--plan', 'spec', '--new', ...detach);
    } else {
      this.id = 'r';
      this.#command = this.start('run', 'flow.yaml', '--run-id', 'r', ...detach);
    }
    this.#detached = how === 'conductor';
    this.#command?.child.stdout?.on('data', (chunk: Buffer) => {
      this.#told += chunk.toString();
    });
    const wanted = this.subject === 'run' ? 2 : 1;
    await until('its agents work', () => this.launches() >= wanted);
    if (how === 'conductor' || this.subject === 'session')
      await until('it is held', () => this.holder() !== null);
  }

  launches(): number {
    return lines(join(this.path, 'ledger')).filter((line) => line.endsWith(' begin')).length;
  }

  alive(): readonly number[] {
    return processesOf(this.path);
  }

  /** The process that advances the run, as the database says. */
  holder(): number | null {
    using database = new DatabaseSync(join(this.path, '.tutti', 'tutti.db'), { readOnly: true });
    const row = database
      .prepare('select h.pid from runs r join holders h on h.id = r.holder where r.id = ?')
      .get(this.id);
    return typeof row?.['pid'] === 'number' ? row['pid'] : null;
  }

  get isForeground(): boolean {
    return this.#command !== null && !this.#detached;
  }

  /** Whether the foreground command has printed it. */
  heard(words: string): boolean {
    return this.#told.includes(words);
  }

  get command(): StartedProgram {
    if (this.#command === null) throw new Error('nothing runs in the foreground');
    return this.#command;
  }

  async break(fault: Fault): Promise<void> {
    if (fault === 'disk full') fillUp(join(this.path, '.tutti', 'fill'));
    else if (fault === 'read-only') this.#makeReadOnly();
    else if (fault === 'EIO') await this.#failWrites();
    else if (fault === 'database locked') {
      this.#lock = new DatabaseSync(join(this.path, '.tutti', 'tutti.db'));
      this.#lock.exec('begin immediate');
    } else if (fault === 'SIGSTOPped holder') {
      this.#frozen = this.holder();
      if (this.#frozen !== null) process.kill(this.#frozen, 'SIGSTOP');
    } else {
      const conductor = this.holder();
      if (conductor !== null) process.kill(conductor, 'SIGKILL');
    }
  }

  /** Kills the process that advances the run and overwrites its database: nothing can be read from it any more. */
  async loseDatabase(): Promise<void> {
    const holder = this.holder();
    const killed = holder === null ? null : identify(holder);
    if (killed !== null) process.kill(killed.pid, 'SIGKILL');
    await until('its holder is gone', () => killed === null || !isAlive(killed));
    const path = join(this.path, '.tutti', 'tutti.db');
    for (const file of [`${path}-wal`, `${path}-shm`]) rmSync(file, { force: true });
    writeFileSync(path, 'no database at all');
    this.#isLost = true;
  }

  heal(): void {
    rmSync(join(this.path, '.tutti', 'fill'), { force: true });
    this.#tracer?.kill('SIGTERM');
    this.#lock?.close();
    if (this.#isReadOnly) spawnSync('umount', ['-l', join(this.path, '.tutti')]);
    if (this.#frozen !== null) process.kill(this.#frozen, 'SIGCONT');
    this.#tracer = null;
    this.#lock = null;
    this.#isReadOnly = false;
    this.#frozen = null;
  }

  /** Of the run: its state and outcome, as the tables say. */
  recorded(): string {
    using database = new DatabaseSync(join(this.path, '.tutti', 'tutti.db'), { readOnly: true });
    const row = database.prepare('select state, outcome from runs where id = ?').get(this.id);
    return `${String(row?.['state'])} ${String(row?.['outcome'])}`;
  }

  [Symbol.dispose](): void {
    this.heal();
    for (const pid of this.alive()) killIfAlive(pid);
    const holder = this.#isLost ? null : this.holder();
    if (holder !== null && holder !== process.pid) killIfAlive(holder);
    this.#command?.child.kill('SIGKILL');
    this.#disk[Symbol.dispose]();
  }

  /** New files and new connections meet a read-only file system; what is open stays open, as after a real remount. */
  #makeReadOnly(): void {
    const state = join(this.path, '.tutti');
    for (const args of [
      ['--bind', state, state],
      ['-o', 'remount,ro,bind', state],
    ]) {
      const { status, stderr } = spawnSync('mount', args, { encoding: 'utf8' });
      if (status !== 0) throw new Error(stderr);
    }
    this.#isReadOnly = true;
  }

  /** Every write to the database fails in the process that holds the run; others meet a locked database meanwhile. */
  async #failWrites(): Promise<void> {
    const holder = this.holder();
    const paths = databaseFiles(this.path).flatMap((file) => ['-P', file]);
    const inject = 'inject=pwrite64,fsync,fdatasync:error=EIO';
    const log = join(this.path, 'trace');
    const tracer = 'strace';
    const args = [
      '-f',
      '-o',
      log,
      '-e',
      'trace=pwrite64,fsync,fdatasync',
      '-e',
      inject,
      ...paths,
      '-p',
      String(holder),
    ];
    this.#tracer = spawn(tracer, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let told = '';
    this.#tracer.stderr?.on('data', (chunk: Buffer) => {
      told += chunk.toString();
    });
    await until('strace is attached', () => /attached/.test(told));
  }
}

function fillUp(path: string): void {
  const descriptor = openSync(path, 'w');
  try {
    for (let size = 1024 * 1024; size > 0; size = Math.floor(size / 2)) {
      try {
        for (;;) writeSync(descriptor, Buffer.alloc(size));
      } catch {
        // Not that much; perhaps half of it.
      }
    }
  } finally {
    closeSync(descriptor);
  }
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
