import { activityNow } from '../../src/app/sessions/activity.ts';
import { countSessions, listSessions } from '../../src/app/sessions/sessions-now.ts';
import { elapsedMs, sessionRowJson } from '../../src/app/sessions/session-row.ts';
import { listTasks } from '../../src/app/plans/agent-led/list-tasks.ts';
import { planStatus } from '../../src/app/plans/agent-led/plan-status.ts';
import { planStatusJson } from '../../src/app/plans/agent-led/plan-status-json.ts';
import { taskRowJson } from '../../src/app/plans/agent-led/task-json.ts';
import { newestRuns } from '../../src/app/runs/newest.ts';
import { runStatus, statusJson } from '../../src/app/status/run-status.ts';
import { runJson, runTable } from '../../src/cli/commands/runs.ts';
import { planStatusLines } from '../../src/cli/render/plan-status.ts';
import { sessionTable } from '../../src/cli/render/session-table.ts';
import { stepLine } from '../../src/cli/render/step-line.ts';
import { painter } from '../../src/cli/render/style.ts';
import { taskListLines } from '../../src/cli/render/task-lines.ts';
import type { Workflow } from '../../src/kernel/ctx.ts';
import { anySession } from '../../src/model/ports/session-queries.ts';
import { taskIds } from './truth.ts';
import type { TruthWorld } from './world.ts';

/** As much of the published forms as is compared. */
interface StatusForm {
  readonly run_id: string;
  readonly state: string;
  readonly driven_by: number | null;
  readonly steps: readonly {
    readonly id: string;
    readonly state: string;
    readonly message: string | null;
  }[];
  readonly questions: readonly { readonly key: string }[];
}

interface PlanForm {
  readonly running: readonly string[];
  readonly parked: readonly { readonly id: string; readonly reason: string }[];
  readonly tokens: { readonly input: number | null };
}

interface SessionForm {
  readonly session_id: string;
  readonly status: string;
  readonly lost: boolean;
}

/** What commands print, as JSON and as text. */
export interface Shown {
  status(runId: string): Promise<{ readonly json: StatusForm; readonly text: readonly string[] }>;
  runs(): Promise<{
    readonly json: readonly { readonly run_id: string; readonly state: string }[];
    readonly text: readonly string[];
  }>;
  sessions(): Promise<{
    readonly json: readonly SessionForm[];
    readonly text: readonly string[];
    readonly totals: ReadonlyMap<string, number>;
  }>;
  plan(): Promise<{ readonly json: PlanForm; readonly text: readonly string[] }>;
  tasks(): Promise<{
    readonly json: readonly { readonly task_id: string; readonly status: string }[];
    readonly text: readonly string[];
  }>;
}

const paint = painter(false);
const page = { limit: null, before: null };

/** Two steps, each of which is proven by its verdict. */
const truthWorkflow: Workflow = {
  name: 'truth',
  run: () => Promise.resolve(null),
  outline: () => taskIds.map((id) => ({ id, needs: [], proof: 'verdict' })),
};

const workflows = new Map([['truth', truthWorkflow]]);

/** JSON as a program reads it. */
function read<T>(value: object): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** What the program shows of a world. */
export function shownOf(world: TruthWorld): Shown {
  const { places, queries } = world;
  const screen = {
    isTerminal: false,
    colour: false,
    columns: () => 1000,
    rows: () => 50,
    onResize: () => ({ [Symbol.dispose]: () => undefined }),
    isClosed: () => false,
    writeBytes: () => Promise.resolve(),
    drained: () => Promise.resolve(),
    writeProblem: () => Promise.resolve(null),
  };
  const plan = async () => {
    const found = await queries.plans.one('p');
    if (found === null) throw new Error('there is no plan');
    return found;
  };
  return {
    status: async (runId) => {
      const status = await runStatus(places, workflows, runId);
      if (status === null) throw new Error(`there is no run ${runId}`);
      const line = { now: world.clock.wall(), columns: 1000, paint, nameWidth: 8 };
      return { json: read(statusJson(status)), text: status.steps.map((step) => stepLine(step, line)) };
    },
    runs: async () => {
      const found = await newestRuns({ queries }, { limit: null, sessions: true });
      return {
        json: await Promise.all(found.map(async (run) => read(await runJson(places, run)))),
        text: await runTable({ screen }, places, found),
      };
    },
    sessions: async () => {
      const found = await listSessions(places, anySession, page);
      const now = world.clock.wall();
      const rows = found.map((session) => ({
        session,
        activity: activityNow(places, session, 'glance'),
        elapsedMs: elapsedMs(session, now),
      }));
      return {
        json: found.map((session) => read(sessionRowJson(session))),
        text: sessionTable(rows, { paint, columns: 1000 }),
        totals: await countSessions(places, anySession),
      };
    },
    plan: async () => {
      const status = await planStatus(places, await plan());
      return { json: read(planStatusJson(status)), text: planStatusLines({ screen }, status) };
    },
    tasks: async () => {
      const rows = await listTasks(places, await plan());
      return {
        json: rows.map(({ node, status }) => read(taskRowJson(node, status))),
        text: taskListLines(rows),
      };
    },
  };
}
