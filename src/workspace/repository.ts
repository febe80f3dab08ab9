import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ok, type Result } from '../lib/result.ts';
import type { Target } from '../model/workspace.ts';
import { pastStaleLocks } from './stale-lock.ts';
import type { Pin } from './pins.ts';
import { callGit, type GitEnd, type GitOptions, textOf } from './git.ts';

/** Never part of a plan's work: Tutti's own, and what tools drop and fetch again. */
export const droppings: readonly string[] = [
  '.tutti/',
  '.tutti-workspace.env',
  'node_modules/',
  '__pycache__/',
  '.pytest_cache/',
  '.DS_Store',
];

/** A repository as Tutti makes one: by hand, so that no template of anybody's gets into it. */
export interface RepositorySetup {
  readonly bare: boolean;
  /** The branch it is on. */
  readonly branch: string;
  /** `sha1` or `sha256`. */
  readonly format: string;
  /** Settings of the operator's repository that decide how files are read and written, as lines of a configuration. */
  readonly settings: string;
  /** Object folders it borrows from. */
  readonly borrows: readonly string[];
  readonly exclude: string;
  /** Of a shallow clone: where its history ends. */
  readonly shallow: string | null;
}

/** Whole or not at all. */
export function makeRepository(path: string, plan: RepositorySetup): void {
  const making = `${path}.${process.pid}.new`;
  rmSync(making, { recursive: true, force: true });
  for (const folder of ['objects/info', 'objects/pack', 'refs/heads', 'info']) {
    mkdirSync(join(making, folder), { recursive: true, mode: 0o700 });
  }
  writeFileSync(join(making, 'HEAD'), `ref: refs/heads/${plan.branch}\n`);
  writeFileSync(join(making, 'config'), configOf(plan));
  writeFileSync(
    join(making, 'objects/info/alternates'),
    plan.borrows.map((folder) => `${folder}\n`).join(''),
  );
  writeFileSync(join(making, 'info/exclude'), plan.exclude);
  if (plan.shallow !== null) writeFileSync(join(making, 'shallow'), plan.shallow);
  renameSync(making, path);
}

/** What follows it in a configuration is the operator's. */
export const takenOver = '# taken over\n';

export function configOf({
  bare,
  format,
  settings,
}: Pick<RepositorySetup, 'bare' | 'format' | 'settings'>): string {
  const version = format === 'sha1' ? '0' : '1';
  const extension = format === 'sha1' ? '' : `[extensions]\n\tobjectFormat = ${format}\n`;
  return `[core]\n\trepositoryFormatVersion = ${version}\n\tbare = ${String(bare)}\n${extension}${takenOver}${settings}`;
}

export interface PlanGitOptions extends GitOptions {
  /** The files it is about; without it, only objects and refs are touched. */
  readonly workTree?: string;
  /** The index it uses. Never that of a checkout. */
  readonly index?: string;
}

/** What landed is on disk before it is said to have landed. */
const durable: readonly Pin[] = [
  ['core.fsync', 'committed,loose-object'],
  ['core.fsyncMethod', 'batch'],
];

/**
 * Git on the plan's own repository, by its recorded place: a `.git` that somebody rewrote is not asked. Its configuration
 * is put back first if anybody changed it.
 */
export async function repositoryGit(
  target: Target,
  args: readonly string[],
  options: PlanGitOptions = {},
): Promise<GitEnd> {
  const { workTree, index, ...rest } = options;
  keepConfig(target);
  const where = [
    `--git-dir=${target.gitDir}`,
    ...(workTree === undefined ? [] : [`--work-tree=${workTree}`]),
  ];
  const env = { ...rest.env, ...(index === undefined ? {} : { GIT_INDEX_FILE: index }) };
  return callGit(workTree ?? target.gitDir, [...where, ...args], {
    ...rest,
    env,
    pins: [...durable, ...(rest.pins ?? [])],
  });
}

/** The same, for what it prints. */
export async function repositoryText(
  target: Target,
  args: readonly string[],
  options: PlanGitOptions = {},
): Promise<Result<string, string>> {
  return textOf(await repositoryGit(target, args, options));
}

function keepConfig({ gitDir }: Target): void {
  const config = join(gitDir, 'config');
  const written = readFileSync(join(dirname(gitDir), 'repository.config'), 'utf8');
  if (existsSync(config) && readFileSync(config, 'utf8') === written) return;
  rmSync(config, { recursive: true, force: true });
  writeFileSync(config, written);
}

/** The commit a name stands for; null when there is none. */
export async function commitAt(target: Target, name: string): Promise<string | null> {
  const found = await repositoryText(target, [
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${name}^{commit}`,
  ]);
  return found.ok ? found.value : null;
}

export async function treeAt(target: Target, name: string): Promise<string | null> {
  const found = await repositoryText(target, [
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${name}^{tree}`,
  ]);
  return found.ok ? found.value : null;
}

/** Moves refs together or not at all: lines of `git update-ref --stdin`. */
export async function moveRefs(target: Target, lines: readonly string[]): Promise<Result<null, string>> {
  const input = ['start', ...lines, 'prepare', 'commit', ''].join('\n');
  const moved = await pastStaleLocks(target.gitDir, () =>
    repositoryGit(target, ['update-ref', '--no-deref', '--stdin'], { input }),
  );
  const said = textOf(moved);
  return said.ok ? ok(null) : said;
}
