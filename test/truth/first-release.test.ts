import { expect, test } from 'vitest';
import { describeFirstRelease } from '../rig/first-release.ts';
import { changedByLooking, namesDeadHolder } from './silent-program.ts';

const looking = ['session list', 'session status last', 'status r', 'inbox'];

/** What the first release showed and changed where a process had died; the tests below play the same scenes with this program. */
describeFirstRelease('TRUTH', (program) => {
  test.each(looking)('changes rows when it only looks: %s', async (words) => {
    const tables = await changedByLooking(words.split(' '), program());
    expect(tables).toEqual(expect.arrayContaining(['entries', 'events', 'runs', 'sessions']));
  });

  test('names a dead process as the one that advances a run', async () => {
    expect(await namesDeadHolder(program())).toEqual([true, true]);
  });
});

test.each(looking)('no row changes where a command only looks: %s', async (words) => {
  expect(await changedByLooking(words.split(' '))).toEqual([]);
});

test('a dead process is not named as the holder of a run', async () => {
  expect(await namesDeadHolder()).toEqual([false, false]);
});
