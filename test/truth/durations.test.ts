import { afterAll, expect, test } from 'vitest';
import { runTable } from '../../src/cli/commands/runs.ts';
import { headOf } from '../../src/cli/render/frame.ts';
import { stepLine } from '../../src/cli/render/step-line.ts';
import { painter } from '../../src/cli/render/style.ts';
import { executionReport } from '../../src/app/views/execution-report.ts';
import { elapsedMs } from '../../src/app/sessions/session-row.ts';
import { runStatus } from '../../src/app/status/run-status.ts';
import type { Workflow } from '../../src/kernel/ctx.ts';
import type { Session } from '../../src/model/session.ts';
import { removeGround, TruthWorld } from './world.ts';

afterAll(removeGround);

const workflow: Workflow = {
  name: 'truth',
  run: () => Promise.resolve(null),
  outline: () => [{ id: 'T001', needs: [], proof: 'verdict' }],
};

const hourMs = 3_600_000;

/** A world whose clock is past the times that launchers' files get from the system. */
async function begin() {
  const world = new TruthWorld();
  world.clock.jump(Date.now() + 1000 * hourMs - world.clock.wall());
  await world.begin();
  await world.start();
  const [run] = world.runs;
  if (run === undefined) throw new Error('no run was started');
  return { world, run };
}

async function launch(world: TruthWorld, run: TruthWorld['runs'][number]) {
  await world.launch(run, 'T001');
  const turn = world.turns.at(-1);
  if (turn === undefined) throw new Error('no turn was launched');
  await world.spawn(turn);
  await world.note(turn);
  return turn;
}

/** Everything that people are shown of the run and its step that has a duration. */
async function look(world: TruthWorld): Promise<readonly string[]> {
  const [run] = world.runs;
  const status = await runStatus(world.places, new Map([['truth', workflow]]), run?.id ?? '');
  if (status === null) throw new Error('there is no run');
  const line = { nameWidth: 8, columns: 200, paint: painter(false) };
  const screen = { colour: false, isTerminal: false } as Parameters<typeof runTable>[0]['screen'];
  const table = await runTable({ screen }, world.places, [status.run]);
  return [
    headOf(status),
    ...status.steps.map((step) => stepLine(step, line)),
    executionReport(status, []),
    // How long ago a run was started is no duration of the run.
    ...table.map((row) => row.replace(/\S+( \S+)? ago$/, '')),
  ];
}

const standing = {
  'whose process died': async ({ world, run }) => {
    await launch(world, run);
    world.clock.jump(5000);
    world.processes.kill(run.pid ?? 0);
    for (const turn of world.turns) world.kill(turn);
  },
  'whose agent ended with no process to record it': async ({ world, run }) => {
    const turn = await launch(world, run);
    world.processes.kill(run.pid ?? 0);
    world.exit(turn, 0);
  },
  'that waits for an answer': async ({ world, run }) => {
    const turn = await launch(world, run);
    world.clock.jump(5000);
    world.exit(turn, 0);
    await world.record(turn);
    await world.ask(run, 'T001');
    await world.park(run);
  },
  'that was halted': async ({ world, run }) => {
    const turn = await launch(world, run);
    world.clock.jump(5000);
    await world.halt(run);
    world.exit(turn, 0);
    await world.record(turn);
    await world.settleHalt(run);
  },
  'that ended': async ({ world, run }) => {
    const turn = await launch(world, run);
    world.clock.jump(5000);
    world.exit(turn, 0);
    await world.record(turn);
    await world.prove(run, 'T001');
    await world.finish(run, 'SUCCESS');
  },
} satisfies Record<string, (begun: Awaited<ReturnType<typeof begin>>) => Promise<void>>;

test.for(Object.entries(standing))('a run %s takes as long an hour later', async ([, stand]) => {
  const begun = await begin();
  await stand(begun);
  const seen = await look(begun.world);
  begun.world.clock.jump(hourMs);
  expect(await look(begun.world)).toEqual(seen);
});

