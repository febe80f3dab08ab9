import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cli } from '../cli/rig.ts';
import { until } from '../rig/attempt-rig.ts';
import { tutti } from '../rig/program.ts';
import { answers, askingClaude } from './asking-claude.ts';

const limit = { timeout: 300_000 };

test(
  'a command without a terminal leaves a run that only asks with code 3, and the answer reaches the agent afterwards',
  limit,
  async () => {
    await using project = askingClaude(['npm publish']);
    const left = await project.start().ended;
    expect(left.code, left.stderr).toBe(3);
    expect(left.stdout).toContain('run r waits for a person');
    expect(left.stdout).toMatch(/permission to use Bash: npm publish[^]*tutti answer Q1 1\n/);
    // The agent lives, and a command that attaches to the conductor leaves in the same way.
    const id = (await project.asked(1))[0]?.session_id ?? '';
    expect(await tutti(project.path, 'resume', 'r')).toMatchObject({ code: 3 });
    expect(answers(project)).toEqual([]);
    expect(await tutti(project.path, 'session', 'wait', id)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(
        `session ${id} waits for an answer: permission to use Bash: npm publish\n` +
          '  → answer it: tutti answer Q1 allow (or deny, always)\n',
      ) as string,
    });
    expect((await tutti(project.path, 'answer', 'Q1', 'allow')).code).toBe(0);
    await until('it is answered', () => answers(project).length === 1);
    expect(answers(project)).toEqual(['npm publish: yes']);
    // Control: with nothing asked, waiting ends with the session.
    expect((await tutti(project.path, 'session', 'wait', id)).stdout).toContain('COMPLETED');
    expect(await project.inbox()).toEqual([]);
  },
);

test(
  'waiting for a session that a person requested ends with 3 while it asks, and the answer continues it',
  limit,
  async () => {
    await using project = askingClaude(['npm publish']);
    writeFileSync(project.file('task.md'), 'Publish it.');
    expect((await tutti(project.path, 'session', 'create', 'careful', 'task.md')).code).toBe(0);
    const waited = await tutti(project.path, 'session', 'wait', 'last');
    expect(waited.code, waited.stdout).toBe(3);
    expect(waited.stderr).toContain('answer it: tutti answer Q1 allow (or deny, always)');
    // No command names what only the session could take, and each names one that works.
    const [id = ''] = /\d{8}-\d{6}-careful/.exec(waited.stderr) ?? [];
    const status = await tutti(project.path, 'session', 'status', id);
    expect(status.stdout).toContain('Activity: waiting: permission to use Bash: npm publish\n');
    expect(status.stdout).toContain('tutti answer Q1 allow');
    const logs = await tutti(project.path, 'session', 'logs', id);
    expect(logs.stdout).toContain('permission to use Bash: npm publish; answer it: tutti answer Q1 allow\n');
    const question = `${id}/session/permission-1@${id}`;
    for (const { stdout } of [status, logs]) expect(stdout).not.toContain('allow 1');
    expect(await tutti(project.path, 'session', 'send', id, 'allow 1')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('answer it: tutti answer Q1 allow (or deny, always)') as string,
    });
    let typed = false;
    const attached = await cli(
      {
        folder: project.path,
        terminal: [160, 30],
        onOutput: (all, keyboard) => {
          setImmediate(() => {
            if (all.includes('→ answer it: tutti answer Q1 allow')) keyboard.press({ name: 'c', ctrl: true });
            if (typed || !all.includes('RUNNING')) return;
            typed = true;
            for (const name of ['n', 'o', 'return']) keyboard.press({ name, sequence: name });
          });
        },
      },
      'session',
      'attach',
      id,
    );
    expect(attached.out).toContain('waits for an answer: permission to use Bash: npm publish');
    expect((await tutti(project.path, 'answer', question, 'deny')).code).toBe(0);
    expect((await tutti(project.path, 'session', 'wait', 'last')).stdout).toContain('COMPLETED');
    expect(answers(project)).toEqual(['npm publish: no']);
  },
);
