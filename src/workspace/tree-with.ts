import { mkdirSync, rmSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Result } from '../lib/result.ts';
import type { Target } from '../model/workspace.ts';
import { repositoryText } from './repository.ts';
import { entriesAt } from './snapshot.ts';

interface Replaced {
  /** A snapshot of the target. */
  readonly from: string;
  /** Relative to the target. */
  readonly paths: readonly string[];
}

let count = 0;

/** A commit's tree with these files as they are in a snapshot; what is not there is not in it. Through an index of its own. */
export async function treeWith(
  target: Target,
  commit: string,
  { from, paths }: Replaced,
): Promise<Result<string, string>> {
  const entries = await entriesAt(target, from, paths);
  if (!entries.ok) return entries;
  count += 1;
  const folder = join(target.state, 'index');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const options = { index: join(folder, `with.${process.pid}-${count}`) };
  try {
    const filled = await repositoryText(target, ['read-tree', commit], options);
    if (!filled.ok) return filled;
    const lines = paths.map((path) => {
      const [mode = '0', blob = '0'.repeat(commit.length)] = entries.value.get(path)?.split(' ') ?? [];
      return `${mode} ${blob}\t${posix.join(target.prefix, path)}\0`;
    });
    const put = await repositoryText(target, ['update-index', '-z', '--index-info'], {
      ...options,
      input: lines.join(''),
    });
    return put.ok ? await repositoryText(target, ['write-tree'], options) : put;
  } finally {
    rmSync(options.index, { force: true });
    rmSync(`${options.index}.lock`, { force: true });
  }
}
