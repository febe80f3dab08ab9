import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { setProbe } from '../../src/lib/probe.ts';
import type { Target } from '../../src/model/workspace.ts';
import { deliver } from '../../src/workspace/deliver.ts';
import { land } from '../../src/workspace/landing.ts';
import { openTarget } from '../../src/workspace/target.ts';
import { planOwner } from '../../src/model/owner.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { differences, operatorsThings } from './operator.ts';
import { git, must, put, repositoryAt, seal, targetAt, workspaceFor } from './rig.ts';

const fine = { verify: () => Promise.resolve({ ok: true } as const) };

/** A plan that changed `a.txt` and made `new.txt`. */
async function landed(folder: string): Promise<{ readonly repo: string; readonly target: Target }> {
  const repo = repositoryAt(join(folder, 'repo'), { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
  const target = await targetAt(folder, repo);
  const workspace = await workspaceFor(target, 'T001');
  put(workspace.dir, { 'a.txt': 'plan\n', 'new.txt': 'new\n' });
  must(await land(target, workspace, await seal(target, workspace), fine));
  return { repo, target };
}

const read = (...path: readonly string[]): string => readFileSync(join(...path), 'utf8');

test('a branch that did not move is moved forward; what is not committed beside it stays as it is', async () => {
  using folder = tempFolder();
  const { repo, target } = await landed(folder.path);
  put(repo, { 'b.txt': 'staged\n', 'c.txt': 'changed\n', 'mine.txt': 'm\n' });
  git(repo, 'add', 'b.txt');
  expect(must(await deliver(target))).toMatchObject({ at: 'delivered', files: 2 });
  expect(git(repo, 'rev-parse', 'main')).toBe(git(repo, 'rev-parse', 'tutti/shop/integration'));
  expect(
    git(repo, 'status', '--porcelain')
      .split('\n')
      .map((line) => line.trim()),
  ).toEqual(['M  b.txt', 'M c.txt', '?? mine.txt']);
  expect([read(repo, 'a.txt'), read(repo, 'c.txt')]).toEqual(['plan\n', 'changed\n']);
});

test('a branch that moved gets a merge of both', async () => {
  using folder = tempFolder();
  const { repo, target } = await landed(folder.path);
  put(repo, { 'b.txt': 'later\n' });
  git(repo, 'commit', '-qam', 'later');
  expect(must(await deliver(target))).toMatchObject({ at: 'delivered', files: 2 });
  expect(git(repo, 'log', '-1', '--format=%an %s')).toBe("Op Merge branch 'tutti/shop/integration'");
  expect(git(repo, 'rev-list', '--count', 'HEAD^1', 'HEAD^2')).toBe('3');
  expect([read(repo, 'a.txt'), read(repo, 'b.txt')]).toEqual(['plan\n', 'later\n']);
  expect(git(repo, 'status', '--porcelain')).toBe('');
  expect(must(await deliver(target))).toEqual({ at: 'nothing' });
});

test.for([
  ['a file that was changed', { 'a.txt': 'mine\n' }, ['a.txt'], 'not committed'],
  ['a file that would be made', { 'new.txt': 'mine\n' }, ['new.txt'], 'not committed'],
] as const)('%s is not overwritten, and nothing else is touched', async ([, files, named, reason]) => {
  using folder = tempFolder();
  const { repo, target } = await landed(folder.path);
  put(repo, files);
  const before = operatorsThings(repo);
  const end = must(await deliver(target));
  expect(end).toMatchObject({ at: 'refused', files: named });
  expect(end.at === 'refused' ? end.reason : '').toContain(reason);
  // Where git notes the branch's commit before it tries.
  expect(differences(before, operatorsThings(repo))).toEqual(['.git/ORIG_HEAD']);
});

test.for([
  ['a file that would be made', 'new.txt', 'new.txt'],
  ['a directory where a file would be made', 'new.txt/mine', 'new.txt'],
] as const)('%s is not overwritten although git ignores it', async ([, path, named]) => {
  using folder = tempFolder();
  const { repo, target } = await landed(folder.path);
  appendFileSync(join(repo, '.git', 'info', 'exclude'), 'new.txt\n');
  put(repo, { [path]: 'the only copy\n' });
  expect(must(await deliver(target))).toMatchObject({ at: 'refused', files: [named] });
  expect(read(repo, path)).toBe('the only copy\n');
  expect(read(repo, 'a.txt')).toBe('a\n');
});

test('an ignored file that is what the plan made of it is in nobody’s way', async () => {
  using folder = tempFolder();
  const { repo, target } = await landed(folder.path);
  appendFileSync(join(repo, '.git', 'info', 'exclude'), 'new.txt\n');
  put(repo, { 'new.txt': 'new\n' });
  expect(must(await deliver(target))).toMatchObject({ at: 'delivered' });
});

test('a file where a directory would be made is named', async () => {
  using folder = tempFolder();
  const { repo, target } = await landed(folder.path);
  const workspace = await workspaceFor(target, 'T002');
  put(workspace.dir, { 'src/part.txt': 'plan\n' });
  must(await land(target, workspace, await seal(target, workspace), fine));
  put(repo, { src: 'mine\n' });
  expect(must(await deliver(target))).toMatchObject({ at: 'refused', files: ['src'] });
  expect(read(repo, 'src')).toBe('mine\n');
});

test('a commit of a person on the branch that their repository shows is kept, and not landed over', async () => {
  using folder = tempFolder();
  const { repo, target } = await landed(folder.path);
  const branch = 'tutti/shop/integration';
  git(repo, 'checkout', '-q', branch);
  put(repo, { 'a.txt': 'my fix\n' });
  git(repo, 'commit', '-qam', 'my fix');
  const mine = git(repo, 'rev-parse', 'HEAD');
  git(repo, 'checkout', '-q', 'main');
  expect(must(await deliver(target))).toEqual({ at: 'unrecorded', how: 'shown', commit: mine });
  // What lands later does not replace it.
  const workspace = await workspaceFor(target, 'T002');
  put(workspace.dir, { 'c.txt': 'plan\n' });
  must(await land(target, workspace, await seal(target, workspace), fine));
  expect(git(repo, 'rev-parse', branch)).toBe(mine);
  git(repo, 'merge', '-q', branch);
  expect(must(await deliver(target))).toMatchObject({ at: 'delivered' });
  expect([read(repo, 'a.txt'), read(repo, 'c.txt')]).toEqual(['my fix\n', 'plan\n']);
  expect(git(repo, 'rev-parse', branch)).toBe(git(target.gitDir, 'rev-parse', branch));
});

test('a commit that another program put on the integration branch is not delivered', async () => {
  using folder = tempFolder();
  const { repo, target } = await landed(folder.path);
  const branch = 'refs/heads/tutti/shop/integration';
  const tip = git(target.gitDir, 'rev-parse', branch);
  const tree = git(target.gitDir, 'rev-parse', `${branch}~1^{tree}`);
  const foreign = git(target.gitDir, 'commit-tree', tree, '-p', tip, '-m', 'T002: not by Tutti');
  git(target.gitDir, 'update-ref', branch, foreign);
  const before = operatorsThings(repo);
  expect(must(await deliver(target))).toEqual({ at: 'unrecorded', how: 'foreign', commit: foreign });
  // What lands on it later does not hide it.
  const workspace = await workspaceFor(target, 'T003');
  put(workspace.dir, { 'c.txt': 'plan\n' });
  must(await land(target, workspace, await seal(target, workspace), fine));
  expect(must(await deliver(target))).toEqual({ at: 'unrecorded', how: 'foreign', commit: foreign });
  expect(read(repo, 'a.txt')).toBe('a\n');
  expect(differences(before, operatorsThings(repo)).filter((path) => !path.includes('tutti'))).toEqual([]);
});

test('an integration branch that lost what landed is not delivered', async () => {
  using folder = tempFolder();
  const { target } = await landed(folder.path);
  const branch = 'refs/heads/tutti/shop/integration';
  const tip = git(target.gitDir, 'rev-parse', branch);
  git(target.gitDir, 'update-ref', branch, `${branch}~1`);
  expect(must(await deliver(target))).toEqual({ at: 'unrecorded', how: 'missing', commit: tip });
  git(target.gitDir, 'update-ref', branch, tip);
  expect(must(await deliver(target))).toMatchObject({ at: 'delivered', files: 2 });
});

test('work that an earlier release landed is delivered', async () => {
  using folder = tempFolder();
  const { target } = await landed(folder.path);
  const tip = git(target.gitDir, 'rev-parse', 'refs/heads/tutti/shop/integration');
  git(target.gitDir, 'update-ref', '-d', `refs/tutti/made/shop/${tip}`);
  expect(must(await deliver(target))).toMatchObject({ at: 'delivered', files: 2 });
});

test('what was committed on the same lines is a conflict that the operator is told of', async () => {
  using folder = tempFolder();
  const { repo, target } = await landed(folder.path);
  put(repo, { 'a.txt': 'mine\n' });
  git(repo, 'commit', '-qam', 'mine');
  const before = operatorsThings(repo);
  expect(must(await deliver(target))).toEqual({
    at: 'refused',
    reason: 'it conflicts with what was committed since; merge it yourself: git merge tutti/shop/integration',
    files: ['a.txt'],
  });
  expect(differences(before, operatorsThings(repo))).toEqual([]);
});

test('while a merge is in progress, the operator is told how to finish or undo it', async () => {
  using folder = tempFolder();
  const { repo, target } = await landed(folder.path);
  put(repo, { 'a.txt': 'mine\n' });
  git(repo, 'commit', '-qam', 'mine');
  expect(must(await deliver(target))).toMatchObject({ at: 'refused', files: ['a.txt'] });
  expect(() => git(repo, 'merge', '-q', 'tutti/shop/integration')).toThrow();
  const merging = {
    at: 'refused',
    reason: `a merge is in progress in ${repo}; finish it with git add and git commit, or undo it with git merge --abort`,
    files: [],
  };
  expect(must(await deliver(target))).toEqual(merging);
  put(repo, { 'a.txt': 'both\n' });
  git(repo, 'commit', '-qam', 'merged');
  expect(must(await deliver(target))).toEqual({ at: 'nothing' });
});

test('a checkout on no branch, on another branch or on the plan’s own is told so', async () => {
  using folder = tempFolder();
  const { repo, target } = await landed(folder.path);
  expect(must(await deliver(target, { into: 'release' }))).toEqual({
    at: 'refused',
    reason: `${repo} is on main; go there first: git switch release`,
    files: [],
  });
  git(repo, 'checkout', '-q', '--detach');
  expect(must(await deliver(target))).toMatchObject({
    reason: `${repo} is on no branch; choose one: git switch BRANCH`,
  });
  git(repo, 'checkout', '-q', 'tutti/shop/integration');
  expect(must(await deliver(target))).toMatchObject({ at: 'refused' });
});

test('a merge that a crash cut off is repeated: files that are already what they will be are in nobody’s way', async () => {
  using folder = tempFolder();
  const { repo, target } = await landed(folder.path);
  writeFileSync(join(repo, 'a.txt'), 'plan\n');
  writeFileSync(join(repo, 'new.txt'), 'new\n');
  expect(must(await deliver(target))).toMatchObject({ at: 'delivered' });
  expect(git(repo, 'status', '--porcelain')).toBe('');
});

/** Stops at the n-th boundary, as a crash would; how many there were when it went through. */
async function deliverThroughCrashes(target: Target): Promise<number> {
  for (let point = 1; ; point += 1) {
    let passed = 0;
    setProbe((name) => {
      passed += name.startsWith('deliver:') ? 1 : 0;
      if (passed === point) throw new Error('crash');
    });
    try {
      expect(must(await deliver(target)).at).not.toBe('refused');
      return point;
    } catch (error) {
      expect(error).toMatchObject({ message: 'crash' });
    } finally {
      setProbe(null);
    }
  }
}

test('interrupted at any boundary, a delivery can be repeated until it is through', async () => {
  using folder = tempFolder();
  const { repo, target } = await landed(folder.path);
  expect(await deliverThroughCrashes(target)).toBeGreaterThanOrEqual(3);
  expect([read(repo, 'a.txt'), read(repo, 'new.txt')]).toEqual(['plan\n', 'new\n']);
  expect(git(repo, 'status', '--porcelain')).toBe('');
  expect(git(repo, 'for-each-ref', 'refs/tutti/delivering')).toBe('');

  const dir = join(folder.path, 'plain');
  put(dir, { 'a.txt': 'a\n', 'b.txt': 'b\n' });
  const plain = must(
    await openTarget({ dir, owner: planOwner('plain'), stateDir: join(folder.path, 'state') }),
  );
  const workspace = await workspaceFor(plain, 'T001');
  put(workspace.dir, { 'a.txt': 'plan\n', 'c.txt': 'c\n', 'd/e.txt': 'e\n' });
  git(workspace.dir, 'rm', '-q', 'b.txt');
  must(await land(plain, workspace, await seal(plain, workspace), fine));
  // Fewer each time: what was written stays written.
  expect(await deliverThroughCrashes(plain)).toBeGreaterThanOrEqual(3);
  expect(readdirSync(dir).toSorted()).toEqual(['a.txt', 'c.txt', 'd']);
  expect([read(dir, 'a.txt'), read(dir, 'd/e.txt')]).toEqual(['plan\n', 'e\n']);
});
