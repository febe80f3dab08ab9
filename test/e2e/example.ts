import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { exampleProject } from '../../src/app/example/project.ts';
import { specName } from '../../src/app/example/spec.ts';
import { turn } from '../../src/app/example/turns.ts';
import { pieces, taskId } from '../../src/app/example/plan.ts';
import { validate } from '../../src/gates/json-schema.ts';
import { type Json, recorded } from '../../src/lib/json.ts';
import { executorAgent } from '../../src/model/plan/phase.ts';
import { until } from '../rig/attempt-rig.ts';
import { type ProgramEnd, type StartedProgram, startTutti } from '../rig/program.ts';
import { repository } from '../rig/repository.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { lines } from './project.ts';

export const plan = 'tiny-duration';
export { specName };

const note = ['sh', '-c', 'echo "$TUTTI_STEP" >> "$TUTTI_PROJECT/turns.log"'];
const waitForGo = ['sh', '-c', 'while [ ! -e "$TUTTI_PROJECT/go" ]; do sleep 0.05; done'];

export interface ExampleOptions {
  /** Without git the target is a plain folder. */
  readonly git?: boolean;
  /** Numbers of tasks whose agents wait for a file \`go\` in the project. */
  readonly slow?: readonly number[];
  /** Committed beside the specification. */
  readonly files?: Readonly<Record<string, string>>;
}

/** The example that ships, in a repository of the test's own, run by the real program with the replay driver. */
export class Example implements Disposable {
  readonly #folder = tempFolder();
  readonly path = join(this.#folder.path, 'project');
  readonly home = join(this.#folder.path, 'home');

  constructor({ git = true, slow = [], files: more = {} }: ExampleOptions = {}) {
    mkdirSync(this.home);
    const options = { commands: [note], delayMs: 0 };
    const first = pieces
      .filter(({ number }) => slow.includes(number))
      .map(({ number, files, test }) =>
        turn(
          { ...options, commands: [note, waitForGo] },
          { agent: executorAgent, step: taskId(number) },
          'Wrote it, slowly',
          Object.fromEntries([...files, test].map(({ path, content }) => [path, content])),
        ),
      );
    for (const [name, content] of exampleProject({ ...options, first })) this.write(name, content);
    this.write('.gitignore', '.tutti/\nturns.log\ngo\n');
    for (const [name, content] of Object.entries(more)) this.write(name, content);
    if (git) this.#commit();
  }

  get planDir(): string {
    return join(this.path, '.tutti', 'plans', plan);
  }

  write(name: string, content: string): void {
    mkdirSync(dirname(join(this.path, name)), { recursive: true });
    writeFileSync(join(this.path, name), content);
  }

  read(name: string): string {
    return readFileSync(join(this.path, name), 'utf8');
  }

  go(): void {
    this.write('go', '');
  }

  start(...args: readonly string[]): StartedProgram {
    return startTutti(this.path, args, { HOME: this.home });
  }

  tutti(...args: readonly string[]): Promise<ProgramEnd> {
    return this.start(...args).ended;
  }

  /** One that must succeed; what it printed. */
  async done(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.tutti(...args);
    if (code !== 0) throw new Error(`tutti ${args.join(' ')} ended with ${code}: ${stderr}${stdout}`);
    return stdout;
  }

  /** Planned and approved, without a question. */
  async planned(): Promise<void> {
    await this.done('plan', specName, '--new', '--yes');
  }

  /** Turns that were really played, in order. */
  turns(): readonly string[] {
    return lines(join(this.path, 'turns.log'));
  }

  /** Every session there ever was. */
  sessions(): number {
    const folder = join(this.path, '.tutti', 'sessions');
    return existsSync(folder) ? readdirSync(folder).length : 0;
  }

  /** What a file of the plan breaks of a published schema: nothing, if it is valid. */
  complaints(file: string, schema: string): readonly string[] {
    return complaintsOf(JSON.parse(readFileSync(join(this.planDir, file), 'utf8')) as Json, schema);
  }

  git(...args: readonly string[]): string {
    return execFileSync('git', [...args], { cwd: this.path, encoding: 'utf8' });
  }

  /** The tests of what the agents built. */
  test(): string {
    const env = { PATH: process.env['PATH'], NO_COLOR: '1' };
    return execFileSync(process.execPath, ['--test'], { cwd: this.path, env, encoding: 'utf8' });
  }

  #commit(): void {
    this.git('init', '-q');
    this.git('add', '-A');
    this.git('-c', 'user.name=ann', '-c', 'user.email=ann@localhost', 'commit', '-qm', 'Specification');
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}

export function complaintsOf(value: Json, schema: string): readonly string[] {
  const published = recorded<Json>(
    JSON.parse(readFileSync(repository(`schemas/${schema}.schema.json`), 'utf8')),
  );
  return validate(published, value);
}

/** An answer started a conductor: it has gone again by itself. */
export function untilAlone(folder: string): Promise<void> {
  const count = (words: string): number =>
    lines(join(folder, '.tutti/logs/conductor.log')).filter((line) => line.includes(words)).length;
  return until(
    'the conductor goes',
    () => count('nothing left') > 0 && count('nothing left') === count('started'),
  );
}
