import { existsSync, globSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { resumeRun } from '../../src/app/runs/control.ts';
import { killRuns } from '../../src/app/runs/kill-runs.ts';
import { stopRun } from '../../src/app/runs/stop-run.ts';
import type { Tutti } from '../../src/app/tutti.ts';
import { stepIdOf } from '../../src/model/key.ts';
import { stoppedWithRun } from '../../src/model/ports/host.ts';
import { goodPlan } from '../plans/good-plan.ts';
import { until } from '../rig/attempt-rig.ts';
import { cheap, ExecuteProject, type Played, plan, runId } from './project.ts';

const slow = { timeout: 300_000 };

/** Notes where it runs, and waits there while the project has a file `slow`. */
function waitIn(project: string, folders: string): string {
  const wait = `touch '${project}/waits'; if [ -e '${project}/slow' ]; then exec sleep 1000; fi`;
  return `case $PWD in ${folders}) ${wait};; esac`;
}

/** How the attempts of a step ended, as it is recorded. */
async function recorded(tutti: Tutti, step: string): Promise<readonly string[]> {
  return (await tutti.queries.events(runId, 0)).flatMap(({ event }) =>
    event.type === 'step.ended' && stepIdOf(event.key) === step ? [event.state] : [],
  );
}

/** Stops the run from another process's point of view once a command waits; then nothing waits any more, and it is resumed. */
async function stopAndResume(
  project: ExecuteProject,
  step: string,
  meanwhile: () => void = () => undefined,
): Promise<{ readonly stopped: Played; readonly left: readonly string[]; readonly resumed: Played }> {
  project.write('slow', '');
  using holder = project.open();
  const playing = project.playIn(holder);
  const waits = until('the command waits', () => existsSync(join(project.path, 'waits')));
  await Promise.race([waits, playing.then((end) => Promise.reject(new Error(`it ended: ${end.outcome}`)))]);
  using other = project.open();
  // What `stop` does first, and the holder learns of it only by what it kills: the slowest holder there is. It begins again what
  // was killed as long as it knows of no stop, so something may be left.
  await killRuns(other, [runId], stoppedWithRun);
  await until('the end of the step is recorded', async () => (await recorded(other, step)).length > 0);
  expect(await stopRun(other, runId)).toMatchObject({ ok: true, value: { unrecorded: null, left: [] } });
  const stopped = await playing;
  const left = await recorded(other, step);
  rmSync(join(project.path, 'slow'));
  meanwhile();
  expect(await resumeRun(other, runId, [])).toMatchObject({ ok: true });
  const questions: string[] = [];
  const resumed = await project.advance(other, (question) => {
    questions.push(question);
    return null;
  });
  expect(questions).toEqual([]);
  return { stopped, left, resumed };
}

/** Whatever was killed with the process that launches commands is lost, and begins again like what was dropped. */
function expectNoVerdict(ends: readonly string[]): void {
  expect(ends.length).toBeGreaterThan(0);
  expect(ends.filter((end) => end !== 'dropped' && end !== 'lost')).toEqual([]);
}

/** Two tasks that need nothing of each other; the acceptance command of T001 is this. */
function accepting(command: (project: string) => string): ExecuteProject {
  const { tasks, ...documents } = cheap(goodPlan({ tasks: 2 }));
  const free = tasks.map((task) => ({ ...task, dependencies: { tasks: [], external: [] } }));
  const project = new ExecuteProject({ ...documents, tasks: free });
  project.editTask('T001', (task) => ({
    ...task,
    acceptance_criteria: [
      { criterion: 'The file of T001 says what it keeps', verification: command(project.path) },
    ],
  }));
  return project;
}

test(
  'a stop while merged work is judged is no verdict: the landing is dropped, and resume pays nothing',
  slow,
  async () => {
    using project = accepting((path) => waitIn(path, '*/landing*'));
    // Only work that is merged with other work is judged again.
    project.rules({ T001: { waitFor: 'go' } });
    using tutti = project.open();
    const merging = until('T002 has landed', async () =>
      (await recorded(tutti, 'T002/land')).includes('done'),
    ).then(() => {
      project.write('go', '');
    });
    const { stopped, left, resumed } = await stopAndResume(project, 'T001/land');
    await merging;
    expect(stopped).toEqual({ outcome: 'INTERRUPTED', ran: ['T001', 'T001/verify', 'T002', 'T002/verify'] });
    expectNoVerdict(left);
    expect(resumed).toEqual({ outcome: 'SUCCESS', ran: [] });
  },
);

test(
  'a task whose workspace was removed while it was stopped fails with that reason, and no agent is started',
  slow,
  async () => {
    using project = accepting((path) => waitIn(path, '*T001*'));
    const { stopped, left, resumed } = await stopAndResume(project, 'T001/accept-1', () => {
      const state = join(dirname(project.path), 'state');
      const [work = ''] = globSync(join(state, 'tutti', '*', plan, 'work', 'T001*'));
      rmSync(work, { recursive: true });
    });
    expect(stopped.outcome).toBe('INTERRUPTED');
    using tutti = project.open();
    expectNoVerdict(left);
    expect(resumed.ran.filter((turn) => turn.startsWith('T001'))).toEqual([]);
    expect((await tutti.queries.plans.task(plan, 'T001'))?.state).toMatchObject({
      at: 'failed',
      error: { message: expect.stringMatching(/^its workspace \S+T001-1 does not exist any more$/) },
    });
  },
);

test('a stop during an acceptance command is no verdict, and resume pays for no healing', slow, async () => {
  using project = accepting((path) => waitIn(path, '*T001*'));
  const { stopped, left, resumed } = await stopAndResume(project, 'T001/accept-1');
  expect(stopped.outcome).toBe('INTERRUPTED');
  expectNoVerdict(left);
  expect(resumed.outcome).toBe('SUCCESS');
  expect(project.ledger().filter((line) => line.startsWith('T001') && line.endsWith('begin'))).toEqual([
    'T001 begin',
    'T001/verify begin',
  ]);
});

test(
  'a stop while a workspace is prepared is no failed setup: resume prepares it and asks nothing',
  slow,
  async () => {
    using project = new ExecuteProject(cheap(goodPlan({ tasks: 2 })));
    const setup = [['sh', '-c', `case $PWD in *T001*) ${waitIn(project.path, '*')};; esac`]];
    project.write('tutti.yaml', `${project.read('tutti.yaml')}${stringify({ workspace: { setup } })}`);
    const { stopped, left, resumed } = await stopAndResume(project, 'T001/workspace');
    expect(stopped).toEqual({ outcome: 'INTERRUPTED', ran: [] });
    expectNoVerdict(left);
    expect(resumed.outcome).toBe('SUCCESS');
  },
);
