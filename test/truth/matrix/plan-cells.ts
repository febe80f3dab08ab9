import { changePlan, changeTask, loadTasks as takeTasks } from '../../../src/app/plan-record/change-plan.ts';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadTasks } from '../../../src/app/plan-files/load-tasks.ts';
import { planPathsOf } from '../../../src/app/plan-files/plan-paths.ts';
import { plain } from '../../../src/lib/json.ts';
import { ok } from '../../../src/lib/result.ts';
import { createCheckpoint } from '../../../src/model/plan/checkpoint.ts';
import { type PlanPhase, planPhases } from '../../../src/model/plan/phase.ts';
import { advance, blankPlan, type PlanChange, type PlanRecord } from '../../../src/model/plan/plan-record.ts';
import {
  requestHalt,
  withApproval,
  withMap,
  withSpec,
  withTasks,
  withVerdict,
} from '../../../src/model/plan/plan-transitions.ts';
import {
  completeTask,
  failTask,
  skipTask,
  type TaskChange,
  type TaskState,
} from '../../../src/model/plan/task-state.ts';
import { startTask } from '../../../src/model/plan/work-on-task.ts';
import { executeRunId } from '../../../src/model/plan/task-row.ts';
import type { Outcome } from '../../../src/model/outcome.ts';
import type { RunSummary } from '../../../src/model/run.ts';
import type { Fence } from '../../../src/model/ports/store.ts';
import { failure } from '../../../src/model/failure.ts';
import { newSession } from '../../conformance/world.ts';
import { goodPlan, type PlanDocuments, writePlan } from '../../plans/good-plan.ts';
import { newRun } from '../../rig/engine.ts';
import { plainSpec } from '../../rig/session-spec.ts';
import { holderStates, type HolderState, type MatrixProject } from './project.ts';
import type { TrueSession as SessionTruth } from './run-cells.ts';

interface TrueSession extends SessionTruth {
  readonly id: string;
}

/** What is true of a plan. `first` is what its first task is; the others have not begun. */
export interface TruePlan {
  readonly phase: PlanPhase;
  readonly total: number;
  /** Null: no tasks are loaded. */
  readonly first: 'ready' | 'running' | 'parked' | 'done' | 'failed' | 'skipped' | null;
  /** Every task is done. */
  readonly allDone: boolean;
  readonly halted: boolean;
  /** The command that helps; null: nothing is left to do. */
  readonly next: string | null;
}

export interface PlanCell {
  readonly id: string;
  readonly scene: string;
  readonly holder: HolderState;
  /** Null: nothing of Tutti executes it. */
  readonly run: { readonly id: string; readonly state: RunSummary; readonly outcome: Outcome | null } | null;
  /** A session of somebody's own that began its first task. */
  readonly sessions: readonly TrueSession[];
  readonly truth: TruePlan;
}

const works = { status: 'RUNNING', lost: false, outcome: null } as const;
const vanished = { status: 'FAILED', lost: true, outcome: 'FAILURE' } as const;

const documents: PlanDocuments = goodPlan({ tasks: 3 });
export const planTasks = documents.tasks;
const first = 'T001';

/** What a scene of execution does with the first task, and what is true then. */
interface Scene {
  /** Whether a run of Tutti executes it, and where that is in the end if it is not simply under way. */
  readonly run: boolean | { readonly state: RunSummary; readonly outcome: Outcome | null };
  readonly play: (stage: Stage) => Promise<void>;
  readonly truth: (holder: HolderState, plan: string) => Partial<TruePlan>;
}

const byHolder = (holder: HolderState): 'running' | 'parked' => (holder === 'alive' ? 'running' : 'parked');
/** A second command would be refused while a process executes it. */
const execute = (plan: string, holder: HolderState = 'none'): string =>
  holder === 'alive' ? `tutti status ${executeRunId(plan)}` : `tutti execute --plan ${plan}`;
const resume = (plan: string): string => `tutti resume ${plan}`;

