import { mkdirSync, readFileSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { identify, isAlive, type ProcessIdentity } from '../../src/lib/process/identity.ts';
import { write } from '../cli/project.ts';
import { cli, type CliEnd, type CliOptions } from '../cli/rig.ts';
import { tempFolder } from '../rig/temp-folder.ts';

/** Ends its turn and leaves a process behind, in a session of its own. */
const agent = `cat > /dev/null
setsid sleep 1000 < /dev/null > /dev/null 2>&1 &
echo $! > pid
echo '{"status":"success","summary":"done"}' > "$TUTTI_RESULT"
`;

/** A run that succeeded, and the process that its session left behind. */
class LeftBehind implements Disposable {
  readonly #folder = tempFolder();
  readonly path = this.#folder.path;
  #left: ProcessIdentity | null = null;

  async begin(): Promise<void> {
    write(this.path, {
      'agent.sh': agent,
      'tutti.yaml': 'driver: mine\ndrivers: {mine: {type: command, command: [sh, agent.sh]}}\n',
      'agents/coder.md': '---\nname: coder\n---\nWrite code.\n',
      'flow.yaml': 'steps:\n  - {id: a, agent: coder, prompt: go}\n',
    });
    const run = await this.tutti('run', 'flow.yaml', '--run-id', 'r');
    expect(run, run.out + run.err).toMatchObject({ code: 0 });
    this.#left = identify(Number(readFileSync(join(this.path, 'pid'), 'utf8')));
    expect(this.isAlive()).toBe(true);
  }

  tutti(...args: readonly string[]): Promise<CliEnd> {
    return this.ask({}, ...args);
  }

  ask(options: Partial<CliOptions>, ...args: readonly string[]): Promise<CliEnd> {
    return cli({ folder: this.path, stdin: '', ...options }, ...args);
  }

  isAlive(): boolean {
    return this.#left !== null && isAlive(this.#left);
  }

  [Symbol.dispose](): void {
    if (this.#left !== null && isAlive(this.#left)) process.kill(this.#left.pid, 'SIGKILL');
    this.#folder[Symbol.dispose]();
  }
}

test('session kill of a session that has ended kills what it left behind, and says so', async () => {
  using project = new LeftBehind();
  await project.begin();
  expect(await project.tutti('session', 'kill', 'last', '--force')).toMatchObject({
    code: 0,
    out: 'Session already terminated (status: COMPLETED)\n1 process that it left behind was killed\n',
  });
  expect(project.isAlive()).toBe(false);
  expect(await project.tutti('session', 'kill', 'last', '--force', '--json')).toMatchObject({
    out: expect.stringContaining('"processes":0'),
  });
  expect((await project.tutti('status', 'r')).out).toContain('✔ a');
});

test('session kill asks before it kills what a session left behind', async () => {
  using project = new LeftBehind();
  await project.begin();
  const asked = await project.ask({ terminal: [80, 24], typed: 'n' }, 'session', 'kill', 'last');
  expect(asked.out + asked.err).toMatch(/Kill the processes that session \S+ left behind\?/);
  expect(project.isAlive()).toBe(true);
});

test('session kill --all kills what sessions left behind that have ended', async () => {
  using project = new LeftBehind();
  await project.begin();
  expect(await project.tutti('session', 'kill', '--all', '--status', 'RUNNING', '--force')).toMatchObject({
    out: 'No session to kill\n',
  });
  expect(project.isAlive()).toBe(true);
  expect(await project.tutti('session', 'kill', '--all', '--force')).toMatchObject({
    code: 0,
    out: expect.stringContaining('1 process that it left behind was killed\n'),
  });
  expect(project.isAlive()).toBe(false);
});

test('session kill kills what a session left behind while the database cannot be opened', async () => {
  using project = new LeftBehind();
  await project.begin();
  const database = join(project.path, '.tutti', 'tutti.db');
  renameSync(database, `${database}.aside`);
  mkdirSync(database);
  expect(await project.tutti('session', 'kill', 'last', '--force')).toMatchObject({
    code: 69,
    err: expect.stringContaining('1 process ended, but that is not recorded'),
  });
  expect(project.isAlive()).toBe(false);
  rmdirSync(database);
  renameSync(`${database}.aside`, database);
  expect(await project.tutti('status', 'r')).toMatchObject({
    out: expect.stringMatching(/^run r · SUCCESS /),
  });
});

test('stop names a run that has ended and left processes behind, and stop --all ends them', async () => {
  using project = new LeftBehind();
  await project.begin();
  expect(await project.tutti('stop')).toMatchObject({
    code: 0,
    out: 'no run is under way, but processes that ended runs left behind are alive: r\n  → end them: tutti stop r\n',
  });
  expect(project.isAlive()).toBe(true);
  expect(await project.tutti('stop', '--all')).toMatchObject({
    code: 0,
    out: 'run r had already succeeded: 1 process ended\n  → read more: tutti report r\n',
  });
  expect(project.isAlive()).toBe(false);
  expect(await project.tutti('stop', '--all')).toMatchObject({ out: 'no run is under way\n' });
});

test('session kill with nothing left to kill is a success also while the database cannot be opened', async () => {
  using project = new LeftBehind();
  await project.begin();
  expect((await project.tutti('session', 'kill', 'last', '--force')).code).toBe(0);
  const database = join(project.path, '.tutti', 'tutti.db');
  renameSync(database, `${database}.aside`);
  mkdirSync(database);
  for (const which of ['last', '--all'])
    expect(await project.tutti('session', 'kill', which, '--force'), which).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^No session to kill: no process of a session is alive\n {2}→ /) as string,
      err: '',
    });
  // A name that leads nowhere, and a stop of runs that may wait, are no success.
  expect((await project.tutti('session', 'kill', 'nosuch', '--force')).code).toBe(69);
  expect((await project.tutti('stop', '--all')).code).toBe(69);
});
