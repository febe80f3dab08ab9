import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { playedPerson } from '../../../test/rig/person.ts';
import { tempFolder } from '../../../test/rig/temp-folder.ts';
import type { DecisionEvent } from '../../model/event.ts';
import { decide, type DecisionPlace } from './decide.ts';
import { findDelegation, listDelegations, writeDelegation } from './delegations.ts';

const project = '/home/ann/shop';
const session = { TUTTI_SESSION_ID: 's1' };

/** A place where decisions are made at this time, and what its audit was told. */
function placeAt(home: string, now: number, env: Readonly<Record<string, string>> = session) {
  const told: DecisionEvent[] = [];
  const place: DecisionPlace = {
    caller: { ...playedPerson({ ...env, HOME: home }), user: { name: 'ada', home } },
    clock: { wall: () => now },
    paths: { root: project },
    store: { note: async (_run, event) => void told.push(event) },
  };
  return { place, told };
}

function configure(home: string, text: string): string {
  const folder = join(home, '.config/tutti');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'config.yaml');
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

test('an agent is refused, and a person is not; both are told to the audit', async () => {
  using home = tempFolder();
  const agent = placeAt(home.path, 1);
  const refused = await decide(agent.place, 'land', 'plan shop');
  expect(refused).toMatchObject({
    ok: false,
    error: { outcome: 'HUMAN_INPUT', hint: expect.stringContaining('tutti allow land --for 1h') },
  });
  expect(agent.told).toEqual([
    {
      type: 'decision.refused',
      decision: 'land',
      about: 'plan shop',
      by: 'session:s1',
      sign: 'TUTTI_SESSION_ID',
      session: 's1',
    },
  ]);
  const person = placeAt(home.path, 1, {});
  expect(await decide(person.place, 'land', 'plan shop')).toEqual({ ok: true, value: { by: 'user:ada' } });
  expect(person.told).toMatchObject([{ type: 'decision.made', by: 'user:ada', session: null }]);
});

test('an agent in a sandbox, whose refusal cannot be recorded, is refused all the same', async () => {
  using home = tempFolder();
  const { place } = placeAt(home.path, 1);
  const closed = { ...place, store: { note: () => Promise.reject(new Error('read-only')) } };
  expect((await decide(closed, 'answer', 'question Q1')).ok).toBe(false);
});

test('a decision that the person delegates in their own file is recorded with both names', async () => {
  using home = tempFolder();
  configure(home.path, 'delegate: {land: agents}');
  const { place, told } = placeAt(home.path, 1);
  expect(await decide(place, 'land', 'plan shop')).toEqual({
    ok: true,
    value: { by: 'session:s1 for user:ada' },
  });
  expect(told).toMatchObject([{ type: 'decision.made', by: 'session:s1 for user:ada', session: 's1' }]);
  expect((await decide(place, 'approve', 'plan shop')).ok).toBe(false);
  expect((await decide(place, 'allow', 'land')).ok).toBe(false);
});

test('a configuration that others may write, or with a mistake, delegates nothing', () => {
  using home = tempFolder();
  const path = configure(home.path, 'delegate: {land: agents}');
  const { place } = placeAt(home.path, 1);
  expect(findDelegation(place, 'land')).toEqual({ decision: 'land', by: 'user:ada', until: null });
  chmodSync(path, 0o622);
  expect(findDelegation(place, 'land')).toBeNull();
  chmodSync(path, 0o600);
  configure(home.path, 'delegate: {land: everyone}');
  expect(findDelegation(place, 'land')).toBeNull();
  configure(home.path, 'delegate: {allow: agents}');
  expect(findDelegation(place, 'allow')).toBeNull();
});

test('a delegation with an end counts in its project until then', () => {
  using home = tempFolder();
  const hour = 3_600_000;
  const { place } = placeAt(home.path, 1000);
  expect(writeDelegation(place, 'land', { by: 'user:ada', until: 1000 + hour })).toEqual({
    ok: true,
    value: null,
  });
  expect(writeDelegation(place, 'answer', { by: 'user:ada', until: 1000 + 2 * hour }).ok).toBe(true);
  const decisionsAt = (now: number, root = project) =>
    listDelegations({ ...placeAt(home.path, now).place, paths: { root } }).map(({ decision }) => decision);
  expect(decisionsAt(1000)).toEqual(['land', 'answer']);
  expect(decisionsAt(1000 + hour)).toEqual(['answer']);
  // A clock that went back does not bring a delegation forward.
  expect(decisionsAt(999)).toEqual([]);
  expect(decisionsAt(1000, '/home/ann/other')).toEqual([]);
  expect(writeDelegation(place, 'answer', null).ok).toBe(true);
  expect(decisionsAt(1000)).toEqual(['land']);
});

test('a record that is damaged, a link or writable for others delegates nothing', () => {
  using home = tempFolder();
  const { place } = placeAt(home.path, 5);
  writeDelegation(place, 'land', { by: 'user:ada', until: 10 });
  const path = join(home.path, '.local/state/tutti/delegations.json');
  expect(listDelegations(place)).toHaveLength(1);
  chmodSync(path, 0o666);
  expect(listDelegations(place)).toEqual([]);
  chmodSync(path, 0o600);
  writeFileSync(path, readFileSync(path, 'utf8').replace('"land"', '"everything"'));
  expect(listDelegations(place)).toEqual([]);
  writeFileSync(path, '{');
  expect(listDelegations(place)).toEqual([]);
});

test('a user without a home can delegate nothing', () => {
  const { place } = placeAt('/nowhere', 5);
  const homeless = { ...place, caller: { ...place.caller, user: { name: 'uid-7', home: null } } };
  expect(listDelegations(homeless)).toEqual([]);
  expect(writeDelegation(homeless, 'land', null)).toMatchObject({ ok: false });
});
