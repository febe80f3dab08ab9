import { changeTask, loadTasks } from '../../src/app/plan-record/change-plan.ts';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startTask } from '../../src/model/plan/work-on-task.ts';
import { blankPlan } from '../../src/model/plan/plan-record.ts';
import type { Tutti } from '../../src/app/tutti.ts';
import { goodPlan } from '../plans/good-plan.ts';
import { until } from '../rig/attempt-rig.ts';
import { startTutti, type StartedProgram, tutti as typed } from '../rig/program.ts';
import type { SessionProject } from '../sessions/project.ts';
import { planRun, type TaskId, type TrueRun, type TrueTurn, type Truth } from './truth.ts';
import type { Shown } from './shown.ts';

const flow = `
name: flow
steps:
  - { id: T001, agent: worker, prompt: 'wait go' }
  - { id: T002, needs: [T001], agent: worker, prompt: 'wait go2' }
`;

interface SessionRow {
  readonly id: string;
  readonly run: string;
  readonly key: string;
  readonly attempt: number;
  readonly status: string;
  readonly lost: number;
}

/** Everything that is true, read at one time without the program: tables by SQL, launchers' files, /proc. */
export interface Facts extends Truth {
  /** Two readings with the same text are the same truth. */
  readonly text: string;
}

/** A project on the real machine: the built program, real launchers, real signals. */
export class RealWorld {
  readonly project: SessionProject;
  readonly tutti: Tutti;
  readonly #programs: StartedProgram[] = [];

  constructor(project: SessionProject) {
    this.project = project;
    this.tutti = project.open();
  }

  async begin(): Promise<void> {
    const { path } = this.project;
    writeFileSync(join(path, 'flow.yaml'), flow);
    writeFileSync(join(path, 'prompt.md'), 'wait go');
    const { store } = this.tutti;
    await store.createPlan(
      blankPlan({ name: 'p', targetDir: path, projectType: 'new', stack: null, at: Date.now() }),
    );
    await loadTasks(this.tutti, 'p', goodPlan({ tasks: 2 }).tasks);
  }

