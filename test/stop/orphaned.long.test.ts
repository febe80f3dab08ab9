import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { processesOf, statusOf, until } from '../e2e/project.ts';
import { type ProgramEnd, type StartedProgram, startTutti, writeProject } from '../rig/program.ts';
import { installedTutti } from '../rig/installed-tutti.ts';
import { tempFolder } from '../rig/temp-folder.ts';

/** Notes that it works, and works on while there is a file `slow` in the project. */
const agent = `echo "$TUTTI_STEP" >> "$TUTTI_PROJECT/ledger"
if [ -e "$TUTTI_PROJECT/slow" ]; then exec sleep 1000; fi
echo '{"status":"success","summary":"done"}' > "$TUTTI_RESULT"
`;

/** A run whose agent and command work while the process that advanced it was killed. */
class Orphaned implements Disposable {
  readonly #folder = tempFolder();
  readonly #home = tempFolder();
  readonly #made = join(realpathSync(this.#folder.path), 'project');
  readonly home = { HOME: this.#home.path };
  path = this.#made;
  #run: StartedProgram | null = null;

  async begin(flow: 'flow.yaml' | 'asks.yaml' = 'flow.yaml'): Promise<void> {
    mkdirSync(this.path);
    writeProject(this.path, {
      'agent.sh': agent,
      slow: '',
      'flow.yaml': {
        concurrency: 2,
        steps: [
          { id: 'one', agent: 'coder', prompt: 'one' },
          {
            id: 'two',
            command: ['sh', '-c', 'echo two >> ledger; if [ -e slow ]; then exec sleep 1000; fi'],
          },
        ],
      },
      'asks.yaml': {
        concurrency: 2,
        steps: [
          { id: 'ask', command: ['sh', '-c', 'echo ask >> ledger'], gates: [{ approval: 'Ship it?' }] },
          {
            id: 'two',
            needs: [],
            command: ['sh', '-c', 'echo two >> ledger; if [ -e slow ]; then exec sleep 1000; fi'],
          },
        ],
      },
      'tutti.yaml': { driver: 'mine', drivers: { mine: { type: 'command', command: ['sh', 'agent.sh'] } } },
    });
    this.#run = this.#start('run', flow, '--run-id', 'r');
    await until('both steps are at work', () => this.ledger().length === 2);
  }

  async killHolder(): Promise<void> {
    this.#run?.child.kill('SIGKILL');
    await this.#run?.ended;
  }

  holderEnds(): Promise<ProgramEnd> {
    return this.#run?.ended ?? Promise.reject(new Error('nothing was started'));
  }

  tutti(...args: readonly string[]): Promise<ProgramEnd> {
    return this.#start(...args).ended;
  }

  ledger(): readonly string[] {
    const file = join(this.path, 'ledger');
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  }

  /** Its processes, which know the folder by its first name. */
  alive(): readonly number[] {
    return processesOf(this.#made);
  }

  move(): void {
    const next = `${this.path}-moved`;
    renameSync(this.path, next);
    this.path = next;
  }

  #start(...args: readonly string[]): StartedProgram {
    return startTutti(this.path, args, this.home);
  }

  [Symbol.dispose](): void {
    for (const pid of this.alive()) process.kill(pid, 'SIGKILL');
    this.#home[Symbol.dispose]();
    this.#folder[Symbol.dispose]();
  }
}

test('recover names agents that still work without their files, and resume launches none beside them', async () => {
  using project = new Orphaned();
  await project.begin();
  await project.killHolder();
  rmSync(join(project.path, '.tutti'), { recursive: true });
  expect(await project.tutti('ps')).toMatchObject({
    stdout: expect.stringContaining('No sessions found') as string,
    stderr: expect.stringContaining('processes of run r are alive') as string,
  });
  const recovered = await project.tutti('recover');
  expect(recovered).toMatchObject({ code: 12 });
  expect(recovered.stdout).toMatch(
    /lost: session \S+: it still works, but its files are gone and its result cannot be read; end it: tutti stop r\n/,
  );
  expect(recovered.stdout).toContain('lost: run r: the command of step two still works');
  expect(recovered.stdout).not.toContain('which has ended');
  expect((await project.tutti('session', 'list', '--json')).stdout).toContain('"status":"RUNNING"');
  expect(await statusOf(project.path, 'r', project.home)).toMatchObject({
    state: 'undriven',
    steps: [{ state: 'running' }, { state: 'running' }],
  });
  expect(await project.tutti('resume', 'r')).toMatchObject({
    code: 69,
    stderr: expect.stringContaining('end it: tutti stop r; then continue: tutti resume r') as string,
  });
  expect(project.ledger().length).toBe(2);
  expect(await project.tutti('stop', 'r')).toMatchObject({ code: 0 });
  expect(project.alive()).toEqual([]);
  rmSync(join(project.path, 'slow'));
  expect(await project.tutti('resume', 'r')).toMatchObject({ code: 0 });
});

test('one stop kills a command that works without its files and records it, and every hint names that stop', async () => {
  using project = new Orphaned();
  await project.begin('asks.yaml');
  while (!(await project.tutti('inbox')).stdout.includes('Ship it?')) expect(project.alive()).not.toEqual([]);
  await project.killHolder();
  rmSync(join(project.path, '.tutti'), { recursive: true });
  expect(await project.tutti('recover')).toMatchObject({ code: 12 });
  const status = await project.tutti('status', 'r');
  expect(status.stdout).toContain('→ end it: tutti stop r; then continue: tutti resume r\n');
  expect(status.stderr).toBe('');
  const answered = await project.tutti('answer', 'Q1', 'yes');
  expect(answered.stdout, answered.stderr).toContain(
    'and continues with it after: tutti stop r && tutti resume r',
  );
  expect(answered.stdout).not.toContain('in the background');
  expect(await project.tutti('stop', 'r')).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringContaining('run r is stopped') as string,
  });
  expect(project.alive()).toEqual([]);
  expect((await project.tutti('status', 'r')).stdout).toMatch(/^run r · INTERRUPTED/);
  rmSync(join(project.path, 'slow'));
  expect(await project.tutti('resume', 'r')).toMatchObject({ code: 0 });
  expect(project.ledger().toSorted()).toEqual(['ask', 'two', 'two']);
});

