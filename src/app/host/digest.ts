import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isMachineTrouble } from '../../lib/machine-trouble.ts';
import { digest, digestText } from '../../lib/digest.ts';
import { runGit } from '../../workspace/git.ts';

/** Contents of the files that the globs name, in the workspace only; a missing file is a fact, not a failure. */
export async function digestFiles(workspace: string, globs: readonly string[]): Promise<string> {
  const names = [...new Set(globs.flatMap((glob) => globSync(glob, { cwd: workspace })))].toSorted();
  return digest(names.flatMap((name) => contentOf(workspace, name)));
}

/** What a turn left behind: the difference to the last commit where there is git, else the artifacts it named. */
export async function digestProgress(workspace: string, artifacts: readonly string[]): Promise<string> {
  const [changed, added] = await Promise.all([
    runGit(workspace, ['diff', '--no-ext-diff', '--no-textconv', 'HEAD', '--', '.']),
    runGit(workspace, ['ls-files', '--others', '--exclude-standard', '-z', '--', '.']),
  ]);
  const named = await digestFiles(workspace, artifacts);
  if (changed.exitCode !== 0 || added.exitCode !== 0) return named;
  const names = added.stdout.split('\0').filter((name) => name !== '' && !name.startsWith('.tutti/'));
  return digest([digestText(changed.stdout), names.flatMap((name) => contentOf(workspace, name)), named]);
}

function contentOf(workspace: string, name: string): string[] {
  try {
    const path = join(workspace, name);
    return statSync(path).isFile() ? [name, digestText(readFileSync(path))] : [];
  } catch (error) {
    if (isMachineTrouble(error)) throw error;
    return [name, 'unreadable'];
  }
}
