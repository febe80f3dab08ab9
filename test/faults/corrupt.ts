import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Random } from '../simulation/random.ts';

/** What can be in a place where a file of ours should be. */
const kinds = {
  truncated: 4,
  flipped: 4,
  garbage: 3,
  empty: 2,
  marked: 2,
  huge: 1,
  gone: 2,
  directory: 2,
  link: 3,
  pipe: 1,
} as const;

export type Corruption = keyof typeof kinds;

/** Where links of a corruption may lead: a file of somebody else, which must never be written or believed. */
const canary = 'canary';
const canaryText = 'somebody else wrote this';

export function plantCanary(folder: string): void {
  writeFileSync(join(folder, canary), canaryText);
}

export function canaryIsWell(folder: string): boolean {
  return readFileSync(join(folder, canary), 'utf8') === canaryText;
}

/** Damages one file, or puts something else in its place. `folder` has the canary. */
export function corrupt(path: string, folder: string, random: Random): Corruption {
  const kind = random.weighted(kinds);
  const before = lstatSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path) : Buffer.alloc(0);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  switch (kind) {
    case 'truncated':
      writeFileSync(path, before.subarray(0, random.below(before.length + 1)));
      break;
    case 'flipped':
      writeFileSync(path, flipped(before, random));
      break;
    case 'garbage':
      writeFileSync(path, Buffer.from(Array.from({ length: random.below(4096) }, () => random.below(256))));
      break;
    case 'empty':
      writeFileSync(path, '');
      break;
    case 'marked':
      writeFileSync(path, Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), before]));
      break;
    case 'huge':
      writeFileSync(path, Buffer.concat([before, Buffer.alloc(2 * 1024 * 1024, 'x')]));
      break;
    case 'gone':
      break;
    case 'directory':
      mkdirSync(path);
      if (random.chance(0.5)) writeFileSync(join(path, 'inside'), '');
      break;
    case 'link':
      symlinkSync(random.pick([join(folder, canary), '/nowhere', path, '/dev/zero', folder]) ?? '', path);
      break;
    case 'pipe':
      // Whoever opens it to read waits for a writer who never comes.
      execFileSync('mkfifo', [path]);
      break;
  }
  return kind;
}

function flipped(before: Buffer, random: Random): Buffer {
  const after = Buffer.from(before);
  for (let n = 1 + random.below(8); n > 0 && after.length > 0; n -= 1) {
    const at = random.below(after.length);
    after[at] = (after[at] ?? 0) ^ (1 << random.below(8));
  }
  return after;
}