  async facts(): Promise<Facts> {
    const { tutti } = this;
    const db = new DatabaseSync(tutti.paths.database, { readOnly: true });
    try {
      const rows = <T>(sql: string): readonly T[] => db.prepare(sql).all() as unknown as readonly T[];
      const sessions = rows<SessionRow>('select id, run, key, attempt, status, lost from sessions');
      const runs = rows<{ id: string; workflow: string; state: string; holder: string | null }>(
        'select id, workflow, state, holder from runs order by ordinal',
      );
      const holders = rows<{ id: string; pid: number; start_time: string }>(
        'select id, pid, start_time from holders',
      );
      const launches = rows<{ run: string; key: string; attempt: number }>(
        'select run, key, attempt from launches',
      );
      const verdicts = rows<{ run: string; key: string }>(
        `select run, key from entries where key like '%/verdict@%' and state = 'done' and outcome = 'SUCCESS'`,
      );
      const tasks = rows<{ id: string; state: string }>(
        `select id, state from plan_tasks where status = 'running'`,
      );
      const logged = (await tutti.queries.plans.one('p'))?.logged?.tokensIn ?? 0;
      const livingPid = (runId: string): number | null => {
        const holder = holders.find(({ id }) => id === runs.find((run) => run.id === runId)?.holder);
        return holder !== undefined && startOf(holder.pid) === holder.start_time ? holder.pid : null;
      };
      const turns = sessions.map((row) => {
        const isLaunched = launches.some(
          ({ run, key, attempt }) => run === row.run && key === row.key && attempt === row.attempt,
        );
        return { row, isLaunched, ...this.#launcher(row.id) };
      });
      const trueRuns = runs
        .filter(({ workflow }) => workflow !== 'session')
        .map(
          ({ id, state }): TrueRun => ({
            id,
            pid: livingPid(id),
            ended: state === 'ended',
            halt: state === 'halting' || state === 'halted' ? state : 'no',
            asks: new Map(),
            proven: new Set(
              verdicts.filter(({ run }) => run === id).map(({ key }) => key.split('/')[0] as TaskId),
            ),
            begun: new Set(id === planRun ? tasks.map((task) => task.id as TaskId) : []),
          }),
        );
      const statuses = new Map(
        turns.map(({ row, isLaunched, process, end }) => {
          const held = livingPid(row.run) !== null;
          return [row.id, statusOf(row, { isLaunched, process, end, held })] as const;
        }),
      );
      const trueTurns = turns.map(
        ({ row, process, isLaunched }): TrueTurn => ({
          id: row.id,
          run: row.run,
          step: row.key.split(/[/@]/)[0] as TaskId,
          process,
          recorded: isLaunched ? 'no' : row.lost === 1 ? 'lost' : 'ended',
        }),
      );
      return {
        runs: trueRuns,
        turns: trueTurns,
        tokens: logged,
        queries: tutti.queries,
        isHeld: ({ pid }) => pid !== null,
        statusOf: ({ id }) => statuses.get(id) ?? { status: 'unknown', lost: false },
        text: JSON.stringify([
          sessions,
          runs,
          holders,
          launches,
          verdicts,
          tasks,
          trueTurns,
          logged,
          trueRuns.map(({ pid }) => pid),
        ]),
      };
    } finally {
      db.close();
    }
  }

  #launcher(id: string): { readonly process: TrueTurn['process']; readonly end: string } {
    const dir = join(this.project.path, '.tutti', 'sessions', id);
    const read = (name: string): string =>
      existsSync(join(dir, name)) ? readFileSync(join(dir, name), 'utf8') : '';
    const end = read('exit');
    if (end.endsWith(' .\n')) return { process: 'exited', end };
    const [, pid, start] = /^started (\d+) (\S+) /.exec(read('started')) ?? [];
    if (pid === undefined) return { process: read('started') === '' ? 'none' : 'gone', end };
    if (startOf(Number(pid)) === start) return { process: 'alive', end };
    return read('ending') === ''
      ? { process: 'gone', end }
      : { process: 'exited', end: 'exit - - killed - - .\n' };
  }

  async create(): Promise<void> {
    await typed(this.project.path, 'session', 'create', 'worker', 'prompt.md');
  }

  async logTokens(): Promise<void> {
    const { code, stderr } = await typed(this.project.path, 'log-tokens', 's', '5', '1', '0', '--plan', 'p');
    if (code !== 0) throw new Error(stderr);
  }

  /** In the foreground of a process of its own; the plan's first task is given to it. */
  async run(): Promise<void> {
    const { path } = this.project;
    const program = startTutti(path, ['run', 'flow.yaml', '--run-id', planRun]);
    this.#programs.push(program);
    const { queries, clock } = this.tutti;
    const early = program.ended.then(async ({ code, stderr }) => {
      if ((await queries.run(planRun)) === null) throw new Error(`run ended with ${code}: ${stderr}`);
    });
    const runs = until('its first turn runs', async () =>
      (await queries.sessions.ofRun(planRun)).some(({ status }) => status === 'RUNNING'),
    );
    await Promise.race([runs, early]);
    const begin = { by: planRun, since: clock.wall(), snapshot: null };
    await changeTask(this.tutti, 'p', 'T001', ({ state }) => startTask(state, begin));
  }

  /** kill -9 for whoever this is, if it lives. */
  kill(pid: number, how: 'process' | 'group' = 'process'): void {
    try {
      process.kill(how === 'group' ? -pid : pid, 'SIGKILL');
    } catch {
      // It has just ended by itself.
    }
  }

  /** Ctrl-C in the terminal of the run. */
  async interruptHolder(): Promise<void> {
    for (const { pid } of (await this.facts()).runs) if (pid !== null) process.kill(pid, 'SIGINT');
  }

