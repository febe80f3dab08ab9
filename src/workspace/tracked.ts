import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, relative } from 'node:path';
import { gitEnvironment } from './pins.ts';
import { inRealFolder, indexFile, trustRootOf } from './trust-root.ts';

/**
 * Whether git tracks a file or folder of a checkout. Every command asks, so the index is searched for the name first, and
 * git itself is started only where the name occurs or the index has a form that is not searched.
 */
export function isTracked(path: string): boolean {
  const real = inRealFolder(path);
  const { checkout, isGit } = trustRootOf(dirname(real));
  if (!isGit) return false;
  const name = relative(checkout, real);
  return mayBeListed(indexFile(checkout), name) && isListed(checkout, name);
}

function mayBeListed(index: string, name: string): boolean {
  try {
    const bytes = readFileSync(index);
    // From version 4 on a name is written without what it shares with the one before; a split index lies in two files.
    const isPlain = bytes.readUInt32BE(4) < 4 && !readdirSync(dirname(index)).some(isSharedIndex);
    return !isPlain || bytes.includes(name);
  } catch {
    // Without an index nothing is tracked; one that cannot be read is git's to judge.
    return readdirSync(dirname(index)).includes(basename(index));
  }
}

function isSharedIndex(name: string): boolean {
  return name.startsWith('sharedindex.');
}

/** Where git cannot say it, the file counts as tracked: it might be. */
function isListed(checkout: string, name: string): boolean {
  const { status, stdout } = spawnSync('git', ['ls-files', '-z', '--', `:(top,literal)${name}`], {
    cwd: checkout,
    env: gitEnvironment([], {}),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return status !== 0 || stdout !== '';
}
