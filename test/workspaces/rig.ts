import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Result } from '../../src/lib/result.ts';
import { planOwner } from '../../src/model/owner.ts';
import type { SealedWork, Target, Workspace } from '../../src/model/workspace.ts';
import { openTarget } from '../../src/workspace/target.ts';
import { openWorkspace } from '../../src/workspace/worktree.ts';
import { sealWorkspace } from '../../src/workspace/seal.ts';

/** Git as a person calls it, unpinned. */
export function git(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', ['-c', 'user.name=Op', '-c', 'user.email=op@example.com', ...args], {
    cwd: folder,
    stdio: 'pipe',
    encoding: 'utf8',
  }).trim();
}

export function put(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** An operator's repository with one commit. */
export function repositoryAt(folder: string, files: Readonly<Record<string, string>>): string {
  mkdirSync(folder, { recursive: true });
  git(folder, 'init', '-q', '-b', 'main');
  git(folder, 'config', 'user.name', 'Op');
  git(folder, 'config', 'user.email', 'op@example.com');
  put(folder, files);
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', 'first');
  return folder;
}

export function must<T>(result: Result<T, string>): T {
  if (!result.ok) throw new Error(result.error);
  return result.value;
}

export const owner = planOwner('shop');

export async function targetAt(folder: string, dir: string): Promise<Target> {
  return must(await openTarget({ dir, owner, stateDir: join(folder, 'state') }));
}

export async function workspaceFor(target: Target, task: string, attempt = 1): Promise<Workspace> {
  return must(await openWorkspace(target, { task, attempt, run: 'r', includes: true }));
}

export async function seal(target: Target, workspace: Workspace): Promise<SealedWork> {
  const { task } = workspace;
  const sealed = must(
    await sealWorkspace(target, workspace, {
      message: `${task}: work`,
      trailers: { 'Tutti-Task': task, 'Tutti-Run': 'r', 'Tutti-Agent': 'a' },
    }),
  );
  if (sealed.at !== 'sealed') throw new Error(`${task} is ${sealed.at}`);
  return sealed.sealed;
}
