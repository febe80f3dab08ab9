import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../rig/attempt-rig.ts';
import { needProgram } from '../rig/need-program.ts';
import { repository } from '../rig/repository.ts';
import { SessionProject } from '../sessions/project.ts';
import { cli } from './rig.ts';

test('an interactive session at a dialog is listed as waiting, wait exits with 3, and send names the dialog', async (context) => {
  needProgram(context, 'tmux');
  const interactive = [process.execPath, repository('test/tmux/stand-in.ts'), 'asking'];
  await using project = new SessionProject({
    drivers: { mine: { type: 'command', command: ['true'], interactive } },
  });
  writeFileSync(join(project.path, 'task.md'), 'clean');
  const type = (...args: readonly string[]) => cli({ folder: project.path }, 'session', ...args);
  const { out } = await type('create', 'worker', 'task.md', '--interactive');
  const id = /Session created: (\S+)/.exec(out)?.[1] ?? '';
  const log = join(project.path, '.tutti', 'sessions', id, 'output.log');
  await until('it asks', () => existsSync(log) && readFileSync(log, 'utf8').includes('to use Bash'));
  expect((await type('status', id)).out).toContain('Activity: waiting: permission to use Bash\n');
  const listed = await type('list');
  expect(listed.out).toMatch(new RegExp(`\n${id} +worker +RUNNING \\(waiting\\) `));
  expect(listed.err).toContain(`  → see what it waits for: tutti session attach ${id}\n`);
  expect(listed.err).not.toContain('inbox');
  const inbox = await cli({ folder: project.path }, 'inbox');
  expect(inbox.out).toBe(
    `◐ session ${id} waits at its terminal: permission to use Bash\n     tutti session attach ${id}\n`,
  );
  expect(JSON.parse((await cli({ folder: project.path }, 'inbox', '--json')).out)).toEqual({
    questions: [],
    sessions: [{ id, waits_for: 'permission to use Bash' }],
  });
  expect(await type('wait', id)).toEqual({
    code: 3,
    out: '',
    err:
      `tutti: session ${id} waits at its terminal: permission to use Bash\n` +
      `  → answer it there: tutti session attach ${id}\n`,
  });
  expect(await type('send', id, 'yes')).toMatchObject({
    code: 1,
    err:
      'tutti: the agent did not take the message: a dialog is open in its terminal (permission to use Bash)\n' +
      `  → look at its terminal: tutti session attach ${id}\n`,
  });
  await type('kill', id, '--force');
});

test('an interactive session that takes messages keeps wait waiting', async (context) => {
  needProgram(context, 'tmux');
  const interactive = [process.execPath, repository('test/tmux/stand-in.ts'), 'plain'];
  await using project = new SessionProject({
    drivers: { mine: { type: 'command', command: ['true'], interactive } },
  });
  writeFileSync(join(project.path, 'task.md'), 'clean');
  const type = (...args: readonly string[]) => cli({ folder: project.path }, 'session', ...args);
  const { out } = await type('create', 'worker', 'task.md', '--interactive');
  const id = /Session created: (\S+)/.exec(out)?.[1] ?? '';
  const log = join(project.path, '.tutti', 'sessions', id, 'output.log');
  await until('it rests', () => existsSync(log) && readFileSync(log, 'utf8').includes('"turn-done"'));
  expect((await type('status', id)).out).toContain('Activity: waiting: the next message\n');
  expect(await type('wait', id, '--timeout', '1s')).toMatchObject({ code: 21 });
  await type('kill', id, '--force');
});