const byRun: Readonly<Record<string, Scene>> = {
  'a run has begun nothing': {
    run: true,
    play: async () => undefined,
    truth: (holder, plan) => ({ first: 'ready', next: execute(plan, holder) }),
  },
  'a run has begun a task': {
    run: true,
    play: (stage) => stage.begin(stage.runId),
    truth: (holder, plan) => ({ first: byHolder(holder), next: execute(plan, holder) }),
  },
  'a turn of a task works': {
    run: true,
    play: (stage) => stage.turn('alive'),
    truth: (holder, plan) => ({ first: 'running', next: execute(plan, holder) }),
  },
  'a turn of a task vanished': {
    run: true,
    play: (stage) => stage.turn('dead'),
    truth: (holder, plan) => ({ first: byHolder(holder), next: execute(plan, holder) }),
  },
  'a task asks a person': {
    run: { state: 'waiting', outcome: null },
    play: (stage) => stage.ask(),
    truth: () => ({ first: 'parked', next: 'tutti inbox' }),
  },
  'a run is halted': {
    run: { state: 'halted', outcome: 'HALTED' },
    play: (stage) => stage.haltRun(),
    truth: (_holder, plan) => ({ first: 'parked', next: execute(plan) }),
  },
  'a run was stopped': {
    run: { state: 'ended', outcome: 'INTERRUPTED' },
    play: (stage) => stage.finish('INTERRUPTED'),
    truth: (_holder, plan) => ({ first: 'parked', next: execute(plan) }),
  },
  'a run reached a ceiling': {
    run: { state: 'ended', outcome: 'BUDGET_EXCEEDED' },
    play: (stage) => stage.finish('BUDGET_EXCEEDED'),
    truth: (_holder, plan) => ({ first: 'parked', next: execute(plan) }),
  },
  'a run lost its task': {
    run: true,
    play: (stage) => stage.end('failed'),
    truth: (holder, plan) => ({ first: 'failed', next: execute(plan, holder) }),
  },
  'a run did its task': {
    run: true,
    play: (stage) => stage.end('done'),
    truth: (holder, plan) => ({ first: 'done', next: execute(plan, holder) }),
  },
  'a plan is halted while its run has begun a task': {
    run: true,
    play: async (stage) => {
      await stage.begin(stage.runId);
      await stage.change((plan) => ok(requestHalt(plan, 'lunch', 1, 'user:ada')));
    },
    truth: (holder, plan) => ({ first: byHolder(holder), halted: true, next: resume(plan) }),
  },
};

const byHand: Readonly<Record<string, Scene>> = {
  'a person has begun a task': {
    run: false,
    play: (stage) => stage.begin('user:ada'),
    truth: () => ({ first: 'running', next: 'tutti task complete T001' }),
  },
  'a session that works has begun a task': {
    run: false,
    play: async (stage) => stage.begin(`session:${await stage.session('alive')}`),
    truth: () => ({ first: 'running', next: 'tutti task complete T001' }),
  },
  'a session that vanished has begun a task': {
    run: false,
    play: async (stage) => stage.begin(`session:${await stage.session('dead')}`),
    truth: () => ({ first: 'parked', next: 'tutti checkpoint recover' }),
  },
  'a task is done by hand': {
    run: false,
    play: (stage) => stage.end('done'),
    truth: () => ({ first: 'done', next: 'tutti task start T002' }),
  },
  'a task failed by hand': {
    run: false,
    play: (stage) => stage.end('failed'),
    truth: () => ({ first: 'failed', next: 'tutti task retry T001' }),
  },
  'a task was skipped': {
    run: false,
    play: (stage) => stage.task(first, (state) => skipTask(state, 'no need', 1)),
    truth: () => ({ first: 'skipped', next: 'tutti task retry T001' }),
  },
  'a plan is halted': {
    run: false,
    play: (stage) => stage.change((plan) => ok(requestHalt(plan, 'lunch', 1, 'user:ada'))),
    truth: (_holder, plan) => ({ first: 'ready', halted: true, next: resume(plan) }),
  },
  'there is a STOP file': {
    run: false,
    play: (stage) => stage.stopFile(),
    truth: (_holder, plan) => ({ first: 'ready', halted: true, next: resume(plan) }),
  },
  'the plan was refused': {
    run: false,
    play: (stage) =>
      stage.change((plan) => withApproval(plan, { said: 'refused', reason: null, by: 'ada', at: 1 })),
    truth: () => ({ first: 'ready', next: 'tutti plan approve' }),
  },
};

/** What the conductor of a plan types next in each phase, before anything of it was done. */
const phaseNext: Readonly<Record<PlanPhase, (plan: string) => string | null>> = {
  ingestion: (plan) => `tutti plan init --plan ${plan} --spec FILE`,
  logical: () => 'tutti plan validate capability_map',
  physical: () => 'tutti plan validate physical_map',
  definition: () => 'tutti plan load-tasks',
  validation: () => 'tutti plan validate-tasks VERDICT SUMMARY',
  sequencing: () => 'tutti plan load-tasks && tutti plan advance',
  ready: () => 'tutti plan approve',
  executing: () => 'tutti task start T001',
  complete: () => null,
};

const planScenes: readonly string[] = [
  ...planPhases.map((phase) => `in phase ${phase}`),
  ...Object.keys(byRun),
  ...Object.keys(byHand),
];

