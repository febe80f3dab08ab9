import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { expect, test } from 'vitest';
import { changeRows } from '../rig/change-rows.ts';
import { askPastGone } from '../../src/kernel/past-gone.ts';
import { conduct } from '../../src/app/conductor/conduct.ts';
import { advanceRun } from '../../src/app/runs/advance-run.ts';
import { killSession } from '../../src/app/session-control/kill.ts';
import { reportJson, reportLines } from '../../src/app/session-control/watchdog-words.ts';
import { Watchdog, type WatchReport } from '../../src/app/session-control/watchdog.ts';
import type { Tutti } from '../../src/app/tutti.ts';
import { workflows } from '../../src/app/workflows.ts';
import { Engine } from '../../src/kernel/engine.ts';
import { recorded } from '../../src/lib/json.ts';
import { isAlive } from '../../src/lib/process/identity.ts';
import type { SessionEvent } from '../../src/model/event.ts';
import type { Session } from '../../src/model/session.ts';
import { readStart } from '../../src/runtime/attempt-files.ts';
import { until } from '../rig/attempt-rig.ts';
import { VirtualClock } from '../rig/virtual-clock.ts';
import { SessionProject } from './project.ts';
import { startOnly, undriven } from './undriven.ts';

const minute = 60_000;
const mb = 1024 ** 2;

/** Of a process that has ended: nothing follows it. */
function running(project: SessionProject, tutti: Tutti, prompt = 'wait never'): Promise<Session> {
  const id = project.createApart(prompt, { maxDurationMs: 10 * minute });
  return project.untilStatus(tutti, id, 'RUNNING');
}

/** As if it had begun so long ago. */
function backdate(tutti: Tutti, { id }: Session, ms: number): void {
  const at = tutti.clock.wall() - ms;
  changeRows(tutti, 'update sessions set created_at = ? where id = ?', at, id);
  changeRows(tutti, 'update sessions set begun_at = ? where id = ? and begun_at is not null', at, id);
}

async function told(tutti: Tutti, type: SessionEvent['type']): Promise<readonly object[]> {
  return [...(await tutti.queries.audit.events({ since: 0, session: null, types: [type] }, 0, 1000))].map(
    ({ event }) => event,
  );
}

function sentences(report: WatchReport): readonly string[] {
  return report.deeds.map(({ did, message }) => `${did}: ${message}`);
}

function launcherOf(tutti: Tutti, { id }: Session) {
  const start = readStart(tutti.paths.session(id));
  if (start.kind !== 'started') throw new Error(`${id} was not started`);
  return start.launcher;
}

test('a session past its deadline whose launcher did not end it is ended, with the outcome TIMEOUT', async () => {
  await using project = new SessionProject();
  await using alone = await undriven(project);
  const { tutti } = alone;
  const session = await running(project, tutti);
  backdate(tutti, session, 10 * minute + 30_000);
  expect((await new Watchdog(tutti).look()).deeds).toEqual([]);
  backdate(tutti, session, 12 * minute);
  const report = await new Watchdog(tutti).look();
  expect(report.deeds).toEqual([
    {
      session: session.id,
      did: 'ended',
      message: 'Timeout: it may run for 10m 00s, and its launcher did not end it',
    },
  ]);
  expect(await tutti.queries.sessions.one(session.id)).toMatchObject({
    status: 'KILLED',
    outcome: 'TIMEOUT',
  });
  expect(project.state(session.id)).toMatchObject({ status: 'KILLED', ended: 'timeout' });
  expect(isAlive(launcherOf(tutti, session))).toBe(false);
  expect(await told(tutti, 'session.killed')).toMatchObject([{ by: 'watchdog' }]);
  const log = readFileSync(join(tutti.paths.logs, 'orchestrator.log'), 'utf8').split('\n');
  expect(log.filter((line) => line.includes('Timeout'))).toEqual([
    expect.stringContaining(`Session ${session.id} killed by watchdog: Timeout`),
    expect.stringContaining(`Session ${session.id}: RUNNING → KILLED (Timeout, outcome TIMEOUT`),
  ]);
  expect((await new Watchdog(tutti).look()).deeds).toEqual([]);
  await advanceRun(tutti, { runId: session.runId, stay: false });
});

