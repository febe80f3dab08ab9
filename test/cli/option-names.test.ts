import { expect, test } from 'vitest';
import { tempFolder } from '../rig/temp-folder.ts';
import { cli } from './rig.ts';

test('an unknown option that is near to none gets no suggestion', async () => {
  using folder = tempFolder();
  const { err, code } = await cli({ folder: folder.path }, 'execute', '--yes');
  expect(code).toBe(64);
  expect(err).toMatch(/^tutti: there is no option '--yes'\n/);
  expect((await cli({ folder: folder.path }, 'execute', '--tsak', 'T001')).err).toContain(
    "'--tsak'; did you mean '--task'?",
  );
});

test.for([
  [['execute', '--max-lanches', '3'], "there is no option '--max-lanches'; did you mean '--max-launches'?"],
  [['execute', '--no-trust', '--trust'], '--trust and --no-trust contradict each other'],
  [['execute', '--plan', 'a', '--plan', 'b'], "--plan is given twice: 'a' and 'b'"],
] as const)('options are named as they are typed: %j', async ([words, sentence]) => {
  using folder = tempFolder();
  const { err, code } = await cli({ folder: folder.path }, ...words);
  expect([code, err]).toEqual([64, `tutti: ${sentence}\n  → see how it is used: tutti execute --help\n`]);
});