/** Plans in every phase, and in every state of execution with every kind of holder. */
export async function playPlans(project: MatrixProject): Promise<readonly PlanCell[]> {
  const cells: PlanCell[] = [];
  for (const phase of planPhases) {
    const id = `in-${phase}`;
    const stage = new Stage(project, id, null);
    await stage.to(phase);
    const loaded = planPhases.indexOf(phase) > planPhases.indexOf('definition');
    const truth: TruePlan = {
      phase,
      total: loaded ? planTasks.length : 0,
      first: loaded ? (phase === 'complete' ? 'done' : 'ready') : null,
      allDone: phase === 'complete',
      halted: false,
      next: phaseNext[phase](id),
    };
    cells.push({ id, scene: `in phase ${phase}`, holder: 'none', run: null, sessions: [], truth });
  }
  for (const [scene, { run, play, truth }] of Object.entries({ ...byRun, ...byHand })) {
    for (const holder of run === false ? (['none'] as const) : holderStates) {
      const id = `plan-${planScenes.indexOf(scene)}-${holder}`;
      const runId = run === false ? null : executeRunId(id);
      if (runId !== null) await project.tutti.store.start(newRun(runId, 'execute', inputOf(project, id)));
      const stage = new Stage(project, id, runId === null ? null : await project.claim(runId, holder));
      await stage.to('executing');
      await play(stage);
      if (stage.isHeld) await project.leave(stage.fence, holder);
      const usual = { phase: 'executing', total: planTasks.length, allDone: false, halted: false } as const;
      const told: TruePlan = { ...usual, first: 'ready', next: null, ...truth(holder, id) };
      const advanced = told.halted ? 'halting' : 'running';
      const underWay = { state: holder === 'alive' ? advanced : 'undriven', outcome: null } as const;
      const state = typeof run === 'object' ? run : underWay;
      const trueRun = runId === null ? null : { id: runId, ...state };
      cells.push({ id, scene, holder, run: trueRun, sessions: stage.sessions, truth: told });
    }
  }
  return cells;
}

function inputOf({ path }: MatrixProject, plan: string) {
  const tasks = planTasks.map((task) => ({
    task,
    after: [],
    behaviors: [],
    layers: {},
    attempt: 1,
    done: null,
  }));
  const constraints = { tech_stack: null, project_context: '' };
  const checksums = { capability_map: '', physical_map: '', spec: '' };
  return plain({ plan, projectDir: path, tasks, selected: null, constraints, checksums, agents: {} });
}

/** What can be done to a plan, each by its own transition. */
class Stage {
  readonly #project: MatrixProject;
  readonly #plan: string;
  readonly #fence: Fence | null;
  readonly sessions: TrueSession[] = [];
  /** Its run is not over. */
  isHeld: boolean;

  constructor(project: MatrixProject, plan: string, fence: Fence | null) {
    this.#project = project;
    this.#plan = plan;
    this.#fence = fence;
    this.isHeld = fence !== null;
  }

  get fence(): Fence {
    if (this.#fence === null) throw new Error('nothing of Tutti executes this plan');
    return this.#fence;
  }

  get runId(): string {
    return this.fence.runId;
  }

  get #store() {
    return this.#project.tutti.store;
  }

