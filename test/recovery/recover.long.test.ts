import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { describeLoss } from '../../src/app/recovery/loss.ts';
import { setProbe } from '../../src/lib/probe.ts';
import { strangeDatabase } from './damage.ts';
import { damagedFiles, paidTurns, RecoveryProject } from './project.ts';

afterEach(() => {
  setProbe(null);
});

const skipFolders = () => ({ turns: 0, lost: [] });
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
  expect(await tutti.queries.openQuestions('r1')).toHaveLength(1);
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

test('an old copy that nothing outside the project gives away is seen by its turns', async () => {
  using project = await RecoveryProject.make('finished');
  project.forgetEverythingKept();
  project.replaceBy(2);
  {
    using tutti = project.open();
    expect(await project.complete(tutti)).toMatch(/is an old copy: it does not know session .* of run r1$/);
  }
  expect(await project.recover()).toMatchObject({ replaced: { was: 'behind' }, halted: ['r1'] });
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

test('a recovery that is killed anywhere is completed by the next one', async () => {
  using project = await RecoveryProject.make('half-done');
  const points = ['recover:built', 'recover:kept', 'recover:set-aside', 'recover:replaced'];
  for (const kill of points) {
    project.reset();
    project.putDatabase(Buffer.from('no database at all'));
    setProbe((point) => {
      if (point === kill) throw new Error(`killed at ${kill}`);
    });
    await expect(project.recover()).rejects.toThrow(`killed at ${kill}`);
    setProbe(null);
    expect(await project.recover()).toMatchObject({ lost: [], halted: [], runs: 1 });
    expect(damagedFiles(project).filter((name) => name.endsWith('tutti.db'))).toHaveLength(1);
    using tutti = project.open();
    expect(await project.complete(tutti)).toBe('SUCCESS');
    expect(project.paid()).toEqual(once);
  }
});

test('a session that was archived after the last copy is found again', async () => {
  using project = await RecoveryProject.make('finished');
  project.archiveSessions();
  project.keepOnly(1);
  project.deleteDatabase();
  expect((await project.recover()).found).toHaveLength(paidTurns.length);
});

test('a turn whose folder is gone is named as lost', async () => {
  using project = await RecoveryProject.make('finished');
  rmSync(join(project.root, '.tutti', 'sessions'), { recursive: true });
  project.keepOnly(1);
  project.deleteDatabase();
  const { lost } = await project.recover();
  expect(lost.filter(({ what }) => what === 'session')).toHaveLength(paidTurns.length);
  expect(lost.map(describeLoss).join('\n')).toMatch(
    /^changes after .* could not be restored[\s\S]*its folder is gone, so its turn starts again$/,
  );
});

test('control: a recovery that skips the folders of sessions is refused before it pays again', async () => {
  using project = await RecoveryProject.make('finished');
  project.keepOnly(1);
  project.deleteDatabase();
  await project.recover(skipFolders);
  using tutti = project.open();
  expect(await project.complete(tutti)).toMatch(/is an old copy/);
});

test('control: without the records of turns a recovery pays for finished turns again, and the ledger shows it', async () => {
  using project = await RecoveryProject.make('finished');
  project.keepOnly(1);
  project.deleteDatabase();
  rmSync(join(project.root, '.tutti', 'runs', 'r1', 'turns'), { recursive: true });
  // A launch within the same second has the same id, and would find the folder of the turn that was paid.
  project.archiveSessions();
  await project.recover(skipFolders);
  using tutti = project.open();
  expect(await project.complete(tutti)).toBe('SUCCESS');
  expect(project.paid()['told']).toBe(2);
});
