import { changeTask } from '../../src/app/plan-record/change-plan.ts';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { forecastOf } from '../../src/app/plans/executing/execute-tasks.ts';
import { prepareExecute } from '../../src/app/plans/executing/prepare-execute.ts';
import { startExecute } from '../../src/app/plans/executing/start-execute.ts';
import { planOutlook } from '../../src/app/plans/outlook.ts';
import { planSources } from '../../src/app/plans/plan-sources.ts';
import { advanceRun } from '../../src/app/runs/advance-run.ts';
import { digest } from '../../src/lib/digest.ts';
import { plain, recorded } from '../../src/lib/json.ts';
import { rootStepOf, stepIdOf } from '../../src/model/key.ts';
import { type OperationArgs, readOperation } from '../../src/model/operations.ts';
import type { TaskEnding } from '../../src/model/plan/execute-parts.ts';
import type { PlanTask } from '../../src/model/plan/plan-task.ts';
import { workDigest } from '../../src/model/plan/task-row.ts';
import { completeTask } from '../../src/model/plan/task-state.ts';
import type { AttemptEnd, LaunchedAttempt } from '../../src/model/ports/host.ts';
import type { SessionSpec } from '../../src/model/turn.ts';
import type { ExecuteValue } from '../../src/workflows/plan/task-verdict.ts';
import { accountOf, SteeredPlan } from '../execute/steered-plan.ts';
import { PlannerProject } from '../planning/project.ts';
import { unknownUsage } from '../../src/model/usage.ts';
import { playPlanner } from './played-planner.ts';

/**
 * What the test breaks on purpose: an author's turn is followed by nothing, as in the first release; or the forecast counts
 * what was never done, and not what is done from something else than what is there now.
 */
export type Planted = 'overwrites' | 'counts-new-only' | null;

/** `stable`: a task makes the same again whatever it is made from. `spreading`: what it is made from shows in it. */
export type Making = 'stable' | 'spreading';

/** Operations of an execution that need a repository: they are the test's. */
const steered = new Set(
  `plan-take-over task-workspace task-written task-diff task-restore task-accept task-seal task-land task-bring
   plan-on-base`.split(/\s+/),
);

export const size = 30;

/** A line of the specification for each behavior that it has. */
export function specificationOf(wishes: ReadonlyMap<number, string>, prose: string): string {
  const lines = [...wishes].map(([n, text]) => `- B${n} keep${n}: ${text}`);
  return `# Records\n\nA small library. ${prose}\n\n${lines.join('\n')}\n`;
}

export interface Forecast {
  readonly open: readonly string[];
  readonly mayFollow: readonly string[];
  /** As `tutti plan show` prints it. */
  readonly launches: number;
}

/** Each task writes what it declares; there are never more than these. */
const scripts = Object.fromEntries(
  Array.from({ length: 2 * size }, (_, index) => {
    const written = [`src/keep${index + 1}.js`, `test/keep${index + 1}.test.js`];
    return [taskOf(index + 1), { writes: [written] }];
  }),
);

/** The task that the planner makes of a behavior. */
export function taskOf(behavior: number): string {
  return `T${String(behavior).padStart(3, '0')}`;
}

/** A plan of thirty tasks with the real workflows, store and planning operations; agents and repositories are played. */
export class EditedPlan implements Disposable {
  readonly #project: PlannerProject;
  readonly #planted: Planted;
  readonly #making: Making;
  readonly #machine = new SteeredPlan(scripts);
  #seen = 0;

  private constructor(project: PlannerProject, planted: Planted, making: Making) {
    this.#project = project;
    this.#planted = planted;
    this.#making = making;
  }

  static async open(specification: string, planted: Planted, making: Making): Promise<EditedPlan> {
    const write = (folder: string): void => {
      writeFileSync(join(folder, 'numerals.md'), specification);
    };
    // In memory where the system has such a place: nothing here is about what survives.
    const memory = existsSync('/dev/shm') ? '/dev/shm' : undefined;
    const project = new PlannerProject(write, () => ({}), memory);
    const plan = new EditedPlan(project, planted, making);
    const host = await project.tutti.host();
    const launch = host.launch.bind(host);
    host.launch = (attempt, began) => plan.#launch(attempt, began) ?? launch(attempt, began);
    project.tutti.host = () => Promise.resolve(host);
    return plan;
  }

  /** Null: the real host does it. */
  #launch(attempt: LaunchedAttempt, began: () => void): Promise<AttemptEnd> | null {
    const isPlanning = attempt.runId.endsWith('-plan');
    if (attempt.kind === 'session')
      return isPlanning ? this.#author(attempt, began) : this.#machine.launch(attempt, began);
    const { name, args } = readOperation(attempt.spec);
    if (name === 'plan-edits-settle' && this.#planted === 'overwrites')
      return Promise.resolve(done({ overwritten: [] }));
    if (name === 'task-result') return this.#close(recorded<OperationArgs<'task-result'>>(args).ending);
    return steered.has(name) ? this.#machine.launch(attempt, began) : null;
  }