  async change(change: (plan: PlanRecord) => PlanChange): Promise<void> {
    const changed = await changePlan(this.#project.tutti, this.#plan, change);
    if (!changed.ok) throw new Error(changed.error);
  }

  async to(phase: PlanPhase): Promise<void> {
    const { paths } = this.#project.tutti;
    const targetDir = join(this.#project.path, 'target');
    const dir = planPathsOf(paths, this.#plan).dir;
    mkdirSync(dir, { recursive: true });
    writePlan(dir, documents);
    const blank = blankPlan({ name: this.#plan, targetDir, projectType: 'new', stack: null, at: 1 });
    await this.#store.createPlan(blank);
    for (const each of planPhases.slice(0, planPhases.indexOf(phase))) {
      await this.#owe(each);
      const open = each === 'executing' ? 0 : planTasks.length;
      await this.change((plan) => advance(plan, { total: planTasks.length, open }));
    }
  }

  /** Does what a phase owes before the next one. */
  async #owe(phase: PlanPhase): Promise<void> {
    const said = { by: 'ada', at: 1 };
    if (phase === 'ingestion') await this.change((plan) => ok(withSpec(plan, 'spec')));
    if (phase === 'logical') await this.change((plan) => ok(withMap(plan, 'capability_map', 'map')));
    if (phase === 'physical') await this.change((plan) => ok(withMap(plan, 'physical_map', 'map')));
    if (phase === 'definition') {
      await takeTasks(this.#project.tutti, this.#plan, planTasks);
      const files = loadTasks(planPathsOf(this.#project.tutti.paths, this.#plan).dir);
      if (!files.ok) throw new Error('the tasks of a good plan are not valid');
      await this.change((plan) => ok(withTasks(plan, files.value.digest, 'same')));
    }
    if (phase === 'validation')
      await this.change((plan) =>
        withVerdict(plan, { verdict: 'READY', summary: 'fine', issues: [], ...said }),
      );
    if (phase === 'ready')
      await this.change((plan) => withApproval(plan, { said: 'approved', reason: null, ...said }));
    if (phase === 'executing') for (const { id } of planTasks) await this.#finish(id, 'done');
  }

  async task(id: string, change: (state: TaskState) => TaskChange): Promise<void> {
    const changed = await changeTask(this.#project.tutti, this.#plan, id, ({ state }) => change(state));
    if (!changed.ok) throw new Error(changed.error);
  }

  async begin(by: string): Promise<void> {
    await this.task(first, (state) => startTask(state, { by, since: 1, snapshot: null }));
    const known = new Set([first]);
    await this.change((plan) => createCheckpoint(plan, [first], { at: 1, known }));
  }

  async end(how: 'done' | 'failed'): Promise<void> {
    await this.#finish(first, how);
  }

  async #finish(id: string, how: 'done' | 'failed'): Promise<void> {
    const by = this.#fence?.runId ?? 'ada';
    await this.task(id, (state) => startTask(state, { by, since: 1, snapshot: null }));
    const verification = { verdict: 'PASS', criteria: [] } as const;
    const files = { created: [], modified: [] };
    const error = { category: 'test', message: 'two tests fail', retryable: true } as const;
    await this.task(id, (state) =>
      how === 'done'
        ? completeTask(state, { endedAt: 2, files, verification, produced: 'x' })
        : failTask(state, { endedAt: 2, error, rescue: null }),
    );
  }

  async turn(launcher: 'alive' | 'dead'): Promise<void> {
    await this.begin(this.runId);
    const key = `${first}@1`;
    await this.#store.open(this.fence, { key, kind: 'session', spec: plain({ ...plainSpec }), priority: 0 });
    const session = { ...newSession, driver: 'mine', baseId: `s-${this.#plan}` };
    const ask = { tokens: 0, costUsd: 0 };
    const { launched } = await this.#store.admit(this.fence, [{ key, attempt: 1, ask, session }]);
    const id = launched[0]?.sessionId ?? '';
    await this.#project.launch(id, launcher);
    await this.#store.begin({ runId: this.runId, key, attempt: 1 });
    this.sessions.push({ id, ...(launcher === 'alive' ? works : vanished) });
  }

  async ask(): Promise<void> {
    await this.begin(this.runId);
    const spec = plain({ text: 'Which way?' });
    await this.#store.open(this.fence, { key: `${first}/question-1@1`, kind: 'ask', spec, priority: 0 });
  }

  async haltRun(): Promise<void> {
    await this.begin(this.runId);
    await this.#store.halt(this.runId, 'lunch');
    await this.#store.settleHalt(this.fence);
    this.isHeld = false;
  }

  async finish(outcome: Exclude<Outcome, 'SUCCESS'>): Promise<void> {
    await this.begin(this.runId);
    const why = failure('ended', 'it was ended', { outcome });
    await this.#store.finish(this.fence, { outcome, value: null, failure: why });
    this.isHeld = false;
  }

  /** A session of somebody's own, which will begin a task. */
  async session(launcher: 'alive' | 'dead'): Promise<string> {
    const spec = { ...plainSpec, workspace: this.#project.path };
    const session = { ...newSession, driver: 'mine', baseId: `agent-${this.#plan}` };
    const input = plain({ spec, after: [], retryMax: 0 });
    const run = newRun('unused', 'session', input, { concurrency: 1 });
    const started = await this.#store.startSession({ run, key: 'session@1', session, slot: 'now' });
    if (started.at !== 'started') throw new Error(started.at);
    const fence = await this.#project.claim(started.id, 'dead');
    await this.#store.open(fence, { key: 'session@1', kind: 'session', spec: plain(spec), priority: 0 });
    const ask = { tokens: 0, costUsd: 0 };
    await this.#store.admit(fence, [{ key: 'session@1', attempt: 1, ask, session }]);
    await this.#project.launch(started.id, launcher);
    await this.#store.begin({ runId: started.id, key: 'session@1', attempt: 1 });
    this.sessions.push({ id: started.id, ...(launcher === 'alive' ? works : vanished) });
    return started.id;
  }

  async stopFile(): Promise<void> {
    writeFileSync(planPathsOf(this.#project.tutti.paths, this.#plan).stop, 'lunch\n');
    await Promise.resolve();
  }
}
