import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { replayReader } from '../../drivers/replay/parse.ts';
import { readEnding } from '../../runtime/attempt-files.ts';
import { tempFolder } from '../../../test/rig/temp-folder.ts';
import { SignInWatch } from './sign-in-watch.ts';

/** Looks only when the test says so. */
function steppedClock() {
  let look = (): void => undefined;
  return {
    every: (_ms: number, act: () => void): Disposable => {
      look = act;
      return { [Symbol.dispose]: () => undefined };
    },
    look: () => {
      look();
    },
  };
}

test('an attempt is ended at the first refused sign-in of its log, and not before', async () => {
  using folder = tempFolder();
  const log = join(folder.path, 'output.log');
  const clock = steppedClock();
  const attempt = { dir: folder.path, marker: 'sign-in-watch#1', newReader: replayReader, clock };
  {
    await using _watch = new SignInWatch(attempt);
    clock.look();
    writeFileSync(log, '{"type":"retrying","reason":"the model answered 529"}\n');
    clock.look();
    // Control: an overload passes by itself.
    expect(readEnding(folder.path).ended).toBeNull();
    writeFileSync(log, '{"type":"sign-in","reason":"the model answered 401"}\n', { flag: 'a' });
    clock.look();
  }
  expect(readEnding(folder.path)).toMatchObject({
    ended: 'killed',
    reason: 'not signed in: the model answered 401',
  });
});
