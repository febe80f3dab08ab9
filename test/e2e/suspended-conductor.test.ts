import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { identify, isAlive } from '../../src/lib/process/identity.ts';
import { until } from '../rig/attempt-rig.ts';
import { tutti } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { ledger, statusOf, writeShellProject } from './project.ts';

const steps = [{ id: 'slow', agent: 'coder', prompt: 'slow' }];

test('--detach beside a suspended conductor names its process, as other commands do, and does not say that the run continues', async () => {
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  writeShellProject(path, { steps });
  const run = (id: string) => tutti(path, 'run', 'flow.yaml', '--run-id', id, '--detach');
  // The control: a conductor that responds takes the run.
  expect(await run('r1')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('continues in the background'),
  });
  await until('the agent works', () => ledger(path).includes('slow begin'));
  const { driven_by: pid } = (await statusOf(path, 'r1')) as unknown as { readonly driven_by: number };
  const conductor = identify(pid);
  if (conductor === null) throw new Error(`process ${pid} is not alive`);
  process.kill(pid, 'SIGSTOP');
  try {
    for (const [id, command] of [
      ['r2', () => run('r2')],
      ['r1', () => tutti(path, 'resume', 'r1', '--detach')],
      ['r3', () => tutti(path, 'spawn', '--prompt', 'slow', '--run-id', 'r3', '--detach')],
    ] as const) {
      expect(await command()).toMatchObject({
        code: 69,
        stdout: expect.not.stringMatching(/continues in the background|DETACHED/),
        stderr: expect.stringMatching(
          new RegExp(
            `run ${id} is recorded but does not continue: process ${pid}, the conductor, does not respond: it is suspended\\n` +
              `  → let it continue: kill -CONT ${pid}; or start another one .*: tutti resume ${id} --detach\\n`,
          ),
        ),
      });
    }
    for (const command of [['runs'], ['inbox'], ['session', 'list'], ['status', 'r2']])
      expect(await tutti(path, ...command)).toMatchObject({
        code: 0,
        stderr: expect.stringMatching(
          new RegExp(
            '^(?:Total: .*\\n)?(?:2 runs are waiting and no process advances them; continue one|1 run is waiting and no process advances it; continue it): tutti resume r[23]\\n' +
              `process ${pid}, which holds run r1, does not respond: it is suspended; ` +
              `let it continue: kill -CONT ${pid}; or take the run over when its lease has lapsed, after 30 s: tutti resume r1\\n$`,
          ),
        ),
      });
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  // All three runs were recorded, and the conductor that continues advances them.
  writeFileSync(join(path, 'go'), '');
  await until('the conductor has ended', () => !isAlive(conductor));
  for (const id of ['r1', 'r2', 'r3']) expect(await statusOf(path, id)).toMatchObject({ outcome: 'SUCCESS' });
});