  async #author(attempt: LaunchedAttempt, began: () => void): Promise<AttemptEnd> {
    began();
    const { prompt } = recorded<SessionSpec>(attempt.spec);
    const { path: project, paths } = this.#project;
    await playPlanner({ step: stepIdOf(attempt.key), planDir: paths.dir, project, prompt });
    const turn = accountOf('SUCCESS');
    return {
      ...done({ ...turn, sessionId: attempt.sessionId ?? '' }),
      session: { status: 'COMPLETED', exitCode: 0, outcome: turn.outcome, usage: unknownUsage },
    };
  }

  async #close({ task, files, verification, basis }: TaskEnding): Promise<AttemptEnd> {
    const { clock } = this.#project.tutti;
    const produced = this.#making === 'stable' ? `made by ${task}` : digest(['made from', basis]);
    const changed = await changeTask(this.#project.tutti, 'numerals', task, ({ state }) =>
      completeTask(state, { endedAt: clock.wall(), files, verification, produced, basis }),
    );
    if (!changed.ok) throw new Error(changed.error);
    return done({ produced, rescue: null });
  }

  /** `tutti plan --yes`, and `answer` to what it asks; returns what it asked. */
  async plan(specification: string, answer: (question: string) => string): Promise<readonly string[]> {
    writeFileSync(join(this.#project.path, 'numerals.md'), specification);
    const asked: string[] = [];
    let { outcome } = await this.#project.plan({ yes: true });
    while (outcome === 'HUMAN_INPUT') {
      const text = (await this.#project.questions())[0]?.question.text ?? '';
      asked.push(text);
      ({ outcome } = await this.#project.answer(answer(text)));
    }
    if (outcome !== 'SUCCESS') throw new Error(`planning ended with ${outcome}: ${asked.join('; ')}`);
    return asked;
  }

  /** What the agents do otherwise from now on. */
  mood(...misdeeds: readonly (readonly [string, string])[]): void {
    this.#project.mood(...misdeeds);
  }

  ids(): readonly string[] {
    return readdirSync(this.#project.paths.tasks)
      .map((name) => name.replace('.json', ''))
      .toSorted();
  }

  text(id: string): string {
    return readFileSync(this.#project.paths.task(id), 'utf8');
  }

  task(id: string): PlanTask {
    return JSON.parse(this.text(id)) as PlanTask;
  }

  edit(id: string, change: Partial<PlanTask>): void {
    this.write(id, `${JSON.stringify({ ...this.task(id), ...change }, null, 1)}\n`);
  }

  write(id: string, text: string): void {
    writeFileSync(this.#project.paths.task(id), text);
  }

  /** Phase and digest of the work of each task. */
  phases(): ReadonlyMap<string, readonly [work: string, phase: number]> {
    return new Map(this.ids().map((id) => [id, [workDigest(this.task(id)), this.task(id).phase]]));
  }

  async forecast(): Promise<Forecast> {
    const { tutti } = this.#project;
    const found = await this.#project.found;
    const [outlook, sources] = [await planOutlook(tutti, found), await planSources(tutti, found)];
    if (!outlook.ok || !sources.ok) throw new Error('there is no forecast');
    const rows = await tutti.queries.plans.tasks('numerals');
    const { open, mayFollow } = forecastOf(sources.value, rows);
    const { launches } = outlook.value.estimate;
    if (this.#planted === 'counts-new-only') {
      const fresh = rows.filter(({ state }) => state.at === 'pending').map(({ task }) => task.id);
      return { open: fresh, mayFollow: [], launches: 2 * fresh.length };
    }
    return { open: [...open].toSorted(), mayFollow: [...mayFollow].toSorted(), launches };
  }

  /** `tutti execute`; returns the tasks whose agents were launched, and how many turns that were. */
  async execute(): Promise<{ readonly tasks: readonly string[]; readonly turns: number }> {
    const { tutti } = this.#project;
    const found = await this.#project.found;
    const request = { parallel: 4, tasks: null, undeclared: null, verify: true, budget: {} };
    const prepared = await prepareExecute(tutti, found, request);
    if (!prepared.ok) throw new Error(prepared.error.message);
    const started = await startExecute(tutti, prepared.value);
    if (!started.ok) throw new Error(started.error.message);
    const end = await advanceRun(tutti, { runId: started.value.runId, stay: false });
    if (!end.ok || end.value !== 'SUCCESS')
      throw new Error(
        `execution ended with ${end.ok ? end.value : end.error.message}: ${await this.#failures()}`,
      );
    const turns = this.#machine.turns.slice(this.#seen);
    this.#seen = this.#machine.turns.length;
    return { tasks: [...new Set(turns.map(rootStepOf))].toSorted(), turns: turns.length };
  }

  async #failures(): Promise<string> {
    const state = (await this.#project.tutti.queries.run('numerals-execute'))?.state;
    if (state?.at !== 'ended') return state?.at ?? 'there is no run';
    if (state.failure !== null) return state.failure.message;
    const { tasks } = recorded<ExecuteValue>(state.value);
    return tasks
      .flatMap((task) => (task.at === 'failed' ? [`${task.id}: ${task.failure.message}`] : []))
      .join('; ');
  }

  [Symbol.dispose](): void {
    this.#project[Symbol.dispose]();
  }
}

function done(value: unknown): AttemptEnd {
  return { completion: { at: 'done', outcome: 'SUCCESS', value: plain(value) }, session: null };
}
