import { constants, copyFileSync, existsSync, lstatSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { realPathBelow } from '../lib/path-below.ts';
import { err, ok, type Result } from '../lib/result.ts';
import { includeFile } from '../model/trust-surfaces.ts';
import type { Target } from '../model/workspace.ts';
import { partsOf, textOf } from './git.ts';
import { repositoryGit } from './repository.ts';

const maxFiles = 1_000;
const maxBytes = 50 * 1024 * 1024;

/**
 * Copies what `.worktreeinclude` in the operator's checkout names (patterns as in `.gitignore`) and git ignores: a `.env`,
 * a local key. Files that git does not ignore are not copied, for they would become part of the work.
 */
export async function copyIncluded(target: Target, root: string): Promise<Result<readonly string[], string>> {
  const from = target.root;
  if (!existsSync(join(from, includeFile))) return ok([]);
  const index = join(target.state, 'index', 'none');
  const matching = ['ls-files', '-z', '--others', '--ignored', `--exclude-from=${includeFile}`, '--', '.'];
  const listed = textOf(await repositoryGit(target, matching, { workTree: from, index }));
  if (!listed.ok) return err(`${includeFile} cannot be followed; ${listed.error}`);
  const { stdout } = await repositoryGit(target, ['check-ignore', '-z', '--stdin', '--no-index'], {
    workTree: from,
    index,
    input: listed.value,
  });
  const names = partsOf(stdout).filter((name) => isPlainFile(from, name) && !existsSync(join(root, name)));
  if (names.length > maxFiles) {
    return err(
      `${includeFile} names ${names.length} files; name folders that can be made again in workspace.setup`,
    );
  }
  for (const name of names) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    copyFileSync(join(from, name), join(root, name), constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  }
  return ok(names);
}

function isPlainFile(root: string, name: string): boolean {
  const facts = lstatSync(join(root, name), { throwIfNoEntry: false });
  return facts !== undefined && facts.isFile() && facts.size <= maxBytes && realPathBelow(root, name).ok;
}
