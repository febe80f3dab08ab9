import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { contentAddress } from '../../src/lib/digest.ts';
import { recorded } from '../../src/lib/json.ts';
import type { PlanTask } from '../../src/model/plan/plan-task.ts';
import { cli, type CliEnd } from '../cli/rig.ts';
import { type PlanDocuments, goodPlan, textOf } from '../plans/good-plan.ts';
import { tempFolder } from '../rig/temp-folder.ts';

export interface HostedOptions {
  readonly tasks?: number;
  readonly git?: boolean;
  /** Everything after the first task needs that one only. */
  readonly wide?: boolean;
}

/** A project whose plan is conducted by whoever calls the state commands: no agent is started. */
export class AgentLedProject implements Disposable {
  readonly #folder = tempFolder();
  readonly path: string;
  readonly home: string;
  readonly plan: PlanDocuments;
  planDir = '';

  constructor({ tasks = 4, git = true, wide = false }: HostedOptions = {}) {
    this.path = join(this.#folder.path, 'app');
    this.home = join(this.#folder.path, 'home');
    this.plan = wide ? widened(goodPlan({ tasks })) : goodPlan({ tasks });
    for (const folder of [this.path, this.home]) mkdirSync(folder);
    writeFileSync(join(this.#folder.path, 'spec.md'), this.plan.spec);
    if (git) this.#git();
  }

  get env(): Readonly<Record<string, string>> {
    return { HOME: this.home };
  }

  /** One command line; words with blanks are given as they are. */
  type(...words: readonly string[]): Promise<CliEnd> {
    return cli({ folder: this.path, env: this.env, stdin: '' }, ...words);
  }

  /** One that must succeed; what it printed. */
  async done(...words: readonly string[]): Promise<string> {
    const { out, err, code } = await this.type(...words);
    if (code !== 0) throw new Error(`tutti ${words.join(' ')} ended with ${code}: ${err}${out}`);
    return out;
  }

  async json<T>(...words: readonly string[]): Promise<T> {
    return recorded<T>(JSON.parse(await this.done(...words, '--json')));
  }

  async init(...more: readonly string[]): Promise<void> {
    const words = ['plan', 'init', '.', '--plan', 'shop', '--new', '--spec', '../spec.md'];
    this.planDir = (await this.done(...words, ...more)).trim();
  }

  /** Every phase up to the approval, with the documents of a good plan. */
  async toExecuting(change: (task: PlanTask) => PlanTask = (task) => task): Promise<void> {
    await this.init();
    await this.done('plan', 'advance');
    this.write('artifacts/capability-map.json', textOf(this.plan.capabilityMap));
    await this.done('plan', 'validate', 'capability_map');
    await this.done('plan', 'advance');
    this.write('artifacts/physical-map.json', textOf(this.plan.physicalMap));
    await this.done('plan', 'validate', 'physical_map');
    await this.done('plan', 'advance');
    for (const task of this.plan.tasks) this.write(`tasks/${task.id}.json`, textOf(change(task)));
    await this.done('plan', 'load-tasks');
    await this.done('plan', 'advance');
    await this.done('plan', 'validate-tasks', 'READY', 'every behavior is covered');
    await this.done('plan', 'advance');
    await this.done('plan', 'load-tasks');
    await this.done('plan', 'advance');
    await this.done('plan', 'approve');
  }

  /** Into the plan's directory. */
  write(path: string, text: string): void {
    writeFileSync(join(this.planDir, path), text);
  }

  read(path: string): string {
    return readFileSync(join(this.planDir, path), 'utf8');
  }

  task(id: string): PlanTask {
    const found = this.plan.tasks.find((task) => task.id === id);
    if (found === undefined) throw new Error(`there is no ${id}`);
    return found;
  }

  /** What an executor does: files that pass the task's criteria. Returns what it created. */
  work(id: string): readonly string[] {
    const written = this.code(id);
    for (const [path, text] of written) {
      mkdirSync(dirname(join(this.path, path)), { recursive: true });
      writeFileSync(join(this.path, path), text);
    }
    return written.map(([path]) => path);
  }

  /** Files that pass the task's criteria. */
  code(id: string): readonly (readonly [path: string, text: string])[] {
    const number = Number(id.slice(1));
    return this.task(id).files.map(({ path }) => [path, contentOf(path, number)]);
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }

  #git(): void {
    const git = (...args: readonly string[]): unknown =>
      execFileSync('git', ['-c', 'user.name=ada', '-c', 'user.email=ada@example.org', ...args], {
        cwd: this.path,
      });
    git('init', '-q', '-b', 'main');
    writeFileSync(join(this.path, '.gitignore'), '.tutti\n');
    git('add', '.gitignore');
    git('commit', '-q', '-m', 'begin');
  }
}

/** The steel thread stays a chain: it has to be connected. */
function widened(plan: PlanDocuments): PlanDocuments {
  const [first] = plan.capabilityMap.flows;
  if (first === undefined) throw new Error('there is no flow');
  const flow = { ...first, steps: first.steps.slice(0, 1) };
  const capabilityMap = { ...plan.capabilityMap, flows: [flow] };
  const [thread] = flow.steps;
  const tasks = plan.tasks.map((task) => {
    const steel = task.behaviors.includes(thread?.behavior_id ?? '');
    const needs = task.id === 'T001' ? [] : ['T001'];
    const phase = task.id === 'T001' ? 1 : steel ? 2 : 3;
    const context = { ...task.context, steel_thread: steel };
    return { ...task, phase, context, dependencies: { tasks: needs, external: [] } };
  });
  const physicalMap = {
    ...plan.physicalMap,
    capability_map_checksum: contentAddress(textOf(capabilityMap)),
  };
  return { ...plan, capabilityMap, physicalMap, tasks };
}

function contentOf(path: string, number: number): string {
  if (path === 'package.json') return '{ "type": "module" }\n';
  if (!path.endsWith('.test.js')) {
    return `const kept = [];\nexport const keep = (record) => kept.push(record);\nexport const show = () => kept.at(-1);\n`;
  }
  const part = `part-${number % 50}/record-${number}.js`;
  return [
    "import assert from 'node:assert';",
    "import { test } from 'node:test';",
    `import { keep, show } from '../../src/${part}';`,
    `test('record ${number}', () => {`,
    `  keep(${number});`,
    `  assert.equal(show(), ${number});`,
    '});',
    '',
  ].join('\n');
}
