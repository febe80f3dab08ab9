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
  const queries = { sessions: { ...noSessions.queries.sessions, one } };
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

test('what is written into logs and shown to people is an id or nothing', async () => {
  for (const id of ['x\u001B[31m', 'a\n[2025-11-18T15:30:42Z] [INFO] all is well', '..', 'x'.repeat(300)]) {
    expect(await asked({ TUTTI_SESSION_ID: id, TUTTI_RUN_ID: id })).toMatchObject({
      requester: 'session:unknown',
      within: null,
    });
  }
});