test('a run that a living process advances takes longer an hour later, and so does its step', async () => {
  const { world, run } = await begin();
  await launch(world, run);
  world.clock.jump(hourMs);
  const [head, step] = await look(world);
  expect(head).toContain('running 1h 00m');
  expect(step).toContain('1h 00m');
});

test('an agent that works while no process advances its run takes longer an hour later', async () => {
  const { world, run } = await begin();
  await launch(world, run);
  world.processes.kill(run.pid ?? 0);
  world.clock.jump(hourMs);
  expect((await look(world))[1]).toContain('1h 00m');
});

/** A step that worked for 5 s, stood still for an hour, worked for another 7 s and is proven. */
async function haltedForAnHour(): ReturnType<typeof begin> {
  const { world, run } = await begin();
  const first = await launch(world, run);
  world.clock.jump(5000);
  await world.halt(run);
  world.exit(first, 0);
  await world.record(first);
  await world.settleHalt(run);
  world.clock.jump(hourMs);
  await world.resume(run);
  const second = await launch(world, run);
  world.clock.jump(7000);
  world.exit(second, 0);
  await world.record(second);
  await world.prove(run, 'T001');
  return { world, run };
}

test('a step that stood still for an hour and continued has the time of its parts', async () => {
  const { world } = await haltedForAnHour();
  expect((await look(world))[1]).toContain('12s');
});

test('a run that was halted for an hour and resumed has the time that it was worked on', async () => {
  const { world, run } = await haltedForAnHour();
  await world.finish(run, 'SUCCESS');
  const [head, , report, , row] = await look(world);
  expect(head).toContain('SUCCESS 12s');
  expect(report).toMatch(/^- Ended: \S+ \(12s\)$/m);
  expect(row).toMatch(/SUCCESS +12s/);
});

test('a step that waits for a slot for an hour shows no time', async () => {
  const { world, run } = await begin();
  const fence = { runId: run.id, epoch: run.epoch };
  await world.store.open(fence, { key: 'T001@1', kind: 'task', spec: null, priority: 0 });
  world.clock.jump(hourMs);
  const [head, step] = await look(world);
  expect(head).toContain(' 0.0s ');
  expect(step).not.toMatch(/\d[sm]/);
});

test('a step whose turn nothing has judged yet has not ended', async () => {
  const { world, run } = await begin();
  const turn = await launch(world, run);
  world.exit(turn, 0);
  await world.record(turn);
  const ends = async (): Promise<unknown> => {
    const status = await runStatus(world.places, new Map([['truth', workflow]]), run.id);
    return status?.steps.map(({ state, endedAt }) => [state, endedAt]);
  };
  expect(await ends()).toEqual([['queued', null]]);
  world.clock.jump(hourMs);
  await world.prove(run, 'T001');
  expect(await ends()).toEqual([['done', world.clock.wall()]]);
});

test('a session that has not started has taken no time, and a finished one as long as its launcher says', () => {
  const session = { createdAt: 1000, startedAt: null, endedAt: null };
  const after = (more: object): number => elapsedMs({ ...session, ...more } as Session, hourMs);
  expect(after({})).toBe(0);
  expect(after({ endedAt: 9000 })).toBe(0);
  expect(after({ startedAt: 2000, endedAt: 9000 })).toBe(7000);
  expect(after({ startedAt: 2000 })).toBe(hourMs - 2000);
});

test('a turn whose end is recorded later ended when its launcher says', async () => {
  const { world, run } = await begin();
  const { key } = await launch(world, run);
  const endedAt = world.clock.wall() + 4000;
  world.clock.jump(hourMs);
  const usage = { inputTokens: null, outputTokens: null, costUsd: null };
  const end = { status: 'COMPLETED', exitCode: 0, outcome: 'SUCCESS', usage, endedAt } as const;
  const done = { at: 'done', outcome: 'SUCCESS', value: null } as const;
  await world.store.complete({ runId: run.id, key, attempt: 1 }, done, end);
  expect((await world.queries.entries(run.id)).map((entry) => entry.endedAt)).toEqual([endedAt]);
});
