import { spawnSync } from 'node:child_process';
import { type BigIntStats, lstatSync } from 'node:fs';
import { isMachineTrouble } from '../lib/machine-trouble.ts';
import { partsOf } from './git.ts';
import { gitEnvironment } from './pins.ts';
import { indexFile, trustRootOf } from './trust-root.ts';

/** By folder. Sessions begin and end by the hundred, and git takes long to list a large index, which rarely changes. */
const listed = new Map<string, { readonly stamp: string; readonly folders: readonly string[] }>();

/** The repositories that the index lists below a folder, relative to it. Git runs what their configuration names. */
export function submodulesIn(folder: string): readonly string[] {
  const stamp = stampOf(folder);
  const known = listed.get(folder);
  if (stamp !== null && known?.stamp === stamp) return known.folders;
  const folders = listSubmodules(folder);
  if (folders !== null && stamp !== null && stamp === stampOf(folder)) listed.set(folder, { stamp, folders });
  return folders ?? [];
}

/** Which index git reads there, and its state: git replaces that file, and no program can set the time of its change. Null: none. */
function stampOf(folder: string): string | null {
  const { checkout, isGit } = trustRootOf(folder);
  if (!isGit) return null;
  const index = indexFile(checkout);
  const facts = exactFacts(index);
  if (facts?.isFile() !== true) return null;
  return [index, facts.dev, facts.ino, facts.size, facts.mtimeNs, facts.ctimeNs].join(' ');
}

/** With times to the nanosecond. A `.git` that an agent wrote may lead anywhere. */
function exactFacts(path: string): BigIntStats | null {
  try {
    return lstatSync(path, { bigint: true });
  } catch (error) {
    if (isMachineTrouble(error)) throw error;
    return null;
  }
}

function listSubmodules(folder: string): readonly string[] | null {
  const { status, stdout } = spawnSync('git', ['ls-files', '--stage', '-z'], {
    cwd: folder,
    env: gitEnvironment([], {}),
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  if (status !== 0) return null;
  return partsOf(stdout)
    .filter((line) => line.startsWith('160000 '))
    .map((line) => line.slice(line.indexOf('\t') + 1));
}
