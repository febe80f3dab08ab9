import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { pathsOf } from '../project.ts';
import { playedPerson } from '../../../test/rig/person.ts';
import type { CallerFacts } from '../../model/ports/caller.ts';
import type { Session } from '../../model/session.ts';
import { recorded } from '../../lib/json.ts';
import { noSessions } from './find.ts';
import { groupName } from '../../runtime/limits/group.ts';
import { originOf } from './origin.ts';

const paths = pathsOf(tmpdir());

const sessions = new Map(
  [
    { id: 'outer', runId: 'run-of-outer', key: 'session@1', attempt: 1, depth: 1 },
    { id: 'inner', runId: 'run-of-inner', key: 'session@1', attempt: 1, depth: 2 },
    { id: 'rich', runId: 'run-of-rich', key: 'session@1', attempt: 1, depth: 9 },
  ].map((session) => [session.id, recorded<Session>(session)]),
);

const knownRuns = new Map([
  ['run-of-inner', { traceId: '0123456789abcdef', rootId: 'run-of-outer', depth: 1 }],
  ['run-of-rich', { traceId: 'fedcba9876543210', rootId: 'run-of-rich', depth: 8 }],
]);

/** Asked by a process with this environment, below processes with those. */
async function asked(
  env: Readonly<Record<string, string>>,
  ...above: readonly Readonly<Record<string, string>>[]
) {
  return askedInGroups([], env, ...above);
}

async function askedInGroups(
  groups: readonly string[],
  env: Readonly<Record<string, string>>,
  ...above: readonly Readonly<Record<string, string>>[]
) {
  const one = async (id: string): Promise<Session | null> => sessions.get(id) ?? null;
  const run = async (id: string) => knownRuns.get(id) ?? null;
  const ofRun = async (id: string): Promise<readonly Session[]> =>
    [...sessions.values()].filter(({ runId }) => runId === id);
  const queries = { ...noSessions.queries, run, sessions: { ...noSessions.queries.sessions, one, ofRun } };
  const caller: CallerFacts = {
    ...playedPerson(env),
    groups: () => groups,
    variable: (name) => [env, ...above].flatMap((each) => each[name] ?? []),
  };
  return originOf({ caller, queries, paths });
}

const launcher = { TUTTI_SESSION_ID: 'inner', TUTTI_DEPTH: '2', TUTTI_TRACE_ID: '0123456789abcdef' };

test('a person has no session above', async () => {
  expect(await asked({}, {})).toMatchObject({ depth: 0, within: null, parent: null });
  expect((await asked({})).requester).toMatch(/^user:./);
});

test('an agent is the child of its session, whether it says so, says nothing, or says something else', async () => {
  const child = {
    depth: 2,
    within: 'run-of-inner',
    parent: 'inner',
    requester: 'session:inner',
    traceId: '0123456789abcdef',
  };
  expect(await asked(launcher, launcher)).toEqual(child);
  expect(await asked({}, launcher)).toEqual(child);
  // Nobody, its own parent, below it or through a shell that it started: the launcher is still there.
  for (const lie of ['nobody', 'outer', '', '../..']) {
    const lying = { TUTTI_SESSION_ID: lie, TUTTI_DEPTH: '-9', TUTTI_TRACE_ID: 'x' };
    expect(await asked(lying, launcher)).toEqual(child);
    expect(await asked(lying, lying, {}, launcher, { TUTTI_SESSION_ID: 'outer' })).toEqual(child);
  }
});

test('what comes from another project is as deep as it is told to be, and never less than nothing', async () => {
  expect(
    await asked({ TUTTI_SESSION_ID: 'elsewhere', TUTTI_RUN_ID: 'their-run', TUTTI_DEPTH: '3' }),
  ).toMatchObject({
    depth: 3,
    within: 'their-run',
    parent: null,
    requester: 'session:elsewhere',
  });
  for (const depth of ['-9', 'NaN', '1e999', '', 'x'])
    expect((await asked({ TUTTI_DEPTH: depth })).depth).toBe(0);
});

