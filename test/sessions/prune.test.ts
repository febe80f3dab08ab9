import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changeRows } from '../rig/change-rows.ts';
import { archiveSessions } from '../../src/app/sessions/archive.ts';
import { pruneSessions, type Pruned, type PruneRequest } from '../../src/app/sessions/prune.ts';
import type { Tutti } from '../../src/app/tutti.ts';
import type { Session } from '../../src/model/session.ts';
import { finished, sessionOf } from './finished.ts';
import { SessionProject } from './project.ts';

const day = 86_400_000;

async function archived(project: SessionProject, tutti: Tutti, endedMs: number): Promise<Session> {
  const { id } = await finished(project, tutti, { endedMs });
  const done = await archiveSessions(tutti, { id });
  if (!done.ok) throw new Error(done.error.message);
  return sessionOf(tutti, id);
}

async function prune(tutti: Tutti, request: Partial<PruneRequest> = {}): Promise<Pruned> {
  const done = await pruneSessions(tutti, { olderThanMs: null, dryRun: false, ...request });
  if (!done.ok) throw new Error(done.error.message);
  return done.value;
}

test('only archived sessions that ended longer ago than the configuration keeps are removed; rows stay', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const old = await archived(project, tutti, 31 * day);
  const young = await archived(project, tutti, 29 * day);
  const here = await finished(project, tutti, { endedMs: 400 * day });
  expect(await prune(tutti, { dryRun: true })).toEqual({ keepMs: 30 * day, pruned: [old.id], refused: [] });
  expect(existsSync(tutti.paths.archived(old.id))).toBe(true);
  // A shorter time than the configuration's is not taken.
  expect(await prune(tutti, { olderThanMs: day })).toEqual({
    keepMs: 30 * day,
    pruned: [old.id],
    refused: [],
  });
  expect(existsSync(tutti.paths.archived(old.id))).toBe(false);
  expect((await sessionOf(tutti, old.id)).prunedAt).not.toBeNull();
  expect(existsSync(tutti.paths.archived(young.id))).toBe(true);
  expect(existsSync(tutti.paths.session(here.id))).toBe(true);
  expect((await prune(tutti)).pruned).toEqual([]);
  const told = await tutti.queries.audit.events(
    { since: 0, session: old.id, types: ['session.pruned'] },
    0,
    1000,
  );
  expect([...told]).toHaveLength(1);
});

test('a longer time than the configuration keeps more', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const old = await archived(project, tutti, 31 * day);
  expect(await prune(tutti, { olderThanMs: 60 * day })).toEqual({
    keepMs: 60 * day,
    pruned: [],
    refused: [],
  });
  expect((await prune(tutti, { olderThanMs: 30.5 * day })).pruned).toEqual([old.id]);
});

test('links in the archive survive with what they lead to', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const secret = join(project.path, 'secret');
  mkdirSync(secret);
  writeFileSync(join(secret, 'key'), 'mine');
  const inside = await archived(project, tutti, 31 * day);
  symlinkSync(secret, join(tutti.paths.archived(inside.id), 'link'));
  const replaced = await archived(project, tutti, 31 * day);
  const place = tutti.paths.archived(replaced.id);
  rmSync(place, { recursive: true });
  symlinkSync(secret, place);
  // What belongs to nobody is nobody's to remove.
  mkdirSync(join(tutti.paths.state, 'archive', 'sessions', 'stray'));
  const done = await prune(tutti);
  expect(done.pruned).toEqual([inside.id]);
  expect(done.refused).toEqual([{ id: replaced.id, why: 'is no folder in the archive, or a link to one' }]);
  expect(readFileSync(join(place, 'key'), 'utf8')).toBe('mine');
  expect(readFileSync(join(secret, 'key'), 'utf8')).toBe('mine');
  expect((await sessionOf(tutti, replaced.id)).prunedAt).toBeNull();
  expect(existsSync(join(tutti.paths.state, 'archive', 'sessions', 'stray'))).toBe(true);
});

test('an archive that is a link is not touched', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const old = await archived(project, tutti, 31 * day);
  const folder = join(tutti.paths.state, 'archive', 'sessions');
  const elsewhere = join(project.path, 'elsewhere');
  renameSync(folder, elsewhere);
  symlinkSync(elsewhere, folder);
  expect(await pruneSessions(tutti, { olderThanMs: null, dryRun: false })).toMatchObject({
    error: { outcome: 'UNAVAILABLE', message: expect.stringContaining('or a link to one') },
  });
  expect(existsSync(join(elsewhere, old.id, 'prompt.md'))).toBe(true);
});

test('a prune that was interrupted between the mark and the removal is finished by the next', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const old = await archived(project, tutti, 31 * day);
  await tutti.store.markPruned(old.id);
  expect((await prune(tutti)).pruned).toEqual([old.id]);
  expect(existsSync(tutti.paths.archived(old.id))).toBe(false);
});

test('control: without the mark of the archive, a session is never pruned', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const old = await finished(project, tutti, { endedMs: 400 * day });
  expect(await tutti.store.markPruned(old.id)).toBe(false);
  changeRows(tutti, 'update sessions set archived_at = 1 where id = ?', old.id);
  expect((await prune(tutti)).pruned).toEqual([old.id]);
  expect(existsSync(tutti.paths.session(old.id))).toBe(true);
});
