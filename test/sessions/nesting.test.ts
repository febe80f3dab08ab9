import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { hangLimitMs } from '../rig/hang-limit.ts';
import { allOf } from '../rig/all-of.ts';
import { auditEvents } from '../../src/app/sessions/audit.ts';
import { createSession } from '../../src/app/session-control/create.ts';
import { killSession } from '../../src/app/session-control/kill.ts';
import { waitForSession } from '../../src/app/session-control/wait.ts';
import { anySession } from '../../src/model/ports/session-queries.ts';
import { until } from '../rig/attempt-rig.ts';
import { playedPerson } from '../rig/person.ts';
import { writeProject } from '../rig/program.ts';
import { openTutti } from '../rig/trust.ts';
import { SessionProject } from './project.ts';

/** Creates a session from inside a session, with nothing left in its environment that says where it is. */
const nesting = `cd "$TUTTI_PROJECT"
env -i PATH="$PATH" HOME="$HOME" "$TUTTI_TEST_NODE" "$TUTTI_TEST_CREATOR" "$(cat request.json)" > created 2>&1
echo '{"status":"success"}' > "$TUTTI_RESULT"
`;

function nestingProject(config: object): SessionProject {
  const project = new SessionProject({
    drivers: {
      mine: { type: 'command', command: ['sh', './agent.sh'] },
      nests: { type: 'command', command: ['sh', './nesting.sh'] },
    },
    env: ['TUTTI_TEST_NODE', 'TUTTI_TEST_CREATOR'],
    ...config,
  });
  const inner = { ...project.request('wait go'), promptFile: join(project.path, 'inner.md') };
  writeProject(project.path, {
    'nesting.sh': nesting,
    'inner.md': 'wait go',
    'request.json': JSON.stringify(inner),
  });
  return project;
}

const env = {
  TUTTI_TEST_NODE: process.execPath,
  TUTTI_TEST_CREATOR: fileURLToPath(new URL('creator.ts', import.meta.url)),
};

async function created(project: SessionProject): Promise<string> {
  const path = join(project.path, 'created');
  await until('the inner one was asked for', () => existsSync(path) && readFileSync(path, 'utf8') !== '');
  return readFileSync(path, 'utf8');
}

test('a session created inside a session is its child, even when the agent hides where it is', async () => {
  await using project = nestingProject({});
  const tutti = project.open(env);
  const outer = await project.create(tutti, 'nest', { agent: 'chief', driver: 'nests' });
  const inner = await created(project);
  expect(await tutti.queries.sessions.one(inner)).toMatchObject({
    parent: outer.id,
    depth: 2,
    requester: `session:${outer.id}`,
  });
  expect((await tutti.queries.run(inner))?.rootId).toBe(outer.id);
  expect(await waitForSession(tutti, outer.id, hangLimitMs)).toMatchObject({ value: { outcome: 'SUCCESS' } });
  // It lives on the budget of the outer one, and outlives only its process.
  expect(await killSession(tutti, { id: inner, reason: 'enough', by: 'test' })).toMatchObject({ ok: true });
});

test('sessions nest as deep as they may, and no deeper', async () => {
  await using project = nestingProject({ max_depth: 1 });
  const tutti = project.open(env);
  const outer = await project.create(tutti, 'nest', { agent: 'chief', driver: 'nests' });
  expect(await created(project)).toBe('refused: sessions may nest 1 deep, and this one would be at 2');
  expect(await waitForSession(tutti, outer.id, hangLimitMs)).toMatchObject({ value: { outcome: 'SUCCESS' } });
  expect(await tutti.queries.runs(null)).toHaveLength(1);
});

test('nobody creates a session in the name of another one', async () => {
  await using project = nestingProject({});
  const tutti = project.open(env);
  const chief = { agent: 'chief' };
  const [a, b] = [await project.create(tutti, 'wait go', chief), await project.create(tutti, 'wait go')];
  const inside = project.open({ ...env, TUTTI_SESSION_ID: a.id });
  expect(await createSession(inside, project.request('x', { parent: b.id }))).toMatchObject({
    error: { outcome: 'USAGE', hint: 'leave --parent out' },
  });
  expect(await createSession(inside, project.request('x', { addDirs: ['/etc'] }))).toMatchObject({
    error: { outcome: 'USAGE' },
  });
  const child = await createSession(inside, project.request('x'));
  expect(child).toMatchObject({ value: { session: { parent: a.id, depth: 2 } } });
  const grouped = await createSession(tutti, project.request('x', { parent: b.id }));
  expect(grouped).toMatchObject({ value: { session: { parent: b.id, depth: 1 } } });
});

test('a session whose agent may not start agents creates and continues none, whatever else it names', async () => {
  await using project = nestingProject({});
  const tutti = project.open(env);
  const held = await project.create(tutti, 'nest', { driver: 'nests' });
  expect(await created(project)).toBe(
    `refused: session ${held.id} may not start agents: agent worker does not have 'sessions' in allow`,
  );
  expect(await waitForSession(tutti, held.id, hangLimitMs)).toMatchObject({ value: { outcome: 'SUCCESS' } });
  const chief = await project.create(tutti, 'wait go', { agent: 'chief' });
  const outside = playedPerson(tutti.env);
  const createAs = async (...ids: readonly string[]) => {
    const variable = (name: string) => (name === 'TUTTI_SESSION_ID' ? ids : outside.variable(name));
    const opened = openTutti({
      folder: project.path,
      env: tutti.env,
      create: false,
      caller: { ...outside, variable },
    });
    if (!opened.ok) throw new Error(opened.error.message);
    using inside = opened.value;
    return await createSession(inside, project.request('wait go'));
  };
  // Control: the session that may.
  expect(await createAs(chief.id)).toMatchObject({ ok: true });
  // The agent file counts as it was when the session was launched.
  writeProject(project.path, { 'agents/worker.md': '---\nallow: [sessions]\n---\nYou work.\n' });
  for (const ids of [[held.id], [chief.id, held.id], [held.id, chief.id]])
    expect(await createAs(...ids)).toMatchObject({
      error: {
        outcome: 'USAGE',
        message: expect.stringContaining(`session ${held.id} may not start agents`),
      },
    });
  expect((await tutti.queries.sessions.totals(anySession)).RUNNING).toBe(2);
  const [refused] = await allOf(auditEvents(tutti, { sinceMs: null, kind: 'quota', session: null }));
  expect(refused?.event).toMatchObject({ type: 'session.refused', requester: `session:${held.id}` });
});
