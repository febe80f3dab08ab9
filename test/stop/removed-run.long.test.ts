import { realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ledger, processesOf, statusOf, until, untilEnded, writeShellProject } from '../e2e/project.ts';
import { hangLimitMs } from '../rig/hang-limit.ts';
import { startTutti, tutti } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';

const limit = { timeout: hangLimitMs };
const flow = {
  name: 'lost',
  steps: [
    { id: 'quick', agent: 'coder', prompt: 'one' },
    { id: 'slow', agent: 'coder', prompt: 'two', needs: ['quick'] },
  ],
};
const begun = ['quick begin', 'quick end', 'slow begin'];

/** A project whose run `lost` has an agent at work, whose holder was killed and whose state, or what of it is named, was deleted. */
async function removedRun(path: string, what = '.tutti'): Promise<void> {
  writeShellProject(path, flow);
  writeFileSync(join(path, 'other.yaml'), JSON.stringify({ steps: [{ id: 'q', command: ['true'] }] }));
  const run = startTutti(path, ['run', 'flow.yaml', '--run-id', 'lost']);
  await until('the agent works', () => ledger(path).includes('slow begin'));
  run.child.kill('SIGKILL');
  await run.ended;
  rmSync(join(path, what), { recursive: true });
}

/** Starts a conductor, which would continue every run that no process advances. */
async function startConductor(path: string): Promise<string> {
  const end = await tutti(path, 'run', 'other.yaml', '--run-id', 'other', '--detach');
  expect(end.code, end.stderr).toBe(0);
  await untilEnded(path, 'other');
  return end.stderr;
}

test.for(['stop lost', 'stop', 'stop --all'])(
  '%s: a run that was stopped while its state was deleted stays stopped when recover restores it',
  limit,
  async (words) => {
    using folder = tempFolder();
    const path = realpathSync(folder.path);
    await removedRun(path);
    expect(await tutti(path, ...words.split(' '))).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^run lost, whose record was removed, is stopped: \d+ process(es)? ended\n {2}→ restore its record, with this stop: tutti recover\n$/,
      ) as string,
    });
    expect(processesOf(path)).toEqual([]);
    expect((await tutti(path, 'recover')).stdout).toContain('stopped before, and stays stopped: run lost');
    expect(await statusOf(path, 'lost')).toMatchObject({ state: 'ended', outcome: 'INTERRUPTED' });
    expect(await startConductor(path)).not.toContain('lost');
    expect(ledger(path)).toEqual(begun);
    writeFileSync(join(path, 'go'), '');
    const resumed = await tutti(path, 'resume', 'lost');
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(ledger(path)).toEqual([...begun, 'slow begin', 'slow end']);
  },
);

test('stop --all also stops a run of a deleted state of which nothing is alive', limit, async () => {
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  await removedRun(path);
  writeFileSync(join(path, 'go'), '');
  await until('the agent has ended', () => processesOf(path).length === 0);
  expect(await tutti(path, 'stop', 'none')).toMatchObject({ code: 64 });
  expect((await tutti(path, 'stop', '--all')).stdout).toContain('is stopped: nothing of it is alive');
  expect((await tutti(path, 'recover')).stdout).toContain('stopped before, and stays stopped: run lost');
  expect(await startConductor(path)).not.toContain('lost');
  expect(await statusOf(path, 'lost')).toMatchObject({ state: 'ended', outcome: 'INTERRUPTED' });
});

test(
  'a conductor that continues a run which recover restored is announced, also soon after the run began',
  limit,
  async () => {
    using folder = tempFolder();
    const path = realpathSync(folder.path);
    await removedRun(path, '.tutti/tutti.db');
    writeFileSync(join(path, 'go'), '');
    await until('the agent has ended', () => processesOf(path).length === 0);
    expect(await tutti(path, 'recover')).toMatchObject({ code: 0 });
    expect(await startConductor(path)).toContain(
      'run lost, which no process advanced, continues in the background too\n  → stop it: tutti stop lost\n',
    );
    expect(await untilEnded(path, 'lost')).toMatchObject({ outcome: 'SUCCESS' });
    expect(ledger(path)).toEqual([...begun, 'slow end']);
  },
);

test(
  'a turn that ended while its state was deleted is named as lost, and no conductor pays it again',
  limit,
  async () => {
    using folder = tempFolder();
    const path = realpathSync(folder.path);
    await removedRun(path);
    writeFileSync(join(path, 'go'), '');
    await until('the agent has ended', () => processesOf(path).length === 0);
    const recovered = await tutti(path, 'recover');
    expect(recovered).toMatchObject({ code: 12, stderr: '' });
    expect(recovered.stdout).toMatch(
      /\n {2}lost: session \S+-coder\S*: its folder is gone, so its turn starts again\n {2}→ 1 run halted; continue: tutti resume lost\n/,
    );
    expect(recovered.stdout).not.toContain('found again');
    expect(await startConductor(path)).not.toContain('lost');
    expect(ledger(path)).toEqual([...begun, 'slow end']);
    expect((await tutti(path, 'resume', 'lost')).code).toBe(0);
    expect(ledger(path).filter((line) => line === 'quick begin')).toHaveLength(1);
  },
);
