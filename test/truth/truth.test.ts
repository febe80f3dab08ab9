import { afterAll, expect, test } from 'vitest';
import { testSeed } from '../rig/test-seed.ts';
import { playHistories } from './history.ts';
import { lies } from './lies.ts';
import { shownOf } from './shown.ts';
import { removeGround } from './world.ts';

/** `TRUTH=many`: a part of the long suite, `all`: the whole. */
const counts: Readonly<Record<string, number>> = { many: 500, all: 2000 };
const count = counts[process.env['TRUTH'] ?? ''] ?? 60;
const limit = { timeout: 1_800_000 };

afterAll(removeGround);

test(
  `what is shown agrees with tables, files and processes in ${count} random histories`,
  limit,
  async () => {
    await expect(playHistories(count, testSeed, shownOf)).resolves.toBeUndefined();
  },
);

test.each(Object.entries(lies))('control: the comparison finds that %s', limit, async (_name, lie) => {
  const lying = playHistories(300, testSeed, (world) => lie(world, shownOf(world)));
  await expect(lying).rejects.toThrow(/Property failed/);
});
