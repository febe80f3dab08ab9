import { beforeAll, describe, expect, test } from 'vitest';
import { buildFirstRelease, firstReleaseProblem } from '../rig/first-release.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { planTypedAgain } from './scenarios.ts';

/** What the first release did wrong. `pay-once.test.ts` plays the same scenes with this program. */
describe.skipIf(process.env['PAY'] === undefined || firstReleaseProblem() !== null)(
  'the first release',
  () => {
    let program = '';
    const folder = tempFolder();

    beforeAll(() => {
      program = buildFirstRelease(folder.path);
      return () => {
        folder[Symbol.dispose]();
      };
    });

    test('pays for a planner again that still worked when tutti plan was typed again', async () => {
      expect(await planTypedAgain(program)).toEqual([
        'logical',
        'logical',
        'physical',
        'definition',
        'validation',
        'sequencing',
      ]);
    });
  },
);
