import { realpathSync } from 'node:fs';
import { runGit } from './git.ts';

/**
 * Files below a folder, relative to it, that are not committed as they are: a workspace begins without them. None where
 * there is no repository, or the folder does not exist yet.
 */
export async function uncommittedFiles(dir: string): Promise<readonly string[]> {
  const real = realPath(dir);
  if (real === null) return [];
  const top = await runGit(real, ['rev-parse', '--show-prefix']);
  if (top.exitCode !== 0) return [];
  const prefix = top.stdout.replace(/\n$/, '');
  const looked = await runGit(real, [
    '--no-optional-locks',
    'status',
    '--porcelain=v1',
    '-z',
    '--no-renames',
    '--untracked-files=all',
    '--',
    '.',
  ]);
  if (looked.exitCode !== 0) return [];
  return looked.stdout.split('\0').flatMap((line) => {
    const path = line.slice('XY '.length);
    return path.startsWith(prefix) && path !== '' ? [path.slice(prefix.length)] : [];
  });
}

function realPath(dir: string): string | null {
  try {
    return realpathSync(dir);
  } catch {
    return null;
  }
}
