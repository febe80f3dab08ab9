import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { hangLimitMs } from '../../../test/rig/hang-limit.ts';
import { tempFolder } from '../../../test/rig/temp-folder.ts';
import { familyFinder } from './process-family.ts';
import { system } from './system.ts';
import { identify, type ProcessIdentity } from './identity.ts';

const pids: number[] = [];
afterEach(() => {
  for (const pid of pids.splice(0)) if (identify(pid) !== null) process.kill(pid, 'SIGKILL');
});

interface Family {
  readonly leader: ProcessIdentity;
  readonly escaped: number;
  readonly cleared: number;
}

/** A leader with one child that left the session, and one that cleared its environment and lost its parent. */
async function start(folder: string, mark: string): Promise<Family> {
  const command = `
    setsid sh -c 'echo $$ >$DIR/escaped; exec sleep 300' &
    (exec env -i DIR="$DIR" sh -c 'echo $$ >$DIR/cleared; exec sleep 300' &)
    exec sleep 300`;
  const child = spawn('sh', ['-c', command], {
    stdio: 'ignore',
    detached: true,
    env: { PATH: '/usr/bin:/bin', DIR: folder, MARK: mark },
  });
  const read = (name: string): number => {
    try {
      return Number.parseInt(readFileSync(join(folder, name), 'utf8'), 10) || 0;
    } catch {
      return 0;
    }
  };
  await expect
    .poll(() => Math.min(read('escaped'), read('cleared')), { timeout: hangLimitMs })
    .toBeGreaterThan(0);
  const leader = identify(child.pid ?? 0);
  if (leader === null) throw new Error('it did not start');
  pids.push(leader.pid, read('escaped'), read('cleared'));
  return { leader, escaped: read('escaped'), cleared: read('cleared') };
}

const pidsOf = (members: readonly ProcessIdentity[]): ReadonlySet<number> =>
  new Set(members.map(({ pid }) => pid));

test('each way to belong catches what escapes the others', async () => {
  using folder = tempFolder();
  const mark = `mark-${process.pid}`;
  const { leader, escaped, cleared } = await start(folder.path, mark);
  const accepts = (value: string): boolean => value === mark;
  const all = new Set([leader.pid, escaped, cleared]);
  const find = familyFinder({ variable: 'MARK', accepts, leader });
  expect(pidsOf(find())).toEqual(all);

  // Controls: the mark alone misses the cleared one; the session alone finds the escaped one only by its parent.
  const marked = familyFinder({ variable: 'MARK', accepts, leader: null });
  expect(pidsOf(marked())).toEqual(new Set([leader.pid, escaped]));
  const led = familyFinder({ variable: 'MARK', accepts: () => false, leader });
  expect(pidsOf(led())).toEqual(all);

  process.kill(leader.pid, 'SIGKILL');
  await expect.poll(() => identify(leader.pid)).toBeNull();
  // Seen once, remembered; but who looks for the first time after the leader died cannot trust its number.
  expect(pidsOf(find())).toEqual(new Set([escaped, cleared]));
  expect(familyFinder({ variable: 'MARK', accepts: () => false, leader })()).toEqual([]);
});

test('who looks is never a member', () => {
  const me = identify(process.pid);
  const find = familyFinder({ variable: 'NONE', accepts: () => false, leader: me });
  expect(pidsOf(find()).has(process.pid)).toBe(false);
});

test('a member that was started after the processes were listed is found', () => {
  const row = (pid: number) => ({ pid, parent: 1, leader: pid, state: 'S', startTime: '5' });
  const table = {
    ...system(),
    all: () => [row(10)],
    withVariable: () => [10, 11, 12],
    one: (pid: number | 'self') => (pid === 11 ? row(11) : null),
  };
  const find = familyFinder({ variable: 'MARK', accepts: () => true, leader: null }, table);
  expect(pidsOf(find())).toEqual(new Set([10, 11]));
});
