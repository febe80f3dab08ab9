import { expect, test } from 'vitest';
import { tutti, writeProject } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';

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