test('control: ended without saying first that its time was over, it would count as killed', async () => {
  await using project = new SessionProject();
  await using alone = await undriven(project);
  const { tutti } = alone;
  const { id } = await running(project, tutti);
  await killSession(tutti, { id, reason: 'Timeout', by: 'test' });
  expect((await tutti.queries.sessions.one(id))?.outcome).not.toBe('TIMEOUT');
});

test('after a sleep of the machine a launcher gets its grace before anybody calls it late', async () => {
  await using project = new SessionProject();
  await using alone = await undriven(project);
  const session = await running(project, alone.tutti);
  const clock = new VirtualClock(alone.tutti.clock.wall());
  const tutti = recorded<Tutti>(Object.assign(Object.create(alone.tutti), { clock }));
  const watchdog = new Watchdog(tutti);
  const look = async () => sentences(await watchdog.look()).filter((text) => text.includes('Timeout'));
  expect(await look()).toEqual([]);
  clock.suspend(60 * minute);
  expect(await look()).toEqual([]);
  clock.advance(59_000);
  expect(await look()).toEqual([]);
  clock.advance(1000);
  expect(await look()).toEqual([expect.stringContaining('ended: Timeout')]);
  expect((await alone.tutti.queries.sessions.one(session.id))?.outcome).toBe('TIMEOUT');
  await advanceRun(alone.tutti, { runId: session.runId, stay: false });
});

test('a stall is told once, and the next one again', async () => {
  await using project = new SessionProject();
  await using alone = await undriven(project);
  const { tutti } = alone;
  const other = project.open();
  const session = await running(project, tutti);
  const log = join(tutti.paths.session(session.id), 'output.log');
  changeRows(tutti, 'update sessions set begun_at = ?', tutti.clock.wall() - 9 * minute);
  expect((await new Watchdog(tutti).look()).deeds).toEqual([]);
  const silentFor = (ms: number) => {
    const at = (tutti.clock.wall() - ms) / 1000;
    utimesSync(log, at, at);
  };
  // Stalled is a matter of configuration: ten minutes.
  changeRows(tutti, `update sessions set begun_at = ?`, tutti.clock.wall() - 10.5 * minute);
  silentFor(10.2 * minute);
  const both = await Promise.all([new Watchdog(tutti).look(), new Watchdog(other).look()]);
  expect(both.flatMap(sentences)).toEqual([expect.stringContaining('warned: Stalled: nothing heard since')]);
  expect((await new Watchdog(tutti).look()).deeds).toEqual([]);
  // It spoke after that warning, and is silent again.
  changeRows(
    tutti,
    `update events set at = ? where type = 'session.warned'`,
    tutti.clock.wall() - 10.1 * minute,
  );
  silentFor(10.05 * minute);
  expect(sentences(await new Watchdog(tutti).look())).toHaveLength(1);
  expect(await told(tutti, 'session.warned')).toHaveLength(2);
});

test('a session that fills its folder is warned once, and ended when it is too full', async () => {
  await using project = new SessionProject();
  await using alone = await undriven(project);
  const launching = alone.tutti;
  const session = await running(project, launching);
  // Its launcher knows other limits, so this is the second line.
  const yaml = join(project.path, 'tutti.yaml');
  const limits = stringify({ limits: { disk_warn: '1MB', disk_fail: '3MB' } });
  writeFileSync(yaml, `${readFileSync(yaml, 'utf8')}${limits}`);
  const tutti = project.open();
  const fill = join(tutti.paths.session(session.id), 'core');
  expect((await new Watchdog(tutti).look()).deeds).toEqual([]);
  writeFileSync(fill, Buffer.alloc(2 * mb, 1));
  expect(sentences(await new Watchdog(tutti).look())).toEqual([
    expect.stringMatching(/^warned: Quota: its folder holds 2/),
  ]);
  expect((await new Watchdog(tutti).look()).deeds).toEqual([]);
  writeFileSync(fill, Buffer.alloc(4 * mb, 1));
  expect(sentences(await new Watchdog(tutti).look())).toEqual([
    expect.stringMatching(/^ended: Quota: its folder holds 4/),
  ]);
  expect(await tutti.queries.sessions.one(session.id)).toMatchObject({
    status: 'FAILED',
    outcome: 'BUDGET_EXCEEDED',
  });
  await advanceRun(tutti, { runId: session.runId, stay: false });
});

