import { loadTasks } from '../../src/app/plan-record/change-plan.ts';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { prepareExecute, type ExecuteRequest } from '../../src/app/plans/executing/prepare-execute.ts';
import { startExecute } from '../../src/app/plans/executing/start-execute.ts';
import { findPlan, type FoundPlan } from '../../src/app/plans/find-plan.ts';
import { planPathsOf } from '../../src/app/plan-files/plan-paths.ts';
import { planSources } from '../../src/app/plans/plan-sources.ts';
import { advanceRun } from '../../src/app/runs/advance-run.ts';
import type { Tutti } from '../../src/app/tutti.ts';
import { ok } from '../../src/lib/result.ts';
import { blankPlan } from '../../src/model/plan/plan-record.ts';
import type { PlanTask } from '../../src/model/plan/plan-task.ts';
import { goodPlan, type PlanDocuments, writePlan } from '../plans/good-plan.ts';
import { tempFolder, type TempFolder } from '../rig/temp-folder.ts';
import { openTutti } from '../rig/trust.ts';

export const plan = 'records';
export const runId = 'records-execute';

/**
 * An executor that writes what its bundle asks for: each file holds the name of the task, so that the content follows from
 * the definition. `agent-rules.json` of the project says where it does otherwise. It notes itself in the ledger.
 */
export const workerProgram = `
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
const { TUTTI_PROJECT: project, TUTTI_PLAN_DIR: plan, TUTTI_TASK: task, TUTTI_STEP: step, TUTTI_RESULT: result } = process.env;
const note = (what) => appendFileSync(join(project, 'ledger'), step + ' ' + what + '\\n');
note('begin');
const bundle = JSON.parse(readFileSync(join(plan, 'bundles', task + '-bundle.json'), 'utf8'));
const rulesFile = join(project, 'agent-rules.json');
const rules = existsSync(rulesFile) ? JSON.parse(readFileSync(rulesFile, 'utf8')) : {};
const rule = rules[step] ?? rules[task] ?? {};
const write = (path, text) => { mkdirSync(dirname(path), { recursive: true }); writeFileSync(path, text); };
let status = 'success';
if (!step.includes('verify')) {
  if (rule.nothing !== true) {
    for (const file of bundle.files) {
      if (file.action === 'delete') rmSync(file.path, { force: true });
      else write(file.path, rule.content ?? 'export const keep = ' + JSON.stringify(bundle.name) + '; // show\\n');
    }
  }
  for (const [path, text] of Object.entries(rule.also ?? {})) {
    const old = existsSync(path) ? readFileSync(path, 'utf8') : '';
    write(path, rule.append === true ? old.split('\\n').filter((line) => !/^[<=>|]{7}/.test(line)).join('\\n').trimEnd() + '\\n' + text : text);
  }
  for (const path of rule.resolve ?? []) {
    const lines = readFileSync(path, 'utf8').split('\\n').filter((line) => !/^[<=>|]{7}/.test(line));
    writeFileSync(path, lines.join('\\n'));
  }
  if (rule.touch !== undefined) writeFileSync(join(project, rule.touch), '');
  if (rule.waitFor !== undefined) {
    const until = Date.now() + 120000;
    while (!existsSync(join(project, rule.waitFor)) && Date.now() < until) await new Promise((go) => setTimeout(go, 10));
  }
  if (rule.linkOut !== undefined) symlinkSync('/etc/passwd', rule.linkOut);
  if (rule.status !== undefined) status = rule.status;
} else {
  if (rule.verdict !== undefined) status = rule.verdict;
  if (rule.tampers !== undefined) writeFileSync(rule.tampers, 'keep what the verifier likes better');
}
writeFileSync(result, JSON.stringify({ status, summary: step + ' said ' + status, notes: [], questions: [] }));
note('end');
`;

export interface Rule {
  /** Leaves the workspace alone. */
  readonly nothing?: boolean;
  readonly content?: string;
  /** Writes these too. */
  readonly also?: Readonly<Record<string, string>>;
  readonly append?: boolean;
  /** Takes the marks of conflicts out of these. */
  readonly resolve?: readonly string[];
  readonly status?: string;
  readonly verdict?: string;
  /** A file that the verifier writes to. */
  readonly tampers?: string;
  /** A link that leads out of the workspace. */
  readonly linkOut?: string;
  /** A file of the project that it waits for. */
  readonly waitFor?: string;
  /** A file of the project that it makes before it waits. */
  readonly touch?: string;
}

