import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { processesOf, until } from '../e2e/project.ts';
import { mountingMissing } from '../faults/small-disk.ts';
import { installedTutti } from '../rig/installed-tutti.ts';
import { whyNoOther } from '../rig/other-user.ts';
import { writeProject } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';

const owner = { uid: 65_534, gid: 65_534 };

/** Root may write to every folder, so another user is played. */
const ways = {
  permissions: {
    user: owner,
    missing: whyNoOther(owner),
    lock: (state: string) => spawnSync('chmod', ['-R', 'a-w', state]),
    unlock: (state: string) => spawnSync('chmod', ['-R', 'u+w', state]),
  },
  mount: {
    user: {},
    missing: mountingMissing(),
    lock: (state: string) => {
      spawnSync('mount', ['--bind', state, state]);
      return spawnSync('mount', ['-o', 'remount,ro,bind', state]);
    },
    unlock: (state: string) => spawnSync('umount', ['-l', state]),
  },
} as const;

const flow = {
  steps: [
    { id: 'first', command: ['sh', '-c', 'touch began; sleep 300'] },
    { id: 'second', needs: ['first'], command: ['true'] },
  ],
};

test.for(['permissions', 'mount'] as const)(
  'a run that is stopped while its state is read-only by %s, and its holder lives, is recorded as INTERRUPTED',
  async (name, { skip }) => {
    const { user, missing, lock, unlock } = ways[name];
    if (missing !== null) skip(missing);
    using folder = tempFolder();
    chmodSync(folder.path, 0o755);
    const path = join(realpathSync(folder.path), 'project');
    const home = join(realpathSync(folder.path), 'home');
    mkdirSync(home);
    writeProject(path, { 'flow.yaml': flow });
    if ('uid' in user) spawnSync('chown', ['-R', `${user.uid}:${user.gid}`, path, home]);
    const options = { cwd: path, env: { PATH: process.env['PATH'], HOME: home }, ...user };
    const ask = (...words: readonly string[]) =>
      spawnSync(process.execPath, [installedTutti(), ...words], { ...options, encoding: 'utf8' });
    const words = [installedTutti(), 'run', 'flow.yaml', '--run-id', 'r', '--trust'];
    const run: ChildProcess = spawn(process.execPath, words, { ...options, stdio: 'ignore' });
    const ended = new Promise<number | null>((resolve) => {
      run.once('close', resolve);
    });
    try {
      await until('its command works', () => existsSync(join(path, 'began')));
      expect(lock(join(path, '.tutti')).status).toBe(0);
      const stopped = ask('stop', 'r');
      expect(stopped, stopped.stderr).toMatchObject({ status: 0, stderr: '' });
      expect(stopped.stdout).toContain('run r is stopped: ');
      await until('every process is gone', () => processesOf(path).length === 0);
    } finally {
      unlock(join(path, '.tutti'));
    }
    await ended;
    expect(ask('stop', '--all').status).toBe(0);
    const status: unknown = JSON.parse(ask('status', 'r', '--json').stdout);
    expect(status).toMatchObject({ state: 'ended', outcome: 'INTERRUPTED', unrecorded: null });
  },
);