test('stop ends the processes of a project that was moved while they worked', async () => {
  using project = new Orphaned();
  await project.begin();
  await project.killHolder();
  project.move();
  const program = installedTutti();
  const stopped = await startTutti(project.path, ['stop', '--all'], project.home, program).ended;
  expect(stopped).toMatchObject({ code: 69 });
  expect(stopped.stderr).toMatch(/\d+ processes ended, but that is not recorded/);
  expect(project.alive()).toEqual([]);
});

test('stop ends the processes of a project that was moved, and used at its new place', async () => {
  using project = new Orphaned();
  await project.begin();
  await project.killHolder();
  project.move();
  // The test's own start records that the moved state is used.
  expect(await project.tutti('stop', '--all')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('run r is stopped') as string,
  });
  expect(project.alive()).toEqual([]);
});

test('a file in the place of the state ends the run with one sentence, and recover says how to move it', async () => {
  using project = new Orphaned();
  await project.begin();
  renameSync(join(project.path, '.tutti'), join(project.path, 'aside'));
  writeFileSync(join(project.path, '.tutti'), '');
  expect(await project.holderEnds()).toMatchObject({
    code: 69,
    stderr: expect.stringContaining('was removed or replaced while run r was under way') as string,
  });
  expect(project.alive()).toEqual([]);
  expect(await project.tutti('recover')).toMatchObject({
    code: 69,
    stderr: expect.stringContaining('is a file, where the folder of Tutti') as string,
  });
});
