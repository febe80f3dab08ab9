import { accessSync, constants, existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { makePrivateFolder, replaceFile } from '../lib/atomic-file.ts';
import { isSafeName } from '../lib/ids.ts';
import { type Json, parsed, textMember } from '../lib/json.ts';
import { probe } from '../lib/probe.ts';
import { err, ok, type Result } from '../lib/result.ts';
import { shellWord } from '../lib/shell-word.ts';
import { type Owner, ownerPart } from '../model/owner.ts';
import type { Target } from '../model/workspace.ts';
import { nearestFolder } from './commit.ts';
import { runGit, saidBy } from './git.ts';
import { lockedFor } from './lock.ts';
import { borrowedSettings } from './borrowed-settings.ts';
import { configOf, makeRepository } from './repository.ts';
import { integrationBranch } from './refs.ts';

export interface TargetPlace {
  /** Where the code goes; need not exist yet. */
  readonly dir: string;
  readonly owner: Owner;
  /** This project's folder in the operator's state directory: `$XDG_STATE_HOME/tutti/<project mark>`. */
  readonly stateDir: string;
}

/**
 * Finds out what an owner's target is, once, and makes the owner's own repository in the state directory. A checkout of the
 * operator's lends its objects; nothing is written to it.
 */
export async function openTarget({ dir, owner, stateDir }: TargetPlace): Promise<Result<Target, string>> {
  if (!isSafeName(owner.name)) return err(`'${owner.name}' is not a name for a ${owner.kind}`);
  const real = realPath(resolve(dir));
  const state = join(realPath(resolve(stateDir)), ownerPart(owner));
  const known = knownTarget(state, owner);
  if (known !== null && known.dir !== real) {
    return err(
      `${owner.kind} ${owner.name} is for ${known.dir}, not for ${real}; give the ${owner.kind} another name`,
    );
  }
  const place = known === null ? await lookAt(real) : ok(known);
  if (!place.ok) return err(`${place.error.what}; ${place.error.fix}`);
  const target = targetAt(place.value, state, owner);
  if (existsSync(target.gitDir) && known !== null) return ok(target);
  makePrivateFolder(state);
  return lockedFor(target, 'target', () => makeTarget(target));
}

/** The target as it was opened before, with nothing made; null: it was not. */
export function findOpened({ dir, owner, stateDir }: TargetPlace): Target | null {
  const state = join(realPath(resolve(stateDir)), ownerPart(owner));
  const known = isSafeName(owner.name) ? knownTarget(state, owner) : null;
  if (known === null || known.dir !== realPath(resolve(dir))) return null;
  return existsSync(known.gitDir) ? known : null;
}

function targetAt({ kind, dir, root, prefix }: Place, state: string, owner: Owner): Target {
  return { kind, dir, gitDir: join(state, 'repository.git'), root, prefix, state, owner };
}

/** Why tasks cannot be executed in a folder, and what helps. */
export interface TargetFault {
  readonly what: string;
  readonly fix: string;
}

/** Why tasks could not be executed there, with nothing made: a plan for it would be paid for in vain. Null: they can. */
export async function refuseTarget(
  { dir, stateDir }: Pick<TargetPlace, 'dir' | 'stateDir'>,
  needs: 'files' | 'nothing',
): Promise<TargetFault | null> {
  const place = await lookAt(realPath(resolve(dir)));
  if (!place.ok) return place.error;
  const above = nearestFolder(resolve(stateDir));
  try {
    accessSync(above, constants.W_OK | constants.X_OK);
  } catch {
    const what = `${above} is not writable, and workspaces are made below it`;
    return { what, fix: 'make it writable, or set XDG_STATE_HOME' };
  }
  const { kind, root } = place.value;
  if (kind === 'folder' || needs === 'nothing') return null;
  const head = await runGit(root, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  if (head.exitCode === 0) return null;
  const git = `git -C ${shellWord(root)}`;
  return {
    what: `${root} has no commit, and workspaces begin with what is committed`,
    fix: `commit first: ${git} add -A && ${git} commit`,
  };
}

/** Why nothing could be landed there, although tasks can be executed; null: it could. */
export async function findOffBranch(dir: string): Promise<TargetFault | null> {
  const place = await lookAt(realPath(resolve(dir)));
  if (!place.ok || place.value.kind === 'folder') return null;
  const { root } = place.value;
  if ((await currentBranch(root)) !== null) return null;
  return {
    what: `${root} is on no branch, and finished work is landed into a branch`,
    fix: `make one: git -C ${shellWord(root)} switch -c NAME`,
  };
}

/** Its record comes last: without it, everything is made again. */
export async function makeTarget(target: Target): Promise<Result<Target, string>> {
  const { kind, dir, root, prefix, state, gitDir, owner } = target;
  const settings = await borrowedSettings(target);
  if (!settings.ok) return settings;
  const repository = { ...settings.value, bare: true, branch: integrationBranch(owner) };
  replaceFile(join(state, 'repository.config'), configOf(repository));
  if (!existsSync(gitDir)) makeRepository(gitDir, repository);
  probe('target:repository');
  const branch = kind === 'git' ? await currentBranch(root) : null;
  replaceFile(recordOf(state), `${JSON.stringify({ kind, dir, root, prefix, branch })}\n`);
  return ok(target);
}

/** The branch that a checkout is on; null: none. It need not have a commit yet. */
export async function currentBranch(root: string): Promise<string | null> {
  const branch = await runGit(root, ['symbolic-ref', '--quiet', '--short', 'HEAD']);
  return branch.exitCode === 0 ? branch.stdout.trim() : null;
}

/** The branch that the operator was on when the target was first looked at; null: none, or it was not recorded. */
export function firstBranch({ state }: Target): string | null {
  return textMember(readRecord(state), 'branch') || null;
}

function recordOf(state: string): string {
  return join(state, 'target.json');
}

function readRecord(state: string): Json {
  return existsSync(recordOf(state)) ? parsed(readFileSync(recordOf(state), 'utf8')) : null;
}

type Place = Pick<Target, 'kind' | 'dir' | 'root' | 'prefix'>;

/** In a repository, unless that repository ignores it: then nothing in it would ever be part of a commit. */
async function lookAt(dir: string): Promise<Result<Place, TargetFault>> {
  const folder = nearestFolder(dir);
  const top = await runGit(folder, ['rev-parse', '--show-toplevel']);
  if (top.exitCode === null)
    return err({ what: 'git cannot be started', fix: 'install it, then: tutti doctor' });
  if (top.exitCode !== 0) {
    const bare = await runGit(folder, ['rev-parse', '--is-bare-repository'], {
      pins: [['safe.bareRepository', 'all']],
    });
    if (bare.stdout.trim() === 'true') {
      const fix = `work in a checkout of it: git clone ${shellWord(folder)} DIR`;
      return err({ what: `${folder} is a bare repository`, fix });
    }
    // Any other trouble with a repository, such as one of another user, does not make it a plain folder.
    if (!top.stderr.includes('not a git repository (or any')) {
      const fix = `see what git says: git -C ${shellWord(folder)} status`;
      return err({ what: `${folder} cannot be a target; ${saidBy(top)}`, fix });
    }
    return ok({ kind: 'folder', dir, root: dir, prefix: '' });
  }
  const root = realPath(top.stdout.replace(/\n$/, ''));
  const prefix = relative(root, dir);
  if (prefix !== '') {
    const ignored = await runGit(root, ['check-ignore', '-q', '--no-index', '--', `${prefix}/`]);
    if (ignored.exitCode === 0) return ok({ kind: 'folder', dir, root: dir, prefix: '' });
  }
  return ok({ kind: 'git', dir, root, prefix });
}

function knownTarget(state: string, owner: Owner): Target | null {
  const record = readRecord(state);
  if (record === null) return null;
  const [dir, root, prefix] = ['dir', 'root', 'prefix'].map((name) => textMember(record, name));
  if (dir === undefined || root === undefined || prefix === undefined || dir === '') return null;
  const kind = textMember(record, 'kind') === 'git' ? 'git' : 'folder';
  return targetAt({ kind, dir, root, prefix }, state, owner);
}

/** With links followed as far as the path exists. */
function realPath(path: string): string {
  const there = nearestFolder(path);
  return there === path ? realpathSync(path) : join(realPath(dirname(path)), basename(path));
}
