import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stringify } from 'yaml';
import { workerProgram } from '../execute/project.ts';
import { plannerProgram } from '../planning/planner-program.ts';
import { personProgram, type ProgramEnd, type StartedProgram, startTutti } from '../rig/program.ts';
import { installedTutti } from '../rig/installed-tutti.ts';
import { tempFolder } from '../rig/temp-folder.ts';

export const plan = 'records';

const specification = `# Records

- B1 parse: reads records
- B2 print: writes records
`;

/** Agents wait after they noted their beginning, as long as the project has a file with the name of their step. */
function withHold(program: string, project: string): string {
  const wait = `while (existsSync(join(${project}, 'hold-' + step.replaceAll('/', '_')))) await new Promise((go) => setTimeout(go, 10));`;
  return program.replace("note('begin');", `note('begin');\n${wait}`);
}

export interface OwnPlan {
  readonly specification?: string;
  /** The program that plays the planning agents. */
  readonly planner?: string;
}

/** A repository with a specification and agents that are programs. Every turn that is paid for stands in its ledger. */
export class PayProject implements Disposable {
  readonly #folder = tempFolder();
  readonly #program: string | undefined;
  readonly path = join(this.#folder.path, 'project');

  /** Every task but the first needs the first one. An older program is named by its file. */
  constructor(program?: string, tasks: 2 | 3 = 2, own: OwnPlan = {}) {
    this.#program = program;
    const home = join(this.#folder.path, 'home');
    for (const folder of [home, join(this.path, 'prompts')]) mkdirSync(folder, { recursive: true });
    this.write('planner.mjs', withHold(own.planner ?? plannerProgram, 'here'));
    this.write('worker.mjs', withHold(askingWorker, 'project'));
    const usual = tasks === 2 ? specification : `${specification}- B3 count: counts records\n`;
    this.write('records.md', own.specification ?? usual);
    this.write('.gitignore', '.tutti/\nprompts/\nledger\nhold-*\nagent-rules.json\nmood.json\n');
    const command = (file: string) => ({
      type: 'command',
      command: [process.execPath, join(this.path, file)],
    });
    const worker = { driver: 'worker' };
    this.write(
      'tutti.yaml',
      stringify({
        driver: 'planner',
        drivers: { planner: command('planner.mjs'), worker: command('worker.mjs') },
        agents: { 'task-executor': worker, 'task-verifier': worker },
      }),
    );
    for (const args of [
      ['init', '-q'],
      ['add', '-A'],
      ['-c', 'user.name=ann', '-c', 'user.email=ann@localhost', 'commit', '-qm', 'Specification'],
    ]) {
      execFileSync('git', args, { cwd: this.path });
    }
  }

  get env(): Readonly<Record<string, string>> {
    const home = join(this.#folder.path, 'home');
    return { HOME: home, XDG_STATE_HOME: join(home, 'state') };
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.path, name), text);
  }

  edit(name: string, from: string, to: string): void {
    const before = this.read(name);
    const after = before.replace(from, to);
    if (after === before) throw new Error(`${name} does not have '${from}'`);
    this.write(name, after);
  }

  /** By step or task: what the worker does otherwise. */
  rules(rules: object): void {
    this.write('agent-rules.json', JSON.stringify(rules));
  }

  hold(step: string): void {
    this.write(`hold-${step.replaceAll('/', '_')}`, '');
  }

  release(step: string): void {
    rmSync(join(this.path, `hold-${step.replaceAll('/', '_')}`), { force: true });
  }

  start(...args: readonly string[]): StartedProgram {
    return startTutti(this.path, args, this.env, this.#program);
  }

  /** The program inside a session, as an agent calls it. */
  runInside(...args: readonly string[]): Promise<ProgramEnd> {
    const env = { ...this.env, TUTTI_SESSION_ID: '20250101-000000-coder' };
    return startTutti(this.path, args, env, this.#program ?? installedTutti()).ended;
  }

  /** As a person, also a command that usually decides nothing. */
  startAsPerson(...args: readonly string[]): StartedProgram {
    return startTutti(this.path, args, this.env, personProgram);
  }

  runAsPerson(...args: readonly string[]): Promise<ProgramEnd> {
    return this.startAsPerson(...args).ended;
  }

  run(...args: readonly string[]): Promise<ProgramEnd> {
    return this.start(...args).ended;
  }

  /** Turns that were paid for, in order. */
  turns(): readonly string[] {
    return this.read('ledger')
      .split('\n')
      .flatMap((line) => (line.endsWith(' begin') ? [line.slice(0, -' begin'.length)] : []));
  }

  forgetTurns(): void {
    this.write('ledger', '');
  }

  /** What the agent of a step was told last. */
  prompt(step: string): string {
    return this.read(join('prompts', `${step.replaceAll('/', '_')}.txt`));
  }

  read(name: string): string {
    const path = join(this.path, name);
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  /** Steps whose parts ended, in order, as `tutti events` prints them. */
  async ends(runId: string): Promise<readonly string[]> {
    const { stdout } = await this.run('events', runId, '--json');
    return stdout.split('\n').flatMap((line) => {
      if (line === '') return [];
      const event = JSON.parse(line) as { readonly type: string; readonly key?: string };
      return event.type === 'step.ended' && event.key !== undefined ? [event.key.replace(/@.*/, '')] : [];
    });
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}

/** The worker of the other tests, which also keeps its prompts and asks what its rule says. */
const askingWorker = workerProgram
  .replace(
    "note('begin');",
    "note('begin');\nwriteFileSync(join(project, 'prompts', step.replaceAll('/', '_') + '.txt'), readFileSync(0, 'utf8'));",
  )
  .replace('questions: []', 'questions: rule.asks ?? []');

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(20);
}
