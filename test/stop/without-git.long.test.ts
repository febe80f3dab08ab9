import { expect, test } from 'vitest';
import { executeWithoutGit } from './continued.ts';

// `first-release.long.test.ts` records what the first release did in the same scene.
test('execute is refused where git is not installed', async () => {
  expect((await executeWithoutGit()).code).toBe(69);
});
