import { sessionStatuses } from '../../src/model/session.ts';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type * as NextCommand from '../../src/app/plans/agent-led/next-command.ts';
import type * as ParkedTasks from '../../src/app/plans/agent-led/parked-tasks.ts';
import type * as Overdue from '../../src/app/runs/overdue.ts';
import type * as SessionsNow from '../../src/app/sessions/sessions-now.ts';
import type * as SessionStatus from '../../src/app/sessions/status.ts';
import type * as LivingHolder from '../../src/app/status/living-holder.ts';
import type * as OpenQuestions from '../../src/app/status/open-questions.ts';
import type * as RunStatus from '../../src/app/status/run-status.ts';
import type * as StepStatus from '../../src/app/status/step-status.ts';
import type * as RunHint from '../../src/cli/render/run-hint.ts';
import type * as SessionNow from '../../src/model/session-now.ts';
import { SqliteStore } from '../../src/store/sqlite-store.ts';
import { findLies, type Matrix } from './matrix/calls.ts';
import { playMatrix } from './matrix/matrix.ts';
import { deadPid } from './matrix/project.ts';
import { rows } from './matrix/rows.ts';

/** The lie that the program tells now, by its name; each is a function of the program that was put aside. */
const told = vi.hoisted(() => ({ now: '' }));

const lies = {
  'the holder of a run is not looked for among the living': 'status',
  'a session is what its row says': 'session list',
  'a session that ended counts as running': 'session list',
  'a turn is ✔ before its gates': 'status',
  'a task that was begun is running': 'task list',
  'a list of runs shows what their rows say': 'runs',
  'a session that ended has a process': 'session status',
  'a question outlives the session that asked it': 'inbox',
  'the next command of a plan helps in no state': 'plan status',
  'a run that nothing advances has no next command': 'status',
  'a slot stays taken': 'status',
  'a look writes': 'runs',
} as const;

const tells = (lie: keyof typeof lies): boolean => told.now === lie;

vi.mock('../../src/app/status/living-holder.ts', async (original) => {
  const real = await original<typeof LivingHolder>();
  const advancingHolder: typeof real.advancingHolder = async (facts, run) =>
    tells('the holder of a run is not looked for among the living')
      ? facts.queries.holder(run.id)
      : real.advancingHolder(facts, run);
  return { ...real, advancingHolder };
});

vi.mock('../../src/model/session-now.ts', async (original) => {
  const real = await original<typeof SessionNow>();
  const sessionNow: typeof real.sessionNow = (row, launcher, place) =>
    tells('a session is what its row says') ? row : real.sessionNow(row, launcher, place);
  return { ...real, sessionNow };
});

vi.mock('../../src/app/sessions/sessions-now.ts', async (original) => {
  const real = await original<typeof SessionsNow>();
  const countSessions: typeof real.countSessions = async (tutti, filter) => {
    if (!tells('a session that ended counts as running')) return real.countSessions(tutti, filter);
    const totals = await tutti.queries.sessions.totals(filter);
    return new Map(sessionStatuses.map((status) => [status, totals[status] ?? 0]));
  };
  return { ...real, countSessions };
});

vi.mock('../../src/app/status/step-status.ts', async (original) => {
  const real = await original<typeof StepStatus>();
  const stepStatuses: typeof real.stepStatuses = (...args) =>
    real
      .stepStatuses(...args)
      .map((step) =>
        tells('a turn is ✔ before its gates') && step.message?.includes('nothing has judged') === true
          ? { ...step, state: 'done' }
          : step,
      );
  return { ...real, stepStatuses };
});

vi.mock('../../src/app/plans/agent-led/parked-tasks.ts', async (original) => {
  const real = await original<typeof ParkedTasks>();
  const findParked: typeof real.findParked = async (...args) =>
    tells('a task that was begun is running') ? [] : real.findParked(...args);
  return { ...real, findParked };
});

vi.mock('../../src/app/status/run-status.ts', async (original) => {
  const real = await original<typeof RunStatus>();
  const summaryOf: typeof real.summaryOf = (run, facts) =>
    tells('a list of runs shows what their rows say') ? run.state.at : real.summaryOf(run, facts);
  const runStatus: typeof real.runStatus = async (...args) => {
    const status = await real.runStatus(...args);
    if (status === null || !tells('a slot stays taken')) return status;
    const parts = status.steps.flatMap((step) => step.parts);
    return { ...status, atWork: parts.filter(({ state }) => state === 'launched').length };
  };
  return { ...real, summaryOf, runStatus };
});

vi.mock('../../src/app/sessions/status.ts', async (original) => {
  const real = await original<typeof SessionStatus>();
  const sessionView: typeof real.sessionView = async (...args) => {
    const view = await real.sessionView(...args);
    return tells('a session that ended has a process') ? { ...view, pid: view.pid ?? deadPid } : view;
  };
  return { ...real, sessionView };
});

vi.mock('../../src/app/status/open-questions.ts', async (original) => {
  const real = await original<typeof OpenQuestions>();
  const findOpenQuestions: typeof real.findOpenQuestions = async (places, runId) =>
    tells('a question outlives the session that asked it')
      ? places.queries.openQuestions(runId ?? null)
      : real.findOpenQuestions(places, runId);
  return { ...real, findOpenQuestions };
});

vi.mock('../../src/app/plans/agent-led/next-command.ts', async (original) => {
  const real = await original<typeof NextCommand>();
  const nextCommand: typeof real.nextCommand = (...args) =>
    tells('the next command of a plan helps in no state') ? 'tutti plan advance' : real.nextCommand(...args);
  return { ...real, nextCommand };
});

vi.mock('../../src/cli/render/run-hint.ts', async (original) => {
  const real = await original<typeof RunHint>();
  const runHint: typeof real.runHint = (status) =>
    tells('a run that nothing advances has no next command') ? null : real.runHint(status);
  return { ...real, runHint };
});

vi.mock('../../src/app/runs/overdue.ts', async (original) => {
  const real = await original<typeof Overdue>();
  const overdueRuns: typeof real.overdueRuns = async (tutti) => {
    if (tells('a look writes')) await tutti.store.note(null, { type: 'session.archived', session: 's' });
    return real.overdueRuns(tutti);
  };
  return { ...real, overdueRuns };
});

let matrix: Matrix;

beforeAll(async () => {
  matrix = await playMatrix();
});

afterEach(() => {
  told.now = '';
  vi.restoreAllMocks();
});

afterAll(() => {
  matrix.project[Symbol.dispose]();
});

function rowOf(words: string): (typeof rows)[string] {
  const row = rows[words];
  if (row === undefined) throw new Error(`${words} has no row`);
  return row;
}

test.each([...new Set(Object.values(lies))])(
  'tutti %s tells the truth while no lie is planted',
  async (words) => {
    expect(await findLies(matrix, words, rowOf(words))).toEqual([]);
  },
);

test.each(Object.entries(lies))('control: the matrix finds that %s', async (lie, words) => {
  if (lie === 'a look writes') vi.spyOn(SqliteStore.prototype, 'refuseChanges').mockResolvedValue();
  told.now = lie;
  expect(await findLies(matrix, words, rowOf(words))).not.toEqual([]);
});

test('control: a look that tries to write is found although the database refuses', async () => {
  told.now = 'a look writes';
  const found = (await findLies(matrix, 'runs', rowOf('runs'))).join('\n');
  expect(found).toMatch(/readonly/);
  expect(found).not.toMatch(/it changed a row/);
});
