import { spawn } from 'node:child_process';
import { mkdirSync, realpathSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { identify, isAlive } from '../../src/lib/process/identity.ts';
import { ledger, processesOf, until } from '../e2e/project.ts';
import { needProgram } from '../rig/need-program.ts';
import { type ProgramEnd, programForPerson, tutti, writeProject } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';

/** Works until it is killed. */
const agent = `echo "$TUTTI_SESSION_ID $$" >> ledger
exec sleep 1000
`;

/** A project with two sessions and the session of a run at work, and no process that follows them. */
class Abandoned implements Disposable {
  readonly #folder = tempFolder();
  readonly path = realpathSync(this.#folder.path);
  readonly database = join(this.path, '.tutti', 'tutti.db');

  async begin(): Promise<readonly string[]> {
    const steps = [{ id: 'one', agent: 'coder', prompt: 'one' }];
    writeProject(this.path, {
      'agent.sh': agent,
      'flow.yaml': { name: 'slow', steps },
      'quick.yaml': { name: 'quick', steps: [{ id: 'quick', command: ['true'] }] },
      'prompt.md': 'work',
      'tutti.yaml': { driver: 'mine', drivers: { mine: { type: 'command', command: ['sh', 'agent.sh'] } } },
    });
    const ids: string[] = [];
    for (let n = 0; n < 2; n += 1) {
      const made = await tutti(this.path, 'session', 'create', 'coder', 'prompt.md', '--json');
      ids.push(String((JSON.parse(made.stdout) as Record<string, unknown>)['session_id']));
    }
    await tutti(this.path, 'run', 'flow.yaml', '--run-id', 'r', '--detach');
    await until('three agents work', () => ledger(this.path).length === 3);
    const holders = this.#holders().flatMap((pid) => identify(pid) ?? []);
    for (const { pid } of holders) process.kill(pid, 'SIGKILL');
    await until('no process follows them', () => !holders.some((holder) => isAlive(holder)));
    return ids;
  }

  /** Sessions whose agent is alive. */
  alive(): readonly string[] {
    const agents = ledger(this.path).map((line) => line.split(' '));
    return agents.flatMap(([id = '', pid]) => (identify(Number(pid)) === null ? [] : [id])).toSorted();
  }

  #holders(): readonly number[] {
    using database = new DatabaseSync(this.database, { readOnly: true });
    const rows = database
      .prepare('select distinct h.pid from runs r join holders h on h.id = r.holder')
      .all();
    return rows.map((row) => Number(row['pid']));
  }

  ends(): Readonly<Record<string, string>> {
    using database = new DatabaseSync(this.database, { readOnly: true });
    const rows = database.prepare('select id, status from sessions').all();
    return Object.fromEntries(rows.map((row) => [String(row['id']), String(row['status'])]));
  }

  [Symbol.dispose](): void {
    for (const pid of processesOf(this.path)) process.kill(pid, 'SIGKILL');
    this.#folder[Symbol.dispose]();
  }
}

type Kill = (...words: readonly string[]) => Promise<ProgramEnd>;

interface Fault {
  readonly name: string;
  /** Calls the work with a command that meets the fault. */
  readonly during: (project: Abandoned, work: (kill: Kill) => Promise<void>) => Promise<void>;
  readonly needs?: 'strace';
}

const cannotBeOpened: Fault = {
  name: 'cannot be opened',
  during: async ({ path, database }, work) => {
    renameSync(database, `${database}.aside`);
    mkdirSync(database);
    await work((...words) => tutti(path, ...words));
    rmdirSync(database);
    renameSync(`${database}.aside`, database);
  },
};

const faults: readonly Fault[] = [
  {
    name: 'is locked',
    during: async ({ path, database }, work) => {
      using lock = new DatabaseSync(database, { timeout: 120_000 });
      lock.exec('pragma locking_mode = exclusive; begin exclusive');
      await work((...words) => tutti(path, ...words));
    },
  },
  cannotBeOpened,
  {
    name: 'cannot be read (EIO)',
    needs: 'strace',
    during: async ({ path, database }, work) => {
      await work((...words) => traced(path, database, words));
    },
  },
];

/** The command, to which the system reports an error for every read of the database. */
function traced(path: string, database: string, words: readonly string[]): Promise<ProgramEnd> {
  const inject = ['-e', 'trace=pread64', '-e', 'inject=pread64:error=EIO', '-P', database];
  const program = [process.execPath, programForPerson(words), ...words];
  const tracer = 'strace';
  const child = spawn(tracer, ['-f', '-o', '/dev/null', ...inject, ...program], {
    cwd: path,
    env: { PATH: process.env['PATH'], HOME: path },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => void (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => void (stderr += chunk.toString()));
  return new Promise((resolve) => {
    child.on('close', (code, signal) => {
      resolve({ code, signal, stdout, stderr });
    });
  });
}

const notRecorded = expect.stringMatching(/^tutti: \d+ process(?:es)? ended, but that is not recorded: /);

for (const fault of faults) {
  test(`session kill ends sessions while the database ${fault.name}, and the end is recorded later`, async (context) => {
    if (fault.needs !== undefined) needProgram(context, fault.needs);
    using project = new Abandoned();
    const { path } = project;
    const ids = await project.begin();
    const [first = '', second = ''] = ids;
    await fault.during(project, async (kill) => {
      const before = project.alive();
      expect(before).toHaveLength(3);
      expect(await kill('session', 'kill', first, '--force')).toMatchObject({
        code: 69,
        stderr: notRecorded,
      });
      const others = before.filter((id) => id !== first);
      expect(project.alive()).toEqual(others);
      expect(await kill('session', 'kill', '--all', '--force')).toMatchObject({
        code: 69,
        stderr: notRecorded,
      });
      expect(project.alive()).toEqual([]);
      await until('nothing else of them is left', () => processesOf(path).length === 0);
    });
    expect(project.ends()[first]).not.toBe('KILLED');
    // The next command that launches something records it first, and launches nothing of it.
    const next = await tutti(path, 'run', 'quick.yaml');
    expect(next.code, next.stderr).toBe(0);
    expect(project.ends()).toMatchObject({ [first]: 'KILLED', [second]: 'KILLED' });
    expect(ledger(path)).toHaveLength(3);
  });
}

test('session kill of a database that cannot be opened asks first, and kills nothing by a filter', async () => {
  using project = new Abandoned();
  await project.begin();
  const before = project.alive();
  await cannotBeOpened.during(project, async (kill) => {
    expect(await kill('session', 'kill', '--all')).toMatchObject({ code: 64 });
    // Which sessions have a tag is known to the database alone.
    expect(await kill('session', 'kill', '--all', '--tag', 'x', '--force')).toMatchObject({ code: 69 });
    expect(await kill('session', 'kill', 'nonsense', '--force')).toMatchObject({ code: 69 });
    expect(project.alive()).toEqual(before);
    expect(await kill('session', 'kill', 'last', '--force')).toMatchObject({ code: 69, stderr: notRecorded });
    expect(project.alive()).toEqual(before.slice(0, -1));
  });
});
