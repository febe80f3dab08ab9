import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SessionProject } from '../../../test/sessions/project.ts';
import { until } from '../../../test/rig/attempt-rig.ts';
import { identify } from '../../lib/process/identity.ts';
import { newSession } from '../../kernel/candidate.ts';
import { plain } from '../../lib/json.ts';
import { sessionKey } from '../../model/session-input.ts';
import { markOf } from '../host/attempt-folder.ts';
import { markerVariable } from '../../runtime/process-spec.ts';
import type { Tutti } from '../tutti.ts';
import { originOf } from './origin.ts';
import { checkRequest } from '../session-control/request.ts';
import { recordEnded } from './record-ended.ts';

/** Admitted by somebody who died before anything was launched. */
async function admitted(project: SessionProject, tutti: Tutti): Promise<string> {
  const input = await checkRequest(tutti, project.request('x'), await originOf(tutti));
  if (!input.ok) throw new Error(input.error.message);
  const run = {
    workflow: 'session',
    limits: { depth: 5 },
    concurrency: 1,
    depth: 0,
    traceId: '',
    within: null,
  };
  const session = newSession(input.value.spec, 0);
  const key = sessionKey(1);
  const started = await tutti.store.startSession({
    run: { ...run, input: plain(input.value) },
    key,
    session,
    slot: 'now',
  });
  if (started.at !== 'started') throw new Error(started.at);
  const dead = { ...tutti.me, id: 'dead', pid: 4_000_000, startTime: '1' };
  const facts = { me: dead, monotonic: 0, gone: [] };
  const claim = await tutti.store.claim(started.id, facts, 1000);
  if (claim.at !== 'claimed') throw new Error(claim.at);
  const fence = { runId: started.id, epoch: claim.image.run.epoch };
  await tutti.store.open(fence, { key, kind: 'session', spec: plain(input.value.spec), priority: 0 });
  await tutti.store.admit(fence, [{ key, attempt: 1, ask: { tokens: 0, costUsd: 0 }, session }]);
  return started.id;
}

test('a session that nobody ever launched is settled, and holds nobody up', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const id = await admitted(project, tutti);
  expect(await recordEnded(tutti)).toEqual([id]);
  expect(await tutti.queries.sessions.one(id)).toMatchObject({ status: 'FAILED' });
  expect(await tutti.queries.sessions.launched()).toEqual([]);
});

test('a launcher that has not yet told who it is is waited for by nobody, and not taken for dead', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const id = await admitted(project, tutti);
  const dir = tutti.paths.session(id);
  mkdirSync(dir, { recursive: true });
  // Created, not filled yet: as a shell does between its redirection and its first write.
  writeFileSync(join(dir, 'started'), '');
  const mark = markOf(tutti, { runId: id, key: sessionKey(1), attempt: 1 });
  const launcher = spawn('sleep', ['60'], { env: { PATH: process.env['PATH'], [markerVariable]: mark } });
  await until('it lives', () => identify(launcher.pid ?? 0) !== null);
  expect(await recordEnded(tutti)).toEqual([]);
  launcher.kill('SIGKILL');
  await until('it is gone', () => identify(launcher.pid ?? 0) === null);
  expect(await recordEnded(tutti)).toEqual([id]);
});
