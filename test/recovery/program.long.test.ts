import { realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backupFolderOf } from '../../src/app/open-store.ts';
import { pathsOf } from '../../src/app/project.ts';
import { parsed } from '../../src/lib/json.ts';
import { endRun, runProcesses } from '../../src/runtime/end-run.ts';
import { statusOf, writeShellProject } from '../e2e/project.ts';
import { until } from '../rig/attempt-rig.ts';
import { startTutti, tutti, writeProject } from '../rig/program.ts';
import { deleteDatabase, files, ledger, run } from './lost-work.ts';
import { tempFolder } from '../rig/temp-folder.ts';

test('commands refuse a lost database, recover restores it, and the finished turn is not paid again', async () => {
  using folder = tempFolder();
  writeProject(folder.path, files);
  expect((await tutti(folder.path, ...run)).code).toBe(0);
  deleteDatabase(folder.path);
  for (const args of [['status'], ['runs'], ['session', 'list'], run]) {
    const refused = await tutti(folder.path, ...args);
    expect(refused).toMatchObject({ code: 69, stdout: '' });
    expect(refused.stderr).toMatch(
      /^tutti: .*tutti\.db is missing, but .*\n  → restore it: tutti recover\n$/,
    );
  }
  const recovered = await tutti(folder.path, 'recover');
  expect(recovered).toMatchObject({ code: 0, stderr: '' });
  expect(recovered.stdout).toMatch(/^restored 1 run and 1 session: the database was missing\n/);
  const again = await tutti(folder.path, 'recover', '--json');
  expect(parsed(again.stdout)).toMatchObject({ replaced: null, runs: 1, sessions: 1, lost: [] });
  expect((await tutti(folder.path, ...run)).code).toBe(0);
  expect(ledger(folder.path)).toEqual(['told']);
});

test('a folder in which nothing ever ran has nothing to recover', async () => {
  using folder = tempFolder();
  expect(await tutti(folder.path, 'recover')).toMatchObject({
    code: 64,
    stderr: expect.stringMatching(
      /^tutti: there is nothing to recover in .*\n  → start with: tutti init\n$/,
    ) as string,
  });
});

test('removing the state folder ends a running command with one sentence', async () => {
  using folder = tempFolder();
  writeProject(folder.path, files);
  const running = startTutti(folder.path, ['run', 'long.yaml', '--run-id', 'r2']);
  await until('the agent works', () => ledger(folder.path).includes('sleeps'));
  rmSync(join(folder.path, '.tutti'), { recursive: true, force: true });
  const end = await running.ended;
  expect(end.code).toBe(69);
  expect(end.stderr).toMatch(
    /^tutti: .*\.tutti was removed or replaced while run r2 was under way: its agents were ended\n {2}→ .*\n$/,
  );
});

test('a step that Tutti ended because its database was removed is interrupted, not failed', async () => {
  using folder = tempFolder();
  const waits = (note: string): string => `echo ${note} >> ledger; [ -e go ] || sleep 600`;
  writeProject(folder.path, {
    ...files,
    'agent.sh': `cat > /dev/null\n${waits('agent')}\necho '{"status":"success","summary":"told"}' > "$TUTTI_RESULT"\n`,
    'both.yaml': {
      name: 'both',
      steps: [
        { id: 'command', command: ['sh', '-c', waits('command')] },
        { id: 'agent', agent: 'coder', prompt: 'Wait.' },
      ],
    },
  });
  const running = startTutti(folder.path, ['run', 'both.yaml', '--run-id', 'r3']);
  await until('both steps work', () => ledger(folder.path).length === 2);
  rmSync(join(folder.path, '.tutti', 'tutti.db'));
  expect((await running.ended).code).toBe(69);
  expect((await tutti(folder.path, 'recover')).code).toBe(0);
  const status = await tutti(folder.path, 'status', 'r3');
  expect(status.stdout).toMatch(/✕ agent .* INTERRUPTED/);
  writeFileSync(join(folder.path, 'go'), '');
  // Interrupted steps run again; failed ones would end the run, or be healed by a turn that is paid for.
  const resumed = await tutti(folder.path, 'resume', 'r3');
  expect(resumed.code, resumed.stderr).toBe(0);
  expect(resumed.stdout).not.toMatch(/FAILURE|heal/);
  expect(ledger(folder.path).toSorted()).toEqual(['agent', 'agent', 'command', 'command']);
});

test('recover refuses while a process uses the database, even if nothing that is kept knows the process', async () => {
  using folder = tempFolder();
  writeProject(folder.path, files);
  const running = startTutti(folder.path, ['run', 'long.yaml', '--run-id', 'r2']);
  await until('the agent works', () => ledger(folder.path).includes('sleeps'));
  rmSync(join(folder.path, '.local', 'state', 'tutti', 'backups'), { recursive: true });
  // One that could notice would end its run by itself.
  running.child.kill('SIGSTOP');
  deleteDatabase(folder.path);
  const { mark } = pathsOf(folder.path);
  try {
    const refused = await tutti(folder.path, 'recover');
    expect(refused).toMatchObject({
      code: 1,
      stderr: `tutti: process ${running.child.pid} still uses the database of this project\n  → end it: kill ${running.child.pid}, then: tutti recover\n`,
    });
    expect(runProcesses(mark, 'r2')).toBeGreaterThan(0);
  } finally {
    running.child.kill('SIGKILL');
    await running.ended;
  }
  // Its agent lives on, and is found again.
  const recovered = await tutti(folder.path, 'recover', '--json');
  expect(parsed(recovered.stdout)).toMatchObject({ runs: 1, living: [expect.any(String)] });
  expect(ledger(folder.path)).toEqual(['sleeps']);
  await endRun(mark, 'r2');
});

test('doctor says when the database was last copied, and where to', async () => {
  using folder = tempFolder();
  writeProject(folder.path, files);
  expect((await tutti(folder.path, ...run)).code).toBe(0);
  const young = await tutti(folder.path, 'doctor');
  expect(young.stdout).toMatch(/tutti\.db; no full copy yet; all changes are stored in .*backups/);
  deleteDatabase(folder.path);
  await tutti(folder.path, 'recover');
  const copied = await tutti(folder.path, 'doctor');
  expect(copied.stdout).toMatch(/tutti\.db; last copy \d{4}-.*Z in .*backups/);
});

test('a run that recover halts is halted when recover ends, and its question is in the inbox', async () => {
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  writeShellProject(path, { steps: [{ id: 'asks', agent: 'coder', prompt: 'ask' }] });
  expect((await tutti(path, 'run', 'flow.yaml', '--run-id', 'r')).code).toBe(3);
  deleteDatabase(path);
  rmSync(backupFolderOf(pathsOf(path), { HOME: path }).path, { recursive: true });
  const recovered = await tutti(path, 'recover');
  expect(recovered.code).toBe(12);
  expect(recovered.stdout).toContain('→ 1 run halted; continue: tutti resume r\n');
  expect((await statusOf(path, 'r')).state).toBe('halted');
  expect((await tutti(path, 'inbox')).stdout).toContain('Which colour?');
  expect(ledger(path)).toEqual(['asks begin', 'asks end']);
});
