import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sessionCreateForm } from '../../src/model/schemas/session-output.ts';
import { spawnForm } from '../../src/model/schemas/spawn-output.ts';
import { hangLimitMs } from '../rig/hang-limit.ts';
import { startTutti, tutti } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { ledger, processesOf, until, untilEnded, writeShellProject } from './project.ts';

const limit = { timeout: hangLimitMs };
const slow = { name: 'slow', steps: [{ id: 'slow-1', agent: 'coder', prompt: 'one' }] };
const asking = { name: 'asking', steps: [{ id: 'asks', agent: 'coder', prompt: 'ask' }] };
const quick = { name: 'quick', steps: [{ id: 'q', command: ['true'] }] };

/** A project with a run `asking` that waits for an answer, and a run `crashed` whose process was killed. */
async function arrangeCrashed(path: string): Promise<void> {
  writeShellProject(path, slow);
  writeFileSync(join(path, 'asking.yaml'), JSON.stringify(asking));
  writeFileSync(join(path, 'quick.yaml'), JSON.stringify(quick));
  writeFileSync(join(path, 'task.md'), 'do it\n');
  const asked = await tutti(path, 'run', 'asking.yaml', '--run-id', 'asking');
  expect(asked.code, asked.stderr + asked.stdout).toBe(3);
  const run = startTutti(path, ['run', 'flow.yaml', '--run-id', 'crashed']);
  await until('the agent works', () => ledger(path).includes('slow-1 begin'));
  run.child.kill('SIGKILL');
  await run.ended;
}

const commands = [
  ['session', 'create', 'coder', 'task.md'],
  ['run', 'quick.yaml', '--run-id', 'quick', '--detach'],
  ['answer', 'Q1', 'red'],
  ['spawn', '--prompt', 'do it', '--detach'],
] as const;

test.for(commands)(
  '%s %s names the other run that its conductor continues, and the command that stops it',
  limit,
  async (command) => {
    using folder = tempFolder();
    const path = realpathSync(folder.path);
    await arrangeCrashed(path);
    const end = await tutti(path, ...command);
    expect(end.code, end.stderr).toBe(0);
    expect(end.stderr).toContain(
      'run crashed, which no process advanced, continues in the background too\n  → stop it: tutti stop crashed\n',
    );
    expect((await tutti(path, 'stop', 'crashed')).code).toBe(0);
    expect(await untilEnded(path, 'crashed')).toMatchObject({ outcome: 'INTERRUPTED' });
    await until('no process of the project lives', () => processesOf(path).length === 0);
  },
);

const withJson = [
  [['session', 'create', 'coder', 'task.md', '--json'], sessionCreateForm],
  [['spawn', '--prompt', 'do it', '--detach', '--json'], spawnForm],
] as const;

test.for(withJson)(
  '%s: with --json the other runs are a member of the output',
  limit,
  async ([command, form]) => {
    using folder = tempFolder();
    const path = realpathSync(folder.path);
    await arrangeCrashed(path);
    const end = await tutti(path, ...command);
    expect([end.code, end.stderr]).toEqual([0, '']);
    expect(form.parse(JSON.parse(end.stdout)).also_continues).toEqual([
      { run_id: 'crashed', stop: 'tutti stop crashed' },
    ]);
    await tutti(path, 'stop', 'crashed');
    await until('no process of the project lives', () => processesOf(path).length === 0);
  },
);

test('a command whose conductor continues nothing else names nothing else', limit, async () => {
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  await arrangeCrashed(path);
  await tutti(path, 'stop', 'crashed');
  // A run that waits for a person does not continue either.
  const end = await tutti(path, 'session', 'create', 'coder', 'task.md', '--json');
  expect([end.code, end.stderr]).toEqual([0, '']);
  expect(JSON.parse(end.stdout)).not.toHaveProperty('also_continues');
  await until('no process of the project lives', () => processesOf(path).length === 0);
});
