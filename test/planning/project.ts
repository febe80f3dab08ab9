import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { recorded } from '../../src/lib/json.ts';
import type { FoundPlan } from '../../src/app/plans/find-plan.ts';
import type { PlanPaths } from '../../src/app/plan-files/plan-paths.ts';
import { planPathsOf } from '../../src/app/plan-files/plan-paths.ts';
import { type PlanOrder, preparePlan, startPlan } from '../../src/app/plans/planning/start-plan.ts';
import { advanceRun } from '../../src/app/runs/advance-run.ts';
import type { Tutti } from '../../src/app/tutti.ts';
import type { PlanRecord } from '../../src/model/plan/plan-record.ts';
import type { OpenQuestion } from '../../src/model/question.ts';
import type { PlanValue } from '../../src/workflows/plan/plan-value.ts';
import { type TempFolder, tempFolder } from '../rig/temp-folder.ts';
import { plannerProgram } from './planner-program.ts';
import { openTutti, trustProject } from '../rig/trust.ts';

export const specification = `# Numerals

A small library. Nothing here is in a hurry.

- B1 parse: reads roman numerals
- B2 format: writes roman numerals
- B3 table: prints a table of the first hundred
`;

export const order: PlanOrder = {
  command: 'plan',
  spec: { from: 'file', path: 'numerals.md' },
  plan: null,
  folder: '',
  targetDir: 'target',
  projectType: 'new',
  stack: 'plain JavaScript',
  yes: false,
  refresh: false,
  paysAgain: false,
  budget: {},
};

export function writePlannerProject(folder: string): void {
  for (const name of ['prompts', 'target']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'planner.mjs'), plannerProgram);
  writeFileSync(join(folder, 'numerals.md'), specification);
  const command = [process.execPath, join(folder, 'planner.mjs')];
  writeFileSync(
    join(folder, 'tutti.yaml'),
    stringify({ driver: 'mine', drivers: { mine: { type: 'command', command } } }),
  );
}

/** What one advance of the plan's run did. */
export interface Played {
  readonly outcome: string;
  /** Turns that really ran since the last advanced, in order. */
  readonly ran: readonly string[];
}

/** A project of the test's own, with one plan that is started, edited and started again. */
export class PlannerProject implements Disposable {
  readonly #folder: TempFolder;
  readonly tutti: Tutti;
  #seen = 0;
  #answers = 6;

  constructor(
    prepare: (folder: string) => void = () => undefined,
    moreEnv: (folder: string) => Readonly<Record<string, string>> = () => ({}),
    parent?: string,
  ) {
    this.#folder = tempFolder(parent);
    writePlannerProject(this.#folder.path);
    prepare(this.#folder.path);
    const env = { ...process.env, HOME: this.path, ...moreEnv(this.path) };
    const opened = openTutti({ folder: this.path, env, create: true });
    if (!opened.ok) throw new Error(opened.error.message);
    this.tutti = opened.value;
  }

  get path(): string {
    return this.#folder.path;
  }

  get paths(): PlanPaths {
    return planPathsOf(this.tutti.paths, 'numerals');
  }

  get record(): Promise<PlanRecord> {
    return this.#record();
  }

  async #record(): Promise<PlanRecord> {
    const record = await this.tutti.queries.plans.one('numerals');
    if (record === null) throw new Error('there is no plan');
    return record;
  }

  get found(): Promise<FoundPlan> {
    return this.#record().then((plan) => ({ plan, paths: this.paths, note: null }));
  }

  get value(): Promise<PlanValue | null> {
    return this.#value();
  }

  async #value(): Promise<PlanValue | null> {
    const run = await this.tutti.queries.run('numerals-plan');
    return run?.state.at === 'ended' ? recorded<PlanValue>(run.state.value) : null;
  }

  /** `[step, misdeed]`: what the agents do wrong from now on. */
  mood(...misdeeds: readonly (readonly [string, string])[]): void {
    writeFileSync(join(this.path, 'mood.json'), JSON.stringify(misdeeds));
  }

  /** Edits the specification that was given. */
  edit(from: string, to: string): void {
    const path = join(this.path, 'numerals.md');
    writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
  }

  /** Edits a task file of the plan. */
  editTask(id: string, from: string, to: string): void {
    const path = this.paths.task(id);
    writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
  }

  read(file: string): string {
    return readFileSync(join(this.paths.dir, file), 'utf8');
  }

  /** What an agent was last told. */
  prompt(step: string): string {
    return readFileSync(join(this.path, 'prompts', `${step.replaceAll('/', '_')}.txt`), 'utf8');
  }

  prompts(): readonly string[] {
    return readdirSync(join(this.path, 'prompts'));
  }

  async plan(changes: Partial<PlanOrder> = {}): Promise<Played> {
    // What the test wrote since the project was opened.
    trustProject(this.path, this.tutti.env);
    const names = (await this.tutti.queries.plans.all()).map(({ name }) => name);
    const prepared = preparePlan(this.tutti, { ...order, folder: this.path, ...changes }, names);
    if (!prepared.ok) return { outcome: prepared.error.message, ran: [] };
    const started = await startPlan(this.tutti, prepared.value);
    if (!started.ok) return { outcome: started.error.message, ran: [] };
    return this.advance();
  }

  async advance(): Promise<Played> {
    const advanced = await advanceRun(this.tutti, { runId: 'numerals-plan', stay: false });
    return { outcome: advanced.ok ? advanced.value : advanced.error.message, ran: this.#ran() };
  }

  async questions(): Promise<readonly OpenQuestion[]> {
    return this.tutti.queries.openQuestions('numerals-plan');
  }

  /** Answers the one open question and advances on. */
  async answer(text: string): Promise<Played> {
    const [question] = await this.questions();
    if (question === undefined) throw new Error('nobody asks');
    this.#answers += 1;
    await this.tutti.store.answer(question.runId, question.key, {
      text,
      by: 'ann',
      at: this.#answers,
    });
    return this.advance();
  }

  #ran(): readonly string[] {
    let text = '';
    try {
      text = readFileSync(join(this.path, 'ledger'), 'utf8');
    } catch {
      // Nobody has worked yet.
    }
    const begun = text.split('\n').flatMap((line) => (line.endsWith(' begin') ? [line.slice(0, -6)] : []));
    const fresh = begun.slice(this.#seen);
    this.#seen = begun.length;
    return fresh;
  }

  [Symbol.dispose](): void {
    this.tutti[Symbol.dispose]();
    this.#folder[Symbol.dispose]();
  }
}
