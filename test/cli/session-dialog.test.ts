import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../rig/attempt-rig.ts';
import { needProgram } from '../rig/need-program.ts';
import { repository } from '../rig/repository.ts';
import { SessionProject } from '../sessions/project.ts';
import { cli } from './rig.ts';

/** A project whose agent is the terminal stand-in of this character. */
function standIn(character: 'asking' | 'plain'): SessionProject {
  const interactive = [process.execPath, repository('test/tmux/stand-in.ts'), character];
  return new SessionProject({ drivers: { mine: { type: 'command', command: ['true'], interactive } } });
}

function typist(project: SessionProject): (...args: readonly string[]) => ReturnType<typeof cli> {
  return (...args) => cli({ folder: project.path }, 'session', ...args);
}

/** Creates one and waits until its agent has printed something; returns its id. */
async function interactiveSession(project: SessionProject, printed: string): Promise<string> {
  writeFileSync(join(project.path, 'task.md'), 'clean');
  const { out } = await typist(project)('create', 'worker', 'task.md', '--interactive');
  const id = /Session created: (\S+)/.exec(out)?.[1] ?? '';
  const log = join(project.path, '.tutti', 'sessions', id, 'output.log');
  await until(`it prints ${printed}`, () => existsSync(log) && readFileSync(log, 'utf8').includes(printed));
  return id;
}

test('an interactive session at a dialog is listed as waiting, wait exits with 3, and send names the dialog', async (context) => {
  needProgram(context, 'tmux');
  await using project = standIn('asking');
  const type = typist(project);
  const id = await interactiveSession(project, 'to use Bash');
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
  await using project = standIn('plain');
  const type = typist(project);
  const id = await interactiveSession(project, '"turn-done"');
  expect((await type('status', id)).out).toContain('Activity: waiting: the next message\n');
  expect(await type('wait', id, '--timeout', '1s')).toMatchObject({ code: 21 });
  await type('kill', id, '--force');
});
