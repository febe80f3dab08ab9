import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/rig/temp-folder.ts';
import { isGroupDir, openGroup, ownGroupDirs, removeGroup, sweepGroups } from './cgroup.ts';
import { groupMembers, killGroups, leaveGroups } from './cgroup-members.ts';
import { hierarchies, placesOf } from './cgroup-places.ts';

const limits = { memoryBytes: 1000, processes: 20, cpuPercent: 150 };
const none = { memoryBytes: null, processes: null, cpuPercent: null };

/** A system made of plain files: what is mounted, who is where, and the files that groups have. */
function fake(root: string, mounts: readonly string[], members: Readonly<Record<string, string>>): string {
  const proc = join(root, 'proc');
  mkdirSync(join(proc, 'self'), { recursive: true });
  writeFileSync(join(proc, 'self/mountinfo'), `20 1 0:1 / / rw - ext4 /dev/x rw\n${mounts.join('\n')}\n`);
  for (const [pid, text] of Object.entries(members)) {
    mkdirSync(join(proc, pid), { recursive: true });
    writeFileSync(join(proc, pid, 'cgroup'), text);
  }
  return proc;
}

function group(dir: string, files: Readonly<Record<string, string>> = {}): string {
  mkdirSync(dir, { recursive: true });
  for (const [name, text] of Object.entries({ 'cgroup.procs': '', ...files }))
    writeFileSync(join(dir, name), text);
  return dir;
}

const text = (...path: readonly string[]): string => readFileSync(join(...path), 'utf8');

test('the places of a process are found through blanks, shared mounts and containers', () => {
  using folder = tempFolder();
  const proc = fake(
    folder.path,
    [
      '31 20 0:2 / /sys/fs/cgroup/cpu\\040acct rw shared:5 - cgroup cgroup rw,cpu,cpuacct',
      '32 20 0:3 /docker/x /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids',
      '33 20 0:4 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw',
    ],
    {
      self: '4:cpu,cpuacct:/\n3:pids:/docker/x/a\n2:memory:/m\n0::/one/two\nrubbish\n',
      7: '3:pids:/docker/y\n0::/../out\n',
    },
  );
  const known = hierarchies(proc);
  expect(known.map(({ version }) => version)).toEqual([1, 1, 2]);
  expect(placesOf('self', known, proc).map(({ dir }) => dir)).toEqual([
    '/sys/fs/cgroup/cpu acct',
    '/sys/fs/cgroup/pids/a',
    '/sys/fs/cgroup/unified/one/two',
  ]);
  // Outside what a container is shown there is nothing that could be reached.
  expect(placesOf(7, known, proc)).toEqual([]);
  expect(hierarchies('/no/such')).toEqual([]);
});

test('version 2 holds all that it passes on', () => {
  using folder = tempFolder();
  const mount = join(folder.path, 'v2');
  const proc = fake(folder.path, [`33 20 0:4 / ${mount} rw - cgroup2 cgroup2 rw`], { self: '0::/own\n' });
  group(join(mount, 'own'), {
    'cgroup.controllers': 'cpu memory pids\n',
    'cgroup.subtree_control': 'memory\n',
  });
  const files = { 'memory.max': '', 'memory.swap.max': '', 'pids.max': '', 'cpu.max': '' };
  const dir = group(join(mount, 'own/g'), files);
  expect(openGroup('g', limits, proc)).toEqual({
    dirs: [dir],
    held: new Set(['memory', 'processes', 'cpu']),
  });
  expect([text(dir, 'memory.max'), text(dir, 'pids.max'), text(dir, 'cpu.max')]).toEqual([
    '1000',
    '20',
    '150000 100000',
  ]);
  expect(ownGroupDirs('g', proc)).toEqual([dir]);
});

test('what version 2 does not pass on, version 1 holds; what neither has, nobody', () => {
  using folder = tempFolder();
  const [two, pids] = [join(folder.path, 'v2'), join(folder.path, 'pids')];
  const mounts = [`33 20 0:4 / ${two} rw - cgroup2 c rw`, `34 20 0:5 / ${pids} rw - cgroup c rw,pids`];
  const proc = fake(folder.path, mounts, { self: '8:pids:/\n0::/\n' });
  group(two, { 'cgroup.controllers': 'hugetlb\n' });
  group(pids);
  group(join(pids, 'g'), { 'pids.max': '' });
  const opened = openGroup('g', limits, proc);
  expect(opened).toEqual({ dirs: [join(two, 'g'), join(pids, 'g')], held: new Set(['processes']) });
  expect(text(pids, 'g/pids.max')).toBe('20');
});

test('without version 2 there is still a group to find its members by; without any, none', () => {
  using folder = tempFolder();
  const freezer = join(folder.path, 'freezer');
  const mounts = [`34 20 0:5 / ${freezer} rw - cgroup c rw,freezer`];
  const proc = fake(folder.path, mounts, { self: '6:freezer:/\n' });
  // A group that we may not move anybody from is not ours.
  mkdirSync(freezer);
  expect(openGroup('g', none, proc)).toEqual({ dirs: [], held: new Set() });
  group(freezer);
  expect(openGroup('g', none, proc).dirs).toEqual([join(freezer, 'g')]);
  expect(openGroup('g', limits, '/no/such')).toEqual({ dirs: [], held: new Set() });
});

