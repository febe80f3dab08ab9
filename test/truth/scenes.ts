import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { stringify } from 'yaml';
import { AgentLedProject } from '../agent-led/project.ts';
import type { CliEnd } from '../cli/rig.ts';
import { processesOf } from '../e2e/project.ts';
import { approvedPlan } from '../pay/scenarios.ts';
import { PayProject, until } from '../pay/project.ts';
import { textOf } from '../plans/good-plan.ts';
import { startTutti } from '../rig/program.ts';

/*
 * What commands report about plans and runs, with this program or an older one.
 */

/** A plan that is worked on by hand, with real processes. */
class HandProject extends AgentLedProject {
  readonly #program: string | undefined;

  constructor(program?: string) {
    super();
    this.#program = program;
  }

  override async type(...words: readonly string[]): Promise<CliEnd> {
    const { stdout, stderr, code } = await startTutti(this.path, words, this.env, this.#program).ended;
    return { out: stdout, err: stderr, code: code ?? -1 };
  }
}

async function inHand(program: string | undefined): Promise<HandProject> {
  const project = new HandProject(program);
  await project.toExecuting();
  return project;
}

/** The criteria in a bundle are made easy; how `bundle validate-integrity` ends. */
export async function changedBundle(program?: string): Promise<number> {
  using project = await inHand(program);
  await project.done('bundle', 'generate', 'T001');
  const file = 'bundles/T001-bundle.json';
  const made = JSON.parse(project.read(file)) as { readonly acceptance_criteria: readonly object[] };
  const easy = made.acceptance_criteria.map((each) => ({ ...each, verification: 'true' }));
  project.write(file, textOf({ ...made, acceptance_criteria: easy }));
  return (await project.type('bundle', 'validate-integrity', 'T001')).code;
}

interface HaltReason {
  /** What `task start` and `confirm-halt` print about a halted plan. */
  readonly start: string;
  readonly confirm: string;
}

/** A plan is halted for a reason while a person works on one of its tasks. */
export async function haltReason(program?: string): Promise<HaltReason> {
  using project = await inHand(program);
  await project.done('task', 'start', 'T001');
  await project.done('halt', 'the schema changes today');
  const confirm = (await project.type('confirm-halt')).err;
  project.work('T001');
  await project.done('task', 'complete', 'T001');
  return { start: (await project.type('task', 'start', 'T002')).err, confirm };
}

/** A person has begun a task by hand: which tasks `checkpoint recover` calls orphaned. */
export async function orphansByHand(program?: string): Promise<readonly string[]> {
  using project = await inHand(program);
  await project.done('checkpoint', 'create', 'T001');
  await project.done('task', 'start', 'T001');
  return (await project.json<{ readonly orphans: readonly string[] }>('checkpoint', 'recover')).orphans;
}

interface NextOfPlan {
  readonly next: string;
  readonly tasks: { readonly ready: number };
}

/** The task that all others need was skipped: the next command by `plan status`, and how many tasks may start after it. */
export async function hintAfterSkip(
  program?: string,
): Promise<{ readonly next: string; readonly ready: number }> {
  using project = await inHand(program);
  await project.done('task', 'skip', 'T001');
  const { next } = await project.json<NextOfPlan>('plan', 'status');
  await project.done(...next.split(' ').slice(1));
  const { tasks } = await project.json<NextOfPlan>('plan', 'status');
  return { next, ready: tasks.ready };
}

/** The process of a plan is killed while an executor works, which ends afterwards: the line of its task in `status`. */
export async function unprovenTurn(program?: string): Promise<string> {
  using project = await approvedPlan(program);
  project.hold('T001');
  const { child, ended } = project.start('execute', '--batch');
  await until(() => project.turns().includes('T001'));
  child.kill('SIGKILL');
  await ended;
  project.release('T001');
  await until(() => processesOf(project.path).length === 0);
  const { stdout } = await project.run('status');
  await project.run('stop', '--all');
  return stdout.split('\n').find((line) => line.includes('T001')) ?? '';
}

/** An execution is stopped while its first task is worked on: what `task list` and `plan status` say of the task. */
export async function stoppedTask(
  program?: string,
): Promise<{ readonly word: string | undefined; readonly running: readonly string[] }> {
  using project = await approvedPlan(program);
  project.hold('T001');
  const { ended } = project.start('execute', '--batch');
  await until(() => project.turns().includes('T001'));
  await project.run('stop', '--all');
  await ended;
  await until(() => processesOf(project.path).length === 0);
  const list = await project.run('task', 'list');
  const status = await project.run('plan', 'status', '--json');
  const { running } = JSON.parse(status.stdout) as { readonly running: readonly string[] };
  return { word: /^T001 +(\w+)/m.exec(list.stdout)?.[1], running };
}

const waiting = `
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
const { TUTTI_PROJECT: project, TUTTI_STEP: step, TUTTI_RESULT: result } = process.env;
appendFileSync(join(project, 'ledger'), step + ' begin\\n');
while (!existsSync(join(project, 'go'))) await new Promise((go) => setTimeout(go, 10));
writeFileSync(result, JSON.stringify({ status: 'success', summary: 'done', notes: [], questions: [] }));
`;

/** The process of a run with one slot is killed, and the agent in that slot ends: the line of the next step in `status`. */
export async function queuedStep(program?: string): Promise<string> {
  using project = new PayProject(program);
  project.write('worker.mjs', waiting);
  const steps = ['a', 'b'].map((id) => ({ id, agent: 'task-executor', prompt: 'Work.' }));
  project.write('flow.yaml', stringify({ name: 'flow', concurrency: 1, steps }));
  const { child, ended } = project.start('run', 'flow.yaml', '--run-id', 'r');
  await until(() => project.turns().includes('a'));
  child.kill('SIGKILL');
  await ended;
  project.write('go', '');
  await until(() => processesOf(project.path).length === 0);
  const { stdout } = await project.run('status', 'r');
  await project.run('stop', '--all');
  return stdout.split('\n').find((line) => /^. b /.test(line)) ?? stdout;
}

interface SessionTimes {
  readonly started: readonly (string | undefined)[];
  readonly ended: readonly (string | undefined)[];
}

/** When a session started and ended, in `state.json`, in `session.log` and by `session status --json`. */
export async function sessionTimes(program?: string): Promise<SessionTimes> {
  using project = new PayProject(program);
  project.write('worker.mjs', waiting);
  project.write('go', '');
  project.write('task.md', 'Work.');
  const created = await project.run('session', 'create', 'task-executor', 'task.md', '--json');
  const { session_id: id } = JSON.parse(created.stdout) as { readonly session_id: string };
  await project.run('session', 'wait', id);
  const shown = await project.run('session', 'status', id, '--json');
  interface Times {
    readonly started_at: string;
    readonly completed_at: string;
  }
  const status = JSON.parse(shown.stdout) as Times;
  const folder = join('.tutti', 'sessions', id);
  const state = JSON.parse(project.read(join(folder, 'state.json'))) as Times;
  const log = project.read(join(folder, 'session.log'));
  const logged = (change: string) =>
    log
      .split('\n')
      .find((line) => line.includes(change))
      ?.replace(/^\[(\S+)\].*$/, '$1');
  await project.run('stop', '--all');
  return {
    started: [state.started_at, logged('CREATED → RUNNING'), status.started_at],
    ended: [state.completed_at, logged('RUNNING → COMPLETED'), status.completed_at],
  };
}

/** The clock was an hour ahead when the first of two runs began: which one is the newest, and their order in `runs`. */
export async function newestRun(
  program?: string,
): Promise<{ readonly newest: string | undefined; readonly listed: readonly string[] }> {
  using project = new PayProject(program);
  project.write('flow.yaml', stringify({ name: 'flow', steps: [{ id: 'a', command: ['true'] }] }));
  await project.run('run', 'flow.yaml', '--run-id', 'first');
  {
    using database = new DatabaseSync(join(project.path, '.tutti', 'tutti.db'), { timeout: 120_000 });
    database.exec('update runs set started_at = started_at + 3600000, ended_at = ended_at + 3600000');
  }
  await project.run('run', 'flow.yaml', '--run-id', 'second');
  const { stdout } = await project.run('runs');
  return {
    newest: /^run (\w+)/.exec((await project.run('status')).stdout)?.[1],
    listed: stdout.match(/first|second/g) ?? [],
  };
}

/** Tutti executes a plan whose agents report a thousand tokens for each of four turns: what the plan says it took. */
export async function tokensOfPlan(
  program?: string,
): Promise<{ readonly status: number; readonly file: number }> {
  using project = await approvedPlan(program);
  const usage = 'usage: { input_tokens: 900, output_tokens: 100 }';
  project.edit('worker.mjs', 'questions: rule.asks ?? []', `questions: [], ${usage}`);
  await project.run('execute', '--batch');
  interface Counted {
    readonly tokens: { readonly input: number; readonly output: number };
  }
  const sum = (text: string): number => {
    const { tokens } = JSON.parse(text) as Counted;
    return tokens.input + tokens.output;
  };
  return {
    status: sum((await project.run('plan', 'status', '--json')).stdout),
    file: sum(project.read(join('.tutti', 'plans', 'records', 'state.json'))),
  };
}