  async killHolder(): Promise<void> {
    for (const { pid } of (await this.facts()).runs) if (pid !== null) this.kill(pid);
  }

  async killConductor(): Promise<void> {
    const conductor = await this.tutti.queries.conductor();
    if (conductor !== null && startOf(conductor.pid) === conductor.startTime) this.kill(conductor.pid);
  }

  async killLauncher(pick: number): Promise<void> {
    const alive = (await this.facts()).turns.filter((turn) => turn.process === 'alive');
    const turn = alive[pick % Math.max(1, alive.length)];
    if (turn === undefined) return;
    const text = readFileSync(join(this.project.path, '.tutti', 'sessions', turn.id, 'started'), 'utf8');
    this.kill(Number(/^started (\d+) /.exec(text)?.[1]), 'group');
  }

  async end(): Promise<void> {
    this.project.go('go');
    this.project.go('go2');
    await typed(this.project.path, 'stop', '--all');
    await Promise.all(this.#programs.map(({ ended }) => ended));
  }

  /** What the program prints now, command by command. */
  async shown(): Promise<Shown> {
    const { path } = this.project;
    const lines = async (...args: readonly string[]): Promise<readonly string[]> =>
      (await typed(path, ...args)).stdout.split('\n').filter((line) => line !== '');
    const json = async <T>(...args: readonly string[]): Promise<readonly T[]> =>
      (await lines(...args, '--json')).map((line) => JSON.parse(line) as T);
    const both = async <T>(...args: readonly string[]) => ({
      json: await json<T>(...args),
      text: await lines(...args),
    });
    type Of<K extends keyof Shown> = Awaited<ReturnType<Shown[K]>>;
    const runs = await both<Of<'runs'>['json'][number]>('runs');
    const statuses = new Map<string, Of<'status'>>();
    for (const { run_id: id } of runs.json) {
      const {
        json: [status],
        text,
      } = await both<Of<'status'>['json']>('status', id);
      if (status !== undefined) statuses.set(id, { json: status, text });
    }
    const sessions = await both<Of<'sessions'>['json'][number]>('session', 'list', '--all');
    const {
      json: [plan],
      text,
    } = await both<Of<'plan'>['json']>('plan', 'status', '--plan', 'p');
    const tasks = await both<Of<'tasks'>['json'][number]>('task', 'list', '--plan', 'p');
    if (plan === undefined) throw new Error('plan status printed nothing');
    const totals = Map.groupBy(sessions.json, ({ status }) => status);
    return {
      status: async (id) => {
        const status = statuses.get(id);
        if (status === undefined) throw new Error(`no status of ${id}`);
        return status;
      },
      runs: async () => runs,
      sessions: async () => ({
        ...sessions,
        totals: new Map([...totals].map(([status, of]) => [status, of.length])),
      }),
      plan: async () => ({ json: plan, text }),
      tasks: async () => tasks,
    };
  }
}

interface TurnFacts {
  readonly isLaunched: boolean;
  readonly process: TrueTurn['process'];
  readonly end: string;
  readonly held: boolean;
}

function statusOf({ status, lost }: SessionRow, { isLaunched, process, end, held }: TurnFacts) {
  if (!['CREATED', 'RUNNING'].includes(status)) return { status, lost: lost === 1 };
  if (!isLaunched) return { status, lost: false };
  const gone = { status: 'FAILED', lost: true };
  switch (process) {
    case 'none':
      return held ? { status: 'CREATED', lost: false } : gone;
    case 'alive':
      return { status: 'RUNNING', lost: false };
    case 'gone':
      return gone;
    case 'exited': {
      const [, code, , ended] = end.split(' ');
      const how =
        ended === '-' ? (code === '0' ? 'COMPLETED' : 'FAILED') : ended === 'quota' ? 'FAILED' : 'KILLED';
      return { status: how, lost: false };
    }
  }
}

/** Field 22 of /proc/PID/stat; null: no such process, or a zombie. */
function startOf(pid: number): string | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}