test('members are found at any depth, and the outermost group is the one', () => {
  using folder = tempFolder();
  const mount = join(folder.path, 'v2');
  const proc = fake(folder.path, [`33 20 0:4 / ${mount} rw - cgroup2 c rw`], {
    self: '0::/\n',
    10: '0::/a/g1\n',
    11: '0::/a/g1/inner/g2\n',
    12: '0::/a\n',
    13: '0::/a/g10\n',
  });
  const accepts = (name: string): boolean => name === 'g1' || name === 'g2';
  expect(groupMembers(accepts, proc)).toEqual({ pids: [10, 11], dirs: [join(mount, 'a/g1')] });
  expect(groupMembers(accepts, '/no/such')).toEqual({ pids: [], dirs: [] });

  group(join(mount, 'a'));
  leaveGroups(11, accepts, proc);
  expect(text(mount, 'a/cgroup.procs')).toBe('11');
  writeFileSync(join(mount, 'a/cgroup.procs'), '');
  leaveGroups(12, accepts, proc);
  expect(text(mount, 'a/cgroup.procs')).toBe('');
});

test('a group is ended at once, or kept from growing; never the one we are in', () => {
  using folder = tempFolder();
  const mount = join(folder.path, 'v2');
  const proc = fake(folder.path, [`33 20 0:4 / ${mount} rw - cgroup2 c rw`], { self: '0::/mine/deep\n' });
  const two = group(join(mount, 'two'), { 'cgroup.kill': '', 'pids.max': 'max' });
  const one = group(join(mount, 'one'), { 'pids.max': 'max' });
  const mine = group(join(mount, 'mine'), { 'cgroup.kill': '' });
  killGroups([two, one, mine], proc);
  expect([text(two, 'cgroup.kill'), text(two, 'pids.max'), text(one, 'pids.max')]).toEqual([
    '1',
    'max',
    '0ax',
  ]);
  expect(text(mine, 'cgroup.kill')).toBe('');
});

test('only a group of exactly that name below a mount is one', () => {
  using folder = tempFolder();
  const mount = join(folder.path, 'v2');
  const proc = fake(folder.path, [`33 20 0:4 / ${mount} rw - cgroup2 c rw`], {});
  expect(isGroupDir(`${mount}/a/g`, 'g', proc)).toBe(true);
  for (const path of [
    'g',
    '/g',
    `${mount}2/g`,
    `${mount}/g/`,
    `${mount}/../x/g`,
    `${mount}/a//g`,
    `${mount}/other`,
    '',
  ]) {
    expect(isGroupDir(path, 'g', proc)).toBe(false);
  }
});

test("what nobody lived to remove goes with the next one made, unless it is young, used or somebody else's", () => {
  using folder = tempFolder();
  const mount = join(folder.path, 'v2');
  const proc = fake(folder.path, [`33 20 0:4 / ${mount} rw - cgroup2 c rw`], { self: '0::/\n' });
  const now = Date.now();
  for (const each of ['g-old', 'g-young', 'g-used', 'other', 'g-of-dead/below', 'g-of-living/below'])
    mkdirSync(join(mount, each), { recursive: true });
  writeFileSync(join(mount, 'g-used/member'), '');
  const hourAgo = new Date(now - 3_600_000);
  for (const each of ['g-old', 'g-used', 'other', 'g-of-dead', 'g-of-living'])
    utimesSync(join(mount, each), hourAgo, hourAgo);
  sweepGroups(
    (each) => each.startsWith('g-'),
    (each) => each === 'g-of-dead',
    now,
    proc,
  );
  expect(readdirSync(mount).toSorted()).toEqual(['g-of-living', 'g-used', 'g-young', 'other']);
});

const name = `tutti-test-${process.pid}`;
const probe = openGroup(name, none);
for (const dir of probe.dirs) removeGroup(dir);
const offered = probe.dirs.length > 0;

test(`the real thing: in, found, ended, removed (${offered ? 'offered here' : 'this system offers none'})`, async () => {
  const { dirs } = openGroup(name, { ...none, processes: 10 });
  expect(dirs.length > 0).toBe(offered);
  if (!offered) return;
  const child = spawn('sleep', ['300'], { stdio: 'ignore', detached: true });
  try {
    for (const dir of dirs) writeFileSync(join(dir, 'cgroup.procs'), String(child.pid));
    expect(groupMembers((each) => each === name)).toEqual({
      pids: [child.pid],
      dirs: expect.any(Array) as string[],
    });
    for (const dir of dirs) removeGroup(dir);
    // One that is not empty stays.
    expect(dirs.every((dir) => existsSync(dir))).toBe(true);
    mkdirSync(join(dirs[0] ?? '', 'below'));
    const gone = once(child, 'exit');
    killGroups(dirs);
    if (!existsSync(join(dirs[0] ?? '', 'cgroup.kill'))) child.kill('SIGKILL');
    await gone;
    expect(groupMembers((each) => each === name).pids).toEqual([]);
  } finally {
    child.kill('SIGKILL');
    for (const dir of dirs) removeGroup(dir);
  }
  expect(dirs.filter((dir) => existsSync(dir))).toEqual([]);
});
