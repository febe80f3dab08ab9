import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startTutti, tutti, writeProject } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { lines, processesOf, until } from './project.ts';

/** Kills its launcher and itself, as the system does when memory runs out; `fails` ends with an exit code. */
const agent = `echo 'counting the leaves'
case $TUTTI_STEP in fails*) exit 3 ;; esac
kill -KILL $PPID $$
`;

test('the hints after an agent was lost three times name its log and what may have killed it', async () => {
  using folder = tempFolder();
  const flow = (id: string) => ({ steps: [{ id, agent: 'coder', prompt: 'count' }] });
  writeProject(folder.path, {
    'agent.sh': agent,
    'lost.yaml': flow('lost'),
    'fails.yaml': flow('fails'),
    'tutti.yaml': { driver: 'mine', drivers: { mine: { type: 'command', command: ['sh', 'agent.sh'] } } },
  });
  const ended = await tutti(folder.path, 'run', 'lost.yaml', '--run-id', 'r');
  expect(ended.code).toBe(1);
  const hints = new RegExp(
    ' {2}→ see how far its agent came: tutti logs (\\S+)\n' +
      " {2}→ look into the system's log for what killed the agent of lost, such as a lack of memory; then try again: tutti resume r\n",
  );
  expect(ended.stdout).toMatch(hints);
  const { stdout } = await tutti(folder.path, 'status', 'r');
  expect(stdout).toMatch(hints);
  const session = hints.exec(stdout)?.[1] ?? '';
  expect((await tutti(folder.path, 'logs', session)).stdout).toContain('counting the leaves');
  // The control: an agent that failed by itself has been killed by nothing.
  const failed = await tutti(folder.path, 'run', 'fails.yaml', '--run-id', 'f');
  expect(failed.stdout).toMatch(
    / {2}→ read what its agent printed: tutti logs \S+\n {2}→ try what failed again: tutti resume f\n/,
  );
});

test('an agent that was killed with its launcher and the holder is shown as lost, also while what it started is alive', async () => {
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  writeProject(path, {
    'agent.sh': 'sleep 1000 &\necho "$PPID $$" > pids.tmp\nmv pids.tmp pids\nwait\n',
    'flow.yaml': { steps: [{ id: 'a', agent: 'coder', prompt: 'count' }] },
    'tutti.yaml': { driver: 'mine', drivers: { mine: { type: 'command', command: ['sh', 'agent.sh'] } } },
  });
  const run = startTutti(path, ['run', 'flow.yaml', '--run-id', 'r']);
  await until('the agent works', () => lines(join(path, 'pids')).length > 0);
  run.child.kill('SIGKILL');
  await run.ended;
  const killed = (lines(join(path, 'pids'))[0] ?? '').split(' ').map(Number);
  for (const pid of killed) process.kill(pid, 'SIGKILL');
  await until('both are gone', () => !killed.some((pid) => processesOf(path).includes(pid)));
  const vanished = 'lost: its process vanished without a result';
  const status = await tutti(path, 'status', 'r');
  expect(status.stdout).toContain(
    `${vanished}, and processes that it started are alive; end them and start it again: tutti resume r\n`,
  );
  expect(status.stdout).not.toContain('● a');
  expect((await tutti(path, 'costs', 'r')).stdout).not.toContain('running');
  expect((await tutti(path, 'session', 'list')).stdout).toContain('RUNNING (dead)');
  for (const pid of processesOf(path)) process.kill(pid, 'SIGKILL');
  await until('nothing is left', () => processesOf(path).length === 0);
  expect((await tutti(path, 'status', 'r')).stdout).toContain(
    `${vanished}; start it again: tutti resume r\n`,
  );
  expect((await tutti(path, 'session', 'list')).stdout).toMatch(/FAILED \(lost\) .* unknown +- +r +a\n/);
  expect((await tutti(path, 'session', 'status', 'last')).stdout).toMatch(
    /\nElapsed: unknown; last heard of after \d+\.\ds\n/,
  );
});
