import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { killSession } from '../../src/app/session-control/kill.ts';
import { launch } from '../../src/runtime/launcher.ts';
import { AttemptRig, until, untilExists } from '../rig/attempt-rig.ts';
import { fakeAgent } from '../rig/fake-acp-agent.ts';
import { needProgram } from '../rig/need-program.ts';
import { startTutti } from '../rig/program.ts';
import { installedTutti } from '../rig/installed-tutti.ts';
import { repository } from '../rig/repository.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { Terminal } from '../watch/terminal.ts';
import { SessionProject } from './project.ts';
import { trustProject } from '../rig/trust.ts';

const slow = { timeout: 300_000 };

const drivers = {
  mine: {
    type: 'command',
    command: ['sh', './agent.sh'],
    interactive: [process.execPath, repository('test/tmux/stand-in.ts'), 'busy'],
  },
};

type Output = 'a pipe' | 'a file' | 'a terminal';
const hosts = {
  headless: ['--in', 'headless'],
  tmux: ['--in', 'tmux'],
  interactive: ['--interactive'],
} as const;

/** Runs the built program with its standard output where it was asked for; what it printed, once it has ended. */
async function create(project: SessionProject, output: Output, flags: readonly string[]): Promise<string> {
  const words = ['session', 'create', 'worker', 'task.md', ...flags];
  switch (output) {
    case 'a pipe': {
      const { code, stdout, stderr } = await startTutti(project.path, words).ended;
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return stdout;
    }
    case 'a file': {
      const path = join(project.path, 'created.txt');
      const file = openSync(path, 'w');
      trustProject(project.path, { HOME: project.path });
      const child = spawn(process.execPath, [installedTutti(), ...words], {
        cwd: project.path,
        env: { PATH: process.env['PATH'], HOME: project.path },
        stdio: ['ignore', file, file],
      });
      closeSync(file);
      expect(await once(child, 'exit')).toEqual([0, null]);
      return readFileSync(path, 'utf8');
    }
    case 'a terminal': {
      using terminal = new Terminal(project.path, 120, 30);
      terminal.enter(`tutti ${words.join(' ')}`);
      return await terminal.until(/^code 0$/m);
    }
  }
}

describe.each(['headless', 'tmux', 'interactive'] as const)('session create, %s', (host) => {
  test.for(['a pipe', 'a file', 'a terminal'] as const)(
    'returns while the agent works, with standard output in %s',
    slow,
    async (output, context) => {
      if (host !== 'headless' || output === 'a terminal') needProgram(context, 'tmux');
      await using project = new SessionProject({ drivers });
      writeFileSync(join(project.path, 'task.md'), 'wait go');
      const printed = await create(project, output, hosts[host]);
      const id = /Session created: (\S+)/.exec(printed)?.[1] ?? '';
      const tutti = project.open();
      expect(await tutti.queries.sessions.one(id)).toMatchObject({ status: 'RUNNING', host });
      // Control: the agent has not ended, and ends only when it is killed.
      await untilExists(project.path, host === 'interactive' ? 'pid' : 'ledger');
      expect(await killSession(tutti, { id, reason: 'seen', by: 'test' })).toMatchObject({ ok: true });
    },
  );
});

test('session create returns while its agent asks for permission', slow, async () => {
  const asking = JSON.stringify({ prompts: [[{ ask: { kind: 'execute', title: 'rm -rf build' } }]] });
  const command = [process.execPath, fakeAgent, asking];
  await using project = new SessionProject({
    drivers: { mine: { type: 'acp', command, permissions: 'ask' } },
  });
  writeFileSync(join(project.path, 'task.md'), 'clean');
  const printed = await create(project, 'a pipe', ['--host', 'headless']);
  const id = /Session created: (\S+)/.exec(printed)?.[1] ?? '';
  const tutti = project.open();
  // The conductor that took the session over files the question.
  await until('it is in the inbox', async () => (await tutti.queries.openQuestions()).length > 0);
  expect(await tutti.queries.sessions.one(id)).toMatchObject({ status: 'RUNNING' });
  expect(await killSession(tutti, { id, reason: 'seen', by: 'test' })).toMatchObject({ ok: true });
});

test('following an attempt keeps its process alive only where it is asked to', slow, async () => {
  using folder = tempFolder();
  const rig = new AttemptRig(folder.path);
  const spec = rig.spec(['sh', '-c', 'until [ -e "$RIG/go" ]; do sleep 0.02; done']);
  void launch(spec);
  await untilExists(spec.dir, 'started');
  const follow = async (keepsAwake: boolean): Promise<string> => {
    const program = `
      import { settle } from ${JSON.stringify(repository('src/runtime/follow.ts'))};
      const began = () => process.stdout.write('follows');
      void settle(${JSON.stringify(spec.dir)}, ${JSON.stringify(spec.marker)}, { began, keepsAwake: ${keepsAwake} })
        .then(() => process.stdout.write(', saw the end'));`;
    return (await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])).stdout;
  };
  expect(await follow(false)).toBe('follows');
  const awake = follow(true);
  writeFileSync(join(spec.dir, 'go'), '');
  expect(await awake).toMatch(/saw the end$/);
  await rig.close();
});
