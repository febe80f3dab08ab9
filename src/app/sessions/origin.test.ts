import { expect, test } from 'vitest';
import { playedPerson } from '../../../test/rig/person.ts';
import type { CallerFacts } from '../../model/ports/caller.ts';
import type { Session } from '../../model/session.ts';
import { recorded } from '../../lib/json.ts';
import { noSessions } from './find.ts';
import { originOf } from './origin.ts';

const sessions = new Map(
  [
    { id: 'outer', runId: 'run-of-outer', depth: 1 },
    { id: 'inner', runId: 'run-of-inner', depth: 2 },
  ].map((session) => [session.id, recorded<Session>(session)]),
);

/** Asked by a process with this environment, below processes with those. */
async function asked(
  env: Readonly<Record<string, string>>,
  ...above: readonly Readonly<Record<string, string>>[]
) {
  const one = async (id: string): Promise<Session | null> => sessions.get(id) ?? null;
  const run = async (id: string) =>
    id === 'run-of-inner' ? { traceId: '0123456789abcdef', rootId: 'run-of-outer' } : null;
  const queries = { ...noSessions.queries, run, sessions: { ...noSessions.queries.sessions, one } };
  const caller: CallerFacts = {
    ...playedPerson(env),
    variable: (name) => [env, ...above].flatMap((each) => each[name] ?? []),
  };
  return originOf({ caller, queries });
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