export interface Played {
  readonly outcome: string;
  /** Steps that began, sorted. */
  readonly ran: readonly string[];
}

const usual: ExecuteRequest = { parallel: 3, tasks: null, undeclared: null, verify: true, budget: {} };

/** Instead of the worker program: what `tutti.yaml` says, what the operator's shell holds, and where the project is. */
export interface OwnAgent {
  readonly parent?: string;
  readonly config?: object;
  readonly env?: Readonly<Record<string, string>>;
}

/** A repository with a plan that is approved, and an agent of the test's own. */
export class ExecuteProject implements Disposable {
  readonly #folder: TempFolder;
  #seen = 0;

  readonly documents: PlanDocuments;
  readonly #env: Readonly<Record<string, string>>;

  constructor(documents = cheap(goodPlan({ tasks: 4 })), kind: 'git' | 'folder' = 'git', own: OwnAgent = {}) {
    this.#folder = tempFolder(own.parent);
    this.documents = documents;
    this.#env = own.env ?? {};
    writeProject(this.path, documents, kind, own.config);
  }

  get path(): string {
    return join(this.#folder.path, 'project');
  }

  rules(rules: Readonly<Record<string, Rule>>): void {
    this.write('agent-rules.json', JSON.stringify(rules));
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.path, path)), { recursive: true });
    writeFileSync(join(this.path, path), text);
  }

  read(path: string): string {
    return readFileSync(join(this.path, path), 'utf8');
  }

  json(path: string): unknown {
    return JSON.parse(this.read(`.tutti/plans/${plan}/${path}`));
  }

  editTask(id: string, change: (task: PlanTask) => PlanTask): void {
    const file = `.tutti/plans/${plan}/tasks/${id}.json`;
    const task = this.documents.tasks.find((one) => one.id === id);
    if (task === undefined) throw new Error(`the plan has no ${id}`);
    this.write(file, JSON.stringify(change(task), null, 2));
  }

  open(): Tutti {
    const opened = openTutti({
      folder: this.path,
      env: { ...projectEnv(this.path), ...this.#env },
      create: true,
    });
    if (!opened.ok) throw new Error(opened.error.message);
    return opened.value;
  }

  async play(
    request: Partial<ExecuteRequest> = {},
    answer: (question: string) => string | null = () => null,
  ): Promise<Played> {
    using tutti = this.open();
    return await this.playIn(tutti, request, answer);
  }

  async playIn(
    tutti: Tutti,
    request: Partial<ExecuteRequest> = {},
    answer: (question: string) => string | null = () => null,
  ): Promise<Played> {
    await ensurePlan(tutti, this.path);
    const refused = await submit(tutti, request);
    return refused === null ? this.advance(tutti, answer) : { outcome: refused, ran: [] };
  }

  async advance(tutti: Tutti, answer: (question: string) => string | null = () => null): Promise<Played> {
    for (;;) {
      const end = await advanceRun(tutti, { runId, stay: false });
      let any = false;
      for (const { key, question } of await tutti.queries.openQuestions(runId)) {
        const text = answer(question.text);
        if (text === null) continue;
        any = true;
        await tutti.store.answer(runId, key, { text, by: 'test', at: 1 });
      }
      if (!any) return this.#played(end.ok ? end.value : end.error.message);
    }
  }

  #played(outcome: string): Played {
    const lines = this.ledger();
    const ran = lines
      .slice(this.#seen)
      .flatMap((line) => (line.endsWith(' begin') ? [line.slice(0, -6)] : []));
    this.#seen = lines.length;
    return { outcome, ran: ran.toSorted() };
  }

  ledger(): readonly string[] {
    const path = join(this.path, 'ledger');
    return existsSync(path)
      ? readFileSync(path, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
      : [];
  }

  /** Git on the plan's own repository. */
  git(...args: readonly string[]): string {
    return repositoryGit(this.path, args);
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}

export function repositoryGit(project: string, args: readonly string[]): string {
  const [state = ''] = execFileSync('sh', ['-c', `ls -d "${dirname(project)}"/state/tutti/*/${plan}`], {
    encoding: 'utf8',
  }).split('\n');
  return execFileSync('git', [`--git-dir=${join(state, 'repository.git')}`, ...args], {
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'] ?? '',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.bareRepository',
      GIT_CONFIG_VALUE_0: 'all',
    },
  });
}

export function projectEnv(project: string): Record<string, string> {
  const home = dirname(project);
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    XDG_STATE_HOME: join(home, 'state'),
    GIT_CONFIG_GLOBAL: join(home, 'gitconfig'),
  };
}

