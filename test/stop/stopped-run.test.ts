import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { write } from '../cli/project.ts';
import { cli, type CliEnd } from '../cli/rig.ts';
import { tempFolder } from '../rig/temp-folder.ts';

const approval = `steps:
  - { id: ap, command: [echo, built], gates: [{ approval: go on? }] }
  - { id: after, needs: [ap], command: [echo, after] }
`;

test('a question of a stopped run waits for no person, and an early answer is kept for its resume', async () => {
  using folder = tempFolder();
  const tutti = (...args: readonly string[]): Promise<CliEnd> =>
    cli({ folder: folder.path, stdin: '' }, ...args);
  write(folder.path, { 'flow.yaml': approval });
  expect(await tutti('run', 'flow.yaml', '--run-id', 'r')).toMatchObject({ code: 3 });
  expect((await tutti('status', 'r')).out).toContain('◐ ap');
  await tutti('stop', 'r');
  expect((await tutti('inbox')).out).toBe('no open questions\n');
  const status = (await tutti('status', 'r')).out;
  expect(status).toMatch(/^○ ap .* waits because its run is stopped; continue the run: tutti resume r$/m);
  expect(status).not.toContain('waits for an answer');
  const answered = await tutti('answer', 'Q1', '1');
  expect(answered).toMatchObject({ code: 0, err: '' });
  expect(answered.out).toMatch(
    /^answered Q1 .*: run r is stopped and continues with it after: tutti resume r\n$/,
  );
  expect(await tutti('resume', 'r')).toMatchObject({ code: 0 });
});

test('an answer to a halted run is kept until the run is resumed, and says so', async () => {
  using folder = tempFolder();
  const tutti = (...args: readonly string[]): Promise<CliEnd> =>
    cli({ folder: folder.path, stdin: '' }, ...args);
  write(folder.path, { 'flow.yaml': approval });
  expect(await tutti('run', 'flow.yaml', '--run-id', 'r')).toMatchObject({ code: 3 });
  await tutti('halt', 'r');
  expect((await tutti('answer', 'Q1', '1')).out).toContain(
    'run r is halted and continues with it after: tutti resume r\n',
  );
  expect(await tutti('resume', 'r')).toMatchObject({ code: 0 });
});

test('a step that waited while its run was halted has not begun when the run is stopped', async () => {
  using folder = tempFolder();
  const options = { folder: folder.path, stdin: '' };
  const tutti = (...args: readonly string[]): Promise<CliEnd> => cli(options, ...args);
  write(folder.path, {
    'flow.yaml': `steps:
  - { id: s1, command: [sh, -c, "until [ -e go ]; do sleep 0.02; done"] }
  - { id: s2, needs: [s1], command: [echo, x] }
`,
  });
  const others: Promise<CliEnd>[] = [];
  const run = await cli(
    {
      ...options,
      onOutput: (all) => {
        if (others.length > 0 || !all.includes('s1 started')) return;
        others.push(tutti('halt', 'r'));
        void others[0]?.finally(() => {
          writeFileSync(join(folder.path, 'go'), '');
        });
      },
    },
    'run',
    'flow.yaml',
    '--run-id',
    'r',
  );
  expect(run, run.out).toMatchObject({ code: 24 });
  // It may not have been admitted yet when the run was halted, and then waits for nothing.
  expect((await tutti('status', 'r')).out).toMatch(
    /^○ s2( .* waits because its run is halted; continue the run: tutti resume r)?$/m,
  );
  await tutti('stop', 'r');
  const stopped = await tutti('status', 'r');
  expect(stopped.out).toMatch(
    /^○ s2( .* waits because its run is stopped; continue the run: tutti resume r)?$/m,
  );
  // Times of a run that stands still stand still.
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect((await tutti('status', 'r')).out).toBe(stopped.out);
  const resumed = await tutti('resume', 'r');
  expect(resumed).toMatchObject({ code: 0, out: expect.not.stringContaining('attempt 2') });
  const status = JSON.parse((await tutti('status', 'r', '--json')).out) as {
    readonly steps: readonly object[];
  };
  expect(status.steps[1]).toMatchObject({ id: 's2', state: 'done', attempts: 1 });
});

test('resume says nothing of a run that it must refuse', async () => {
  using folder = tempFolder();
  const tutti = (...args: readonly string[]): Promise<CliEnd> =>
    cli({ folder: folder.path, stdin: '' }, ...args);
  write(folder.path, { 'flow.yaml': approval });
  await tutti('run', 'flow.yaml', '--run-id', 'r');
  const turns = join(folder.path, '.tutti', 'runs', 'r', 'turns');
  mkdirSync(turns, { recursive: true });
  writeFileSync(join(turns, '20250101-000000-coder.json'), '{}');
  expect(await tutti('resume', 'r')).toMatchObject({
    code: 69,
    out: '',
    err: expect.stringContaining('does not know session 20250101-000000-coder'),
  });
});
