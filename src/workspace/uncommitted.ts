import { realpathSync } from 'node:fs';
import { listUncommitted, parseUncommitted } from '../model/git-status.ts';
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
  const looked = await runGit(real, listUncommitted);
  if (looked.exitCode !== 0) return [];
  return parseUncommitted(looked.stdout).flatMap((path) =>
    path.startsWith(prefix) ? [path.slice(prefix.length)] : [],
  );
}

function realPath(dir: string): string | null {
  try {
    return realpathSync(dir);
  } catch {
    return null;
  }
}
