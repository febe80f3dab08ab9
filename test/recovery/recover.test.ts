import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { strangeDatabase } from './damage.ts';
import { damagedFiles, paidTurns, RecoveryProject } from './project.ts';

const once = Object.fromEntries(paidTurns.map((turn) => [turn, 1]));

test('a missing, empty, damaged, old or foreign database is refused with one sentence and the command', async () => {
  using project = await RecoveryProject.make('half-done');
  const cases: [() => unknown, RegExp][] = [
    [() => project.deleteDatabase(), /is missing, but the runs, sessions or plans of this project are here$/],
    [() => project.putDatabase(Buffer.alloc(0)), /is empty, but the runs/],
    [() => project.putDatabase(Buffer.alloc(9000)), /file is not a database/],
    [() => project.replaceBy(1), /is an old copy/],
    [async () => project.putDatabase(await strangeDatabase()), /is of another project/],
  ];
  for (const [spoil, sentence] of cases) {
    project.reset();
    await spoil();
    expect(project.refusal()).toMatchObject({
      message: expect.stringMatching(sentence) as string,
      hint: 'restore it: tutti recover',
    });
  }
});

test('a project with nothing beside its database starts at once, also with files of a plan by hand', async () => {
  using project = await RecoveryProject.make('half-done');
  rmSync(join(project.root, '.tutti'), { recursive: true });
  mkdirSync(join(project.root, '.tutti', 'plans', 'mine', 'inputs'), { recursive: true });
  expect(project.refusal()).toBeNull();
});

test('a deleted database is restored with everything that was recorded, and the run continues', async () => {
  using project = await RecoveryProject.make('half-done');
  project.deleteDatabase();
  const recovered = await project.recover();
  expect(recovered).toMatchObject({ replaced: { was: 'missing' }, runs: 1, lost: [], halted: [] });
  using tutti = project.open();
  expect(tutti.queries.openQuestions('r1')).toHaveLength(1);
  expect(await project.complete(tutti)).toBe('SUCCESS');
  expect(project.paid()).toEqual(once);
});

test('recovering twice changes nothing more, and the damaged file is kept', async () => {
  using project = await RecoveryProject.make('finished');
  project.putDatabase(Buffer.from('no database at all'));
  expect(await project.recover()).toMatchObject({ replaced: { was: 'damaged' }, lost: [] });
  expect(damagedFiles(project).some((name) => name.endsWith('tutti.db'))).toBe(true);
  expect(await project.recover()).toMatchObject({ replaced: null, lost: [], halted: [] });
});

test('turns that a copy does not know are read from their folders, and the rest is named', async () => {
  using project = await RecoveryProject.make('finished');
  project.keepOnly(0);
  project.deleteDatabase();
  const recovered = await project.recover();
  expect(recovered.found).toHaveLength(paidTurns.length);
  expect(recovered).toMatchObject({ halted: ['r1'], lost: [{ what: 'changes', count: null }] });
  using tutti = project.open();
  expect(await project.complete(tutti)).toBe('SUCCESS');
  expect(project.paid()).toEqual(once);
});

test('without copies and changes the folders alone bring finished turns back', async () => {
  using project = await RecoveryProject.make('finished');
  project.forgetEverythingKept();
  project.deleteDatabase();
  const recovered = await project.recover();
  expect(recovered).toMatchObject({ halted: ['r1'], lost: [{ what: 'changes', count: null }] });
  using tutti = project.open();
  expect(await project.complete(tutti)).toBe('SUCCESS');
  expect(project.paid()).toEqual(once);
});

test('control: a recovery that skips the folders of sessions pays for finished turns again', async () => {
  using project = await RecoveryProject.make('finished');
  project.keepOnly(1);
  project.deleteDatabase();
  await project.recover(() => ({ turns: 0, lost: [] }));
  using tutti = project.open();
  expect(await project.complete(tutti)).toBe('SUCCESS');
  expect(project.paid()['told']).toBe(2);
});