test('a session whose launcher vanished is recorded, unless somebody advances its run', async () => {
  await using project = new SessionProject();
  await using alone = await undriven(project);
  const { tutti } = alone;
  const session = await running(project, tutti);
  const launcher = launcherOf(tutti, session);
  process.kill(-launcher.pid, 'SIGKILL');
  await until('the launcher is gone', () => !isAlive(launcher));
  const claim = await askPastGone(isAlive, (gone) =>
    tutti.store.claim(session.runId, { me: tutti.me, monotonic: tutti.clock.monotonic(), gone }, minute),
  );
  if (claim.at !== 'claimed') throw new Error(claim.at);
  expect((await new Watchdog(tutti).look()).deeds).toEqual([]);
  expect((await tutti.queries.sessions.one(session.id))?.status).toBe('RUNNING');
  await tutti.store.release({ runId: session.runId, epoch: claim.image.run.epoch });
  const report = await new Watchdog(tutti).look();
  expect(sentences(report)).toEqual([
    'warned: its process vanished without a word',
    'settled: its end was recorded: FAILED, outcome FAILURE',
  ]);
  expect(reportLines(report)).toEqual([
    `session ${session.id}: warned: its process vanished without a word`,
    `session ${session.id}: settled: its end was recorded: FAILED, outcome FAILURE`,
    'looked at 1 live session',
  ]);
  expect((await new Watchdog(tutti).look()).deeds).toEqual([]);
  await tutti.store.cancel(session.runId);
  await advanceRun(tutti, { runId: session.runId, stay: false });
});

test('a session that ended while nobody advanced is recorded without a warning', async () => {
  await using project = new SessionProject();
  await using alone = await undriven(project);
  const { tutti } = alone;
  const session = await running(project, tutti, 'wait go');
  project.go('go');
  await until('it is over', () => existsSync(join(tutti.paths.session(session.id), 'exit')));
  await until('its launcher is gone', () => !isAlive(launcherOf(tutti, session)));
  expect(sentences(await new Watchdog(tutti).look())).toEqual([
    'settled: its end was recorded: COMPLETED, outcome SUCCESS',
  ]);
  await advanceRun(tutti, { runId: session.runId, stay: false });
});

test('a created session that nobody ever starts gives its slot back when its time is over', async () => {
  await using project = new SessionProject({ max_sessions: 1 });
  await using alone = await undriven(project);
  const { tutti } = alone;
  const start = () => startOnly(project, tutti);
  const id = await start();
  expect(await start()).toBe('full');
  const session = await tutti.queries.sessions.one(id);
  if (session === null) throw new Error('it is not there');
  backdate(tutti, session, 10 * minute);
  expect((await new Watchdog(tutti).look()).deeds).toEqual([]);
  backdate(tutti, session, 12 * minute);
  expect(sentences(await new Watchdog(tutti).look())).toEqual([
    expect.stringMatching(/^warned: it was created 12m \d\ds ago and never started$/),
    expect.stringMatching(/^gave-up: it was created 12m \d\ds ago and never started$/),
  ]);
  expect((await tutti.queries.sessions.one(id))?.status).toBe('KILLED');
  expect(await start()).not.toBe('full');
});