/** Criteria that need no process of node's. */
export function cheap(documents: PlanDocuments): PlanDocuments {
  const tasks = documents.tasks.map((task) => ({
    ...task,
    acceptance_criteria: task.files.slice(-1).map(({ path }) => ({
      criterion: `The file of ${task.id} says what it keeps`,
      verification: `grep -q keep ${path}`,
    })),
  }));
  return { ...documents, tasks };
}

export function writeProject(
  project: string,
  documents: PlanDocuments,
  kind: 'git' | 'folder',
  config?: object,
): void {
  mkdirSync(project, { recursive: true });
  const agent = join(dirname(project), 'agent.mjs');
  writeFileSync(agent, workerProgram);
  writeFileSync(
    join(dirname(project), 'gitconfig'),
    '[user]\n\tname = operator\n\temail = operator@localhost\n',
  );
  const worker = {
    driver: 'mine',
    drivers: { mine: { type: 'command', command: [process.execPath, agent] } },
  };
  writeFileSync(join(project, 'tutti.yaml'), stringify(config ?? worker));
  writeFileSync(join(project, '.gitignore'), 'ledger\nagent-rules.json\n.tutti/\n');
  if (kind === 'git') {
    const env = { ...projectEnv(project) };
    for (const args of [
      ['init', '-q', '-b', 'main'],
      ['add', '-A'],
      ['commit', '-qm', 'begin'],
    ]) {
      execFileSync('git', args, { cwd: project, env });
    }
  }
  writePlan(join(project, '.tutti', 'plans', plan), documents);
}

/** As if it had been planned, verified and approved. */
export async function ensurePlan(tutti: Tutti, project: string): Promise<FoundPlan> {
  const paths = planPathsOf(tutti.paths, plan);
  for (const folder of paths.folders) mkdirSync(folder, { recursive: true });
  if ((await tutti.queries.plans.one(plan)) === null) {
    await tutti.store.createPlan(
      blankPlan({ name: plan, targetDir: project, projectType: 'new', stack: null, at: 1 }),
    );
    await approve(tutti);
  }
  return required(tutti);
}

/** What a verifier and a person would do after an edit. */
export async function approve(tutti: Tutti): Promise<void> {
  const found = await required(tutti);
  const sources = await planSources(tutti, found);
  if (!sources.ok) throw new Error(`${sources.error.message}\n${sources.error.detail ?? ''}`);
  const { tasks, checksums } = sources.value;
  const { capability_map, physical_map, spec } = checksums;
  const loaded = await loadTasks(tutti, plan, tasks.value, (record) =>
    ok({
      ...record,
      phase: record.phase === 'executing' || record.phase === 'complete' ? record.phase : 'ready',
      specChecksum: spec === '' ? 'checksum' : spec,
      checked: { capability_map, physical_map, tasks: tasks.digest },
      approval: { said: 'approved', reason: null, tasks: tasks.digest, by: 'test', at: 1 },
    }),
  );
  if (!loaded.ok) throw new Error(loaded.error);
}

async function required(tutti: Tutti): Promise<FoundPlan> {
  const found = await findPlan(tutti, plan);
  if (!found.ok) throw new Error(found.error.message);
  return found.value;
}

/** As `tutti execute` would; the sentence when it is refused. */
export async function submit(tutti: Tutti, request: Partial<ExecuteRequest> = {}): Promise<string | null> {
  const prepared = await prepareExecute(tutti, await required(tutti), { ...usual, ...request });
  if (!prepared.ok) return prepared.error.message;
  const started = await startExecute(tutti, prepared.value);
  return started.ok ? null : started.error.message;
}
