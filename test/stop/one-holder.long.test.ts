import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Example, plan } from '../e2e/example.ts';
import { ledger, statusOf, until, untilEnded, writeShellProject } from '../e2e/project.ts';
import { needProgram } from '../rig/need-program.ts';
import { personProgram, tutti } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { Terminal } from '../watch/terminal.ts';
import { holdUpCommand, holdUpExecute } from './held-up.ts';

test('a command that is held up after it recorded its run keeps the run, although a conductor is awake', async () => {
  using folder = tempFolder();
  const { holder, end } = await holdUpCommand(realpathSync(folder.path));
  expect(end.code, end.stderr).toBe(0);
  expect(holder).toBe('command');
});

test('plan && execute keep their run while a conductor is awake', { timeout: 300_000 }, async () => {
  const { holder, end } = await holdUpExecute();
  expect(end.code, end.stderr).toBe(0);
  expect(holder).toBe('command');
});

test('a command attaches to the run that the conductor advances; Ctrl-C there detaches or halts', {
  timeout: 120_000,
}, async (context) => {
  needProgram(context, 'tmux');
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  const steps = [
    { id: 'slow', agent: 'coder', prompt: 'slow' },
    { id: 'next', needs: ['slow'], command: ['true'] },
  ];
  writeShellProject(path, { name: 'slow', steps });
  expect((await tutti(path, 'run', 'flow.yaml', '--run-id', 'r', '--detach')).code).toBe(0);
  await until('its agent works', () => ledger(path).includes('slow begin'));
  using terminal = new Terminal(path, 120);
  const question = /press d to detach, h or Ctrl-C to halt it, any other key to keep watching/;

  terminal.enter('tutti resume r');
  await terminal.until(/0 of 2 done/);
  terminal.press('C-c');
  await terminal.until(question);
  terminal.press('x');
  await terminal.until(/still watching/);
  terminal.press('C-c');
  await terminal.until(new RegExp(`${question.source}[\\s\\S]*${question.source}`));
  terminal.press('d');
  await terminal.until(/run r continues in the background[\s\S]*code 20/);
  expect(await statusOf(path, 'r')).toMatchObject({ state: 'running' });

  terminal.enter('clear');
  await terminal.until(/^(?![^]*0 of 2 done)/);
  terminal.enter('tutti resume r');
  await terminal.until(/0 of 2 done/);
  terminal.press('C-c');
  await terminal.until(question);
  terminal.press('h');
  await terminal.until(
    /halting: 1 agent \(slow\) still works and may finish, nothing new starts \(Ctrl-C again stops them\)\nrun r · halting /,
  );
  writeFileSync(join(path, 'go'), '');
  await terminal.until(/code 24/);
  expect(await statusOf(path, 'r')).toMatchObject({ state: 'halted' });

  expect((await tutti(path, 'resume', 'r')).code).toBe(0);
  expect(await untilEnded(path, 'r')).toMatchObject({ outcome: 'SUCCESS' });
  expect(ledger(path).filter((line) => line === 'slow begin')).toHaveLength(1);
});

test('a halt of the plan that the conductor carries out names its tasks, and the view says halting', {
  timeout: 300_000,
}, async (context) => {
  needProgram(context, 'tmux');
  using example = new Example({ slow: [1] });
  await example.planned();
  await example.done('execute', '--detach');
  await until('the agent of its first task works', () => example.turns().includes('T001'));
  using terminal = new Terminal(example.path, 120, 40, { file: personProgram, home: example.home });
  terminal.enter(`export HOME; clear; tutti execute --plan ${plan}`);
  await terminal.until(/0 of 7 done · slots 1/);
  terminal.press('C-c');
  await terminal.until(/h or Ctrl-C to halt it/);
  terminal.press('h');
  await terminal.until(
    /halting: agents finish task T001, no other task starts \(Ctrl-C again stops them\)\nrun \S+ · halting /,
  );
  example.go();
  expect(await terminal.until(/code \d/)).toMatch(/run \S+ · HALTED [^]*code 24/);
});
