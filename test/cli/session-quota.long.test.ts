import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorForm } from '../../src/model/schemas/session-output.ts';
import { until } from '../rig/attempt-rig.ts';
import { startTutti } from '../rig/program.ts';
import { SessionProject } from '../sessions/project.ts';
import { cli } from './rig.ts';

const quota = 5;
const creators = 20;

/** Those that wait for the test to let them go. */
async function createAtOnce(project: SessionProject, many: number) {
  project.request('wait go');
  const started = Array.from({ length: many }, () =>
    startTutti(project.path, ['session', 'create', 'worker', 'task.md']),
  );
  return Promise.all(started.map(({ ended }) => ended));
}

test('twenty creators at once and a quota of five: five run, fifteen are told and leave nothing behind', {
  timeout: 300_000,
}, async () => {
  await using project = new SessionProject({ max_sessions: quota });
  const ends = await createAtOnce(project, creators);
  const good = ends.filter(({ code }) => code === 0);
  const refused = ends.filter(({ code }) => code !== 0);
  expect({ good: good.length, refused: refused.length }).toEqual({ good: quota, refused: creators - quota });

  for (const { code, stdout, stderr } of refused) {
    expect({ code, stdout, stderr }).toEqual({
      code: 23,
      stdout: '',
      stderr:
        'tutti: Max concurrent sessions (5) reached\n  → List sessions: tutti session list --status RUNNING\n',
    });
  }
  const ids = good.map(({ stdout }) => /^Session created: (\S+)\n/.exec(stdout)?.[1] ?? '');
  expect(new Set(ids).size).toBe(quota);
  expect(ids.filter((id) => !/^\d{8}-\d{6}-worker(-\d+)?$/.test(id))).toEqual([]);

  // Exactly these are in the tables, on the disk, and at work.
  const tutti = project.open();
  const all = await tutti.queries.sessions.list(
    { status: null, tags: [], parent: null, archived: false },
    { limit: null, before: null },
  );
  expect(all.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  expect(all.map(({ status }) => status)).toEqual(Array.from({ length: quota }, () => 'RUNNING'));
  expect((await tutti.queries.runs(null)).map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  expect(readdirSync(join(project.path, '.tutti', 'sessions')).toSorted()).toEqual(ids.toSorted());
  await until('five agents work', () => project.ledger().length >= quota);
  expect(
    project
      .ledger()
      .map((line) => line.split(' ')[0] ?? '')
      .toSorted(),
  ).toEqual(ids.toSorted());

  // The next one as a program is told it; then a place is free again.
  const json = await cli({ folder: project.path }, 'session', 'create', 'worker', 'task.md', '--json');
  expect({ code: json.code, out: json.out }).toEqual({ code: 23, out: '' });
  expect(errorForm.parse(JSON.parse(json.err))).toMatchObject({
    error: { code: 'BUDGET_EXCEEDED', message: 'Max concurrent sessions (5) reached' },
  });
  project.go('go');
  expect((await cli({ folder: project.path }, 'session', 'wait', ...ids)).code).toBe(0);
  const next = await cli({ folder: project.path }, 'session', 'create', 'worker', 'task.md');
  expect(next).toMatchObject({ code: 0, err: '' });
  await until('the next one works', () => project.ledger().length === quota + 1);
});

test('control: a larger quota lets more than five in', { timeout: 300_000 }, async () => {
  await using project = new SessionProject({ max_sessions: quota + 2 });
  const ends = await createAtOnce(project, quota + 2);
  expect(ends.filter(({ code }) => code === 0)).toHaveLength(quota + 2);
  await until('all of them work', () => project.ledger().length === quota + 2);
});
