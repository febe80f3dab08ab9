import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ok, type Result } from '../lib/result.ts';
import type { Target } from '../model/workspace.ts';
import { runGit } from './git.ts';
import { makeRepository, repositoryText, takenOver } from './repository.ts';
import { copyIndex } from './tree.ts';

/**
 * A checkout of one commit, outside the operator's. Its `.git` is a small repository of its own that borrows the plan's
 * objects: whoever works there may commit, stash and configure, and no other checkout sees it. Tutti never asks that
 * repository about anything; it reads the files.
 */
export interface Checkout {
  readonly root: string;
  readonly commit: string;
  readonly branch: string;
}

/** Where what Tutti knows about a checkout's files is kept: outside it, so that nobody there writes it. */
export function indexOf(target: Target, name: string): string {
  return join(target.state, 'index', name);
}

/** Fills a folder with a commit's files. */
export async function fillFolder(
  target: Target,
  checkout: Checkout,
  index: string,
): Promise<Result<null, string>> {
  mkdirSync(checkout.root, { recursive: true, mode: 0o700 });
  mkdirSync(dirname(index), { recursive: true, mode: 0o700 });
  rmSync(index, { force: true });
  rmSync(`${index}.lock`, { force: true });
  const filled = await repositoryText(target, ['read-tree', '-m', '-u', checkout.commit], {
    workTree: checkout.root,
    index,
  });
  return filled.ok ? ok(null) : filled;
}

/** Gives a checkout a fresh repository of its own, instead of whatever is there. */
export function plantRepository(target: Target, { root, commit, branch }: Checkout, index: string): void {
  const at = join(root, '.git');
  const old = `${root}-git.${process.pid}.old`;
  rmSync(old, { recursive: true, force: true });
  if (lstatSync(at, { throwIfNoEntry: false }) !== undefined) renameSync(at, old);
  const making = `${root}-git.${process.pid}.new`;
  rmSync(making, { recursive: true, force: true });
  makeRepository(making, {
    bare: false,
    branch,
    ...recordedSettings(target),
    borrows: [join(target.gitDir, 'objects')],
  });
  mkdirSync(dirname(join(making, 'refs/heads', branch)), { recursive: true });
  writeFileSync(join(making, 'refs/heads', branch), `${commit}\n`);
  if (existsSync(index)) copyIndex(index, join(making, 'index'));
  renameSync(making, at);
  rmSync(old, { recursive: true, force: true });
}

function recordedSettings({ state, gitDir }: Target) {
  const config = readFileSync(join(state, 'repository.config'), 'utf8');
  const shallow = join(gitDir, 'shallow');
  return {
    format: /objectFormat = (\w+)/.exec(config)?.[1] ?? 'sha1',
    settings: config.slice(config.indexOf(takenOver) + takenOver.length),
    exclude: readFileSync(join(gitDir, 'info/exclude'), 'utf8'),
    shallow: existsSync(shallow) ? readFileSync(shallow, 'utf8') : null,
  };
}

/** A folder itself, not a link to one. */
export function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Does git, started in this checkout, use this checkout and its own repository? */
export async function isWhole(root: string): Promise<boolean> {
  if (!isFolder(join(root, '.git')) || existsSync(join(root, '.git', 'commondir'))) return false;
  const seen = await runGit(root, ['rev-parse', '--show-toplevel', '--absolute-git-dir', '--git-common-dir']);
  return seen.stdout === `${root}\n${join(root, '.git')}\n.git\n`;
}