test('a session that was launched in the tables only is recorded as lost when its time is over', async () => {
  await using project = new SessionProject();
  await using alone = await undriven(project);
  const { tutti } = alone;
  const id = await startOnly(project, tutti);
  // As by a process that dies right after its intent to launch.
  const { store, clock, me } = tutti;
  const died = new Promise<never>(() => undefined);
  const silent = { launch: () => died, adopt: () => died, end: () => undefined };
  const engine = new Engine({ store, host: silent, clock, workflows, me, isAlive, leaseMs: minute });
  void engine.advance(id, { stay: false }).catch(() => undefined);
  await until('it is launched', async () => (await tutti.queries.sessions.launched()).length === 1);
  engine[Symbol.dispose]();
  changeRows(tutti, 'update runs set holder = null where id = ?', id);
  expect((await new Watchdog(tutti).look()).deeds).toEqual([]);
  changeRows(tutti, 'update sessions set created_at = ?', clock.wall() - 12 * minute);
  changeRows(tutti, 'update entries set opened_at = ?', clock.wall() - 12 * minute);
  expect(sentences(await new Watchdog(tutti).look())).toEqual([
    'warned: it was launched and never seen to run',
    'settled: its end was recorded: FAILED, outcome FAILURE',
  ]);
  await store.cancel(id);
  await advanceRun(tutti, { runId: id, stay: false });
});

test('what does not fit together is told and left as it is; half a move into the archive is finished', async () => {
  await using project = new SessionProject();
  await using alone = await undriven(project);
  const { tutti } = alone;
  const sessions = await Promise.all(['a', 'b'].map(() => running(project, tutti, 'wait go')));
  project.go('go');
  for (const { id, runId } of sessions) {
    await until('it is over', () => existsSync(join(tutti.paths.session(id), 'exit')));
    await advanceRun(tutti, { runId, stay: false });
  }
  const [moved, lost] = sessions.map(({ id }) => id);
  mkdirSync(join(tutti.paths.state, 'archive', 'sessions'), { recursive: true });
  renameSync(tutti.paths.session(moved ?? ''), tutti.paths.archived(moved ?? ''));
  rmSync(tutti.paths.session(lost ?? ''), { recursive: true });
  const stray = join(tutti.paths.state, 'sessions', 'who-is-this');
  mkdirSync(stray);
  const report = await new Watchdog(tutti).look();
  expect(sentences(report)).toEqual(['repaired: its way into the archive was finished']);
  expect(report.leftovers).toEqual({ folders: ['who-is-this'], missing: [lost] });
  expect(existsSync(stray)).toBe(true);
  expect((await tutti.queries.sessions.one(moved ?? ''))?.archivedAt).not.toBeNull();
  expect(reportJson(report)).toMatchObject({
    sessions: 0,
    actions: [{ session_id: moved, action: 'repaired' }],
    leftovers: { folders: ['who-is-this'], missing: [lost] },
  });
  expect((await new Watchdog(tutti).look()).deeds).toEqual([]);
});

test('all folders together are told about once a day', async () => {
  await using project = new SessionProject({ limits: { total_disk_warn: '1MB' } });
  await using alone = await undriven(project);
  const { tutti } = alone;
  mkdirSync(join(tutti.paths.state, 'sessions', 'x'), { recursive: true });
  writeFileSync(join(tutti.paths.state, 'sessions', 'x', 'core'), Buffer.alloc(2 * mb, 1));
  expect(sentences(await new Watchdog(tutti).look())).toEqual([expect.stringContaining('more than 1 MB')]);
  expect((await new Watchdog(tutti).look()).deeds).toEqual([]);
  changeRows(tutti, 'update events set at = at - 86400001');
  expect(sentences(await new Watchdog(tutti).look())).toHaveLength(1);
});

test('the conductor looks after sessions while it advances', async () => {
  await using project = new SessionProject();
  await using alone = await undriven(project);
  const { tutti } = alone;
  const session = await running(project, tutti, 'wait go');
  changeRows(tutti, 'update sessions set begun_at = ?', tutti.clock.wall() - 10.5 * minute);
  const at = (tutti.clock.wall() - 10.2 * minute) / 1000;
  utimesSync(join(tutti.paths.session(session.id), 'output.log'), at, at);
  const said: string[] = [];
  await alone.leave();
  const conducting = conduct(tutti, (line) => said.push(line), 20);
  await until('it warns', () => said.some((line) => line.includes('warned: Stalled')));
  project.go('go');
  expect(await conducting).toBe('done');
  expect(said.filter((line) => line.includes('Stalled'))).toHaveLength(1);
  expect((await tutti.queries.sessions.one(session.id))?.status).toBe('COMPLETED');
});
