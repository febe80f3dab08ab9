import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { replaceFile } from '../../src/lib/atomic-file.ts';
import { launch } from '../../src/runtime/launcher.ts';
import { hangLimitMs } from '../rig/hang-limit.ts';
import { AttemptRig, untilExists } from '../rig/attempt-rig.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { ledgerOf, remainsOf, writeFaultProject } from './flow.ts';
import { complaint, live, start } from './lives.ts';
import { mountingMissing, mountSmallDisk } from './small-disk.ts';
import { recovered } from './sweep.ts';

const missing = mountingMissing();
const old = JSON.stringify({ state: 'old' });
const tooLarge = JSON.stringify({ state: 'x'.repeat(200_000) });

/** What looks right and is not: one write may be short, and says so only by its return value. */
function naiveReplace(path: string, content: string): void {
  const descriptor = openSync(`${path}.tmp`, 'w');
  writeSync(descriptor, content);
  closeSync(descriptor);
  renameSync(`${path}.tmp`, path);
}

test('a short write on a full disk never replaces good state', ({ skip }) => {
  skip(missing !== null, missing ?? '');
  using folder = tempFolder();
  using disk = mountSmallDisk(folder.path, 65_536);
  const path = join(disk.path, 'state.json');
  replaceFile(path, old);
  expect(() => {
    replaceFile(path, tooLarge);
  }).toThrow('ENOSPC');
  expect(readFileSync(path, 'utf8')).toBe(old);
  expect(readdirSync(disk.path)).toEqual(['state.json']);
  disk.resize(1_000_000);
  replaceFile(path, tooLarge);
  expect(readFileSync(path, 'utf8')).toBe(tooLarge);
});

test('the disk can fail it: a single write replaces good state with half of it', ({ skip }) => {
  skip(missing !== null, missing ?? '');
  using folder = tempFolder();
  using disk = mountSmallDisk(folder.path, 65_536);
  const path = join(disk.path, 'state.json');
  replaceFile(path, old);
  naiveReplace(path, tooLarge);
  expect(() => JSON.parse(readFileSync(path, 'utf8')) as unknown).toThrow(SyntaxError);
});

test('the end of finished work is recorded even when the disk is full at that moment', async ({ skip }) => {
  skip(missing !== null, missing ?? '');
  using folder = tempFolder();
  using disk = mountSmallDisk(folder.path, 65_536);
  const rig = new AttemptRig(disk.path);
  const spec = rig.spec(['sh', '-c', 'cat /dev/zero > fill; : > full; exit 3']);
  const ended = launch(spec);
  await untilExists(spec.dir, 'full');
  await untilExists(spec.dir, 'exit');
  // Nothing fits into it yet, and nobody may take that for an end.
  expect(readFileSync(join(spec.dir, 'exit'), 'utf8')).toBe('');
  rmSync(join(spec.dir, 'fill'));
  expect(await ended).toMatchObject({ exitCode: 3, ended: null });
  await rig.close();
});

/** Large enough for its files to be written in several pieces, of which any may be the one that does not fit. */
const prompt = 'Write it. '.repeat(20_000);
const ample = 64 * 1024 * 1024;
const nearlyNothing = 16 * 1024;

interface Filled {
  readonly bytes: number;
  /** What the first life did about it. */
  readonly met: 'stopped' | 'waited' | 'fitted';
  readonly problem: string | null;
}

/** A first life on a disk of that size; space is made when it has given up, or when it waits for some. */
async function fillUp(bytes: number, whole: readonly string[]): Promise<Filled> {
  using folder = tempFolder();
  writeFaultProject(folder.path, prompt);
  using disk = mountSmallDisk(join(folder.path, '.tutti'), bytes);
  const living = live(folder.path, start);
  const waited = await Promise.race([living, fullForLong(disk.path)]);
  const before = waited === null ? null : remainsOf(folder.path);
  disk.resize(ample);
  const first = await living;
  const problem =
    complaint(first, folder.path) ??
    (await recovered(folder.path, first.code === 0, before ?? remainsOf(folder.path), whole));
  return { bytes, met: first.code === 0 ? (waited === null ? 'waited' : 'fitted') : 'stopped', problem };
}

/**
 * Null, once the disk has been full for longer than a process needs to notice and give up: who still lives waits for space.
 * Seen by the disk and not by a clock alone, because a loaded machine may not even have started the process by then.
 */
async function fullForLong(path: string): Promise<null> {
  for (let fullMs = 0, passedMs = 0; fullMs < 2500 && passedMs < hangLimitMs / 4; passedMs += 50) {
    await pause(50, null, { ref: false });
    const { bfree, bsize } = statfsSync(path);
    fullMs = bfree * bsize < nearlyNothing ? fullMs + 50 : 0;
  }
  return null;
}

test('a disk that fills up at any size: one sentence, nothing lost, and it goes on when there is space', {
  timeout: 300_000,
}, async ({ skip }) => {
  skip(missing !== null, missing ?? '');
  using folder = tempFolder();
  writeFaultProject(folder.path, prompt);
  expect((await live(folder.path, start)).code).toBe(0);
  const whole = ledgerOf(folder.path);
  const kilobytes = [48, 96, 160, 320, 512, 768, 1024, 1280, 1536, 1792, 2048, 2304, 2560, 3072];
  const sizes = kilobytes.map((kb) => kb * 1024);
  const queue = [...sizes];
  const filled: Filled[] = [];
  const worker = async () => {
    for (let size = queue.shift(); size !== undefined; size = queue.shift()) {
      filled.push(await fillUp(size, whole));
    }
  };
  await Promise.all([worker(), worker()]);
  const bad = filled.flatMap(({ bytes, problem }) =>
    problem === null ? [] : [`${bytes} bytes: ${problem}`],
  );
  const count = (met: Filled['met']) => filled.filter((one) => one.met === met).length;
  process.stdout.write(
    `full disk: ${sizes.length} sizes, ${count('stopped')} stopped, ${count('waited')} waited, ` +
      `${count('fitted')} fitted, ${bad.length} problems\n`,
  );
  expect(bad, bad.join('\n')).toEqual([]);
  // The control: most of these disks were too small. How many were given up and how many waited for depends on the moment.
  expect(count('stopped') + count('waited')).toBeGreaterThan(5);
});