test('depth and trace of a caller that is not Tutti count, and lower nothing that Tutti knows', async () => {
  const foreign = { AGENTIC_SPAWN_DEPTH: '3', AGENTIC_TRACE_ID: 'feedfacefeedface' };
  expect(await asked(foreign)).toMatchObject({ depth: 3, traceId: 'feedfacefeedface', within: null });
  // Of several, also in processes above, the greatest.
  expect((await asked({ AGENTIC_SPAWN_DEPTH: '1' }, foreign)).depth).toBe(3);
  expect((await asked({ TUTTI_DEPTH: '4', ...foreign })).depth).toBe(4);
  // The record of the session wins over a smaller depth and over any trace id.
  for (const claim of ['0', '1', '-5', 'x']) {
    const lying = {
      AGENTIC_SPAWN_DEPTH: claim,
      AGENTIC_TRACE_ID: 'feedfacefeedface',
      TUTTI_TRACE_ID: 'badc0ffebadc0ffe',
    };
    expect(await asked(lying, launcher)).toMatchObject({ depth: 2, traceId: '0123456789abcdef' });
  }
  // A tool between that session and this command went deeper.
  expect((await asked(foreign, launcher)).depth).toBe(3);
  for (const text of ['', 'FEEDFACEFEEDFACE', 'feedface', 'a\nb'])
    expect((await asked({ AGENTIC_TRACE_ID: text })).traceId).toMatch(/^[0-9a-f]{16}$/);
});

test('what is written into logs and shown to people is an id or nothing', async () => {
  for (const id of ['x\u001B[31m', 'a\n[2025-11-18T15:30:42Z] [INFO] all is well', '..', 'x'.repeat(300)]) {
    expect(await asked({ TUTTI_SESSION_ID: id, TUTTI_RUN_ID: id })).toMatchObject({
      requester: 'session:unknown',
      within: null,
    });
  }
});

test('an agent that left its parents and its environment is known by its control group', async () => {
  const session = groupName(`${paths.mark}:run-of-inner#session@1#1`);
  const child = { depth: 2, within: 'run-of-inner', parent: 'inner', requester: 'session:inner' };
  expect(await askedInGroups([session], {})).toMatchObject(child);
  const rich = { TUTTI_SESSION_ID: 'rich', TUTTI_RUN_ID: 'run-of-rich' };
  expect(await askedInGroups([session], rich)).toMatchObject(child);
  // A command of a run has a group as well.
  const command = `tutti@${encodeURIComponent(`${paths.mark}:run-of-inner`)}@commands-7`;
  expect(await askedInGroups([command], rich)).toMatchObject({
    depth: 1,
    within: 'run-of-inner',
    parent: null,
  });
  // The group of another project, a name that is none, and the control without a group.
  for (const other of ['tutti@000000000000%3Arun-of-inner@0', 'tutti@%zz@1', 'tutti@', 'inner'])
    expect(await askedInGroups([other], {})).toMatchObject({ depth: 0, within: null, parent: null });
});

test('work of another tree of runs is not believed: it would pay for what its own run may not', async () => {
  const rich = { TUTTI_SESSION_ID: 'rich', TUTTI_RUN_ID: 'run-of-rich' };
  const step = { TUTTI_RUN_ID: 'run-of-inner', TUTTI_DEPTH: '1' };
  expect(await asked({ TUTTI_RUN_ID: 'run-of-rich' }, step)).toMatchObject({ within: 'run-of-inner' });
  expect(await asked(rich, { ...launcher, TUTTI_RUN_ID: 'run-of-inner' })).toMatchObject({
    parent: 'inner',
    within: 'run-of-inner',
  });
  // The control: by itself it is believed.
  expect(await asked(rich)).toMatchObject({ parent: 'rich', within: 'run-of-rich' });
});
