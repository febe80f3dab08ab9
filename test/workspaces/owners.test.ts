import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Owner } from '../../src/model/owner.ts';
import { deliver } from '../../src/workspace/deliver.ts';
import { land } from '../../src/workspace/landing.ts';
import { rescue, rescues } from '../../src/workspace/rescue.ts';
import { sweep } from '../../src/workspace/sweep.ts';
import { findOpened, openTarget } from '../../src/workspace/target.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { git, must, put, repositoryAt, seal, workspaceFor } from './rig.ts';

const fine = { verify: () => Promise.resolve({ ok: true } as const) };
const kinds: readonly Owner['kind'][] = ['plan', 'crew', 'campaign'];

test('a plan, a crew and a campaign of one name work, land, rescue and deliver without meeting each other', async () => {
  using folder = tempFolder();
  const repo = repositoryAt(join(folder.path, 'repo'), { 'a.txt': 'a\n' });
  const stateDir = join(folder.path, 'state');
  const places = kinds.map((kind) => ({ dir: repo, owner: { kind, name: 'shop' }, stateDir }));
  const targets = [];
  for (const place of places) targets.push(must(await openTarget(place)));
  const ports = new Set<string | undefined>();
  for (const target of targets) {
    const { kind } = target.owner;
    const workspace = await workspaceFor(target, 'one');
    ports.add(workspace.env['TUTTI_PORT_BASE']);
    put(workspace.dir, { [`${kind}.txt`]: `${kind}\n` });
    expect(must(await land(target, workspace, await seal(target, workspace), fine)).at).toBe('landed');
    const given = await workspaceFor(target, 'two');
    put(given.dir, { 'given-up.txt': `${kind}\n` });
    expect(must(await rescue(target, given))).not.toBeNull();
  }
  expect(ports.size).toBe(kinds.length);
  for (const [index, target] of targets.entries()) {
    const { kind } = target.owner;
    expect(findOpened(places[index] ?? { dir: '', owner: target.owner, stateDir })).toEqual(target);
    const part = kind === 'plan' ? 'shop' : `${kind}+shop`;
    const files = git(repo, 'ls-tree', '-r', '--name-only', `tutti/${part}/integration`).split('\n');
    expect(files.toSorted()).toEqual(['a.txt', `${kind}.txt`].toSorted());
    expect(await rescues(target)).toHaveLength(1);
    // Each finds its own workspaces open, and no other owner's.
    expect((await sweep(target)).open.map(({ branch }) => branch)).toEqual([
      `tutti/${part}/one-1`,
      `tutti/${part}/two-1`,
    ]);
    expect(must(await deliver(target))).toMatchObject({ at: 'delivered', files: 1 });
    expect(readFileSync(join(repo, `${kind}.txt`), 'utf8')).toBe(`${kind}\n`);
  }
  expect(existsSync(join(repo, 'given-up.txt'))).toBe(false);
});

test('an owner whose name could become another part of a path is refused', async () => {
  using folder = tempFolder();
  const repo = repositoryAt(join(folder.path, 'repo'), { 'a.txt': 'a\n' });
  for (const name of ['crew+shop', '../shop', 'a/b', '']) {
    const place = { dir: repo, owner: { kind: 'plan', name } as const, stateDir: join(folder.path, 'state') };
    expect(await openTarget(place)).toEqual({ ok: false, error: `'${name}' is not a name for a plan` });
    expect(findOpened(place)).toBeNull();
  }
});
