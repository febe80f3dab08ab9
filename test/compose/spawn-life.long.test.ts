import { join } from 'node:path';
import { expect, test } from 'vitest';
import { spawnForm } from '../../src/model/schemas/spawn-output.ts';
import { answerOf, jsonLines, SpawnProject } from './project.ts';

test('--stream prints all lines of the agent with their path on standard error', async () => {
  using project = new SpawnProject();
  // A program of its own: reading the last lines must keep the process alive.
  const { code, stdout, stderr } = await project.start('say hello', '--stream').ended;
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('\nspawn: hello there\nspawn: secret-free words\n');
  expect(answerOf(stdout)).toMatchObject({ STATUS: 'SUCCESS' });
});

test('agents that do not help end with the outcome of their turn, after one session', async () => {
  using project = new SpawnProject();
  const expected = [
    ['silent', 1, 'FAILURE'],
    ['lying', 1, 'FAILURE'],
    ['exits 3', 1, 'FAILURE'],
    ['garbage', 1, 'FAILURE'],
    ['refines', 10, 'NEEDS_REFINEMENT'],
  ] as const;
  for (const [task, exit, status] of expected) {
    const { code, out, err } = await project.spawn(task);
    expect({ task, code, ...answerOf(out) }).toMatchObject({ task, code: exit, STATUS: status });
    expect(answerOf(out)['EXIT_CODE']).toBe(String(exit));
    expect(err).toContain(`ended with ${status}: `);
    expect(err).toContain('→ try what failed again: tutti resume spawn-');
  }
  const broken = await project.spawn('exits 3', '--json');
  expect(spawnForm.parse(JSON.parse(broken.out))).toMatchObject({ status: 'FAILURE', exit_code: 1 });
  expect(jsonLines(broken.err).at(-1)).toMatchObject({ status: 'error', error: { code: 'FAILURE' } });
  // Never retried, never healed.
  expect(project.begun).toHaveLength(expected.length + 1);
});

test('an agent that is too slow is killed, and a person can have it tried again', async () => {
  using project = new SpawnProject();
  const { code, out } = await project.spawn('slow', '--timeout', '1s', '--run-id', 'slow');
  expect([code, answerOf(out)['STATUS']]).toEqual([21, 'TIMEOUT']);
  project.write('go', '');
  expect((await project.call(['resume', 'slow'])).code).toBe(0);
  expect(project.begun).toHaveLength(2);
});

test('an agent that asks parks its run, and continues its conversation with the answer', async () => {
  using project = new SpawnProject();
  const asked = await project.spawn('asks', '--run-id', 'asked');
  expect(asked.code).toBe(3);
  expect(answerOf(asked.out)).toMatchObject({ STATUS: 'HUMAN_INPUT', EXIT_CODE: '3' });
  expect(asked.err).toContain('run asked waits for a person');
  expect((await project.call(['answer', 'Q1', 'red'])).code).toBe(0);
  const again = await project.spawn('asks', '--run-id', 'asked');
  expect([again.code, answerOf(again.out)['SUMMARY']]).toEqual([0, 'painted']);
  expect(project.begun).toHaveLength(2);
});

test('the same call of a run keeps its result, and another one pays for its turn', async () => {
  using project = new SpawnProject();
  project.write('more.md', 'one');
  const call = (...flags: readonly string[]) => project.spawn('say hello', '--run-id', 'named', ...flags);
  const context = ['--extra-context', 'more.md'];
  const first = await call(...context);
  expect(first.code, first.err).toBe(0);
  expect(answerOf((await call(...context)).out)).toEqual(answerOf(first.out));
  // The project's instructions are no part of the call.
  project.write('AGENTS.md', 'Be brief.');
  expect((await call(...context)).code).toBe(0);
  expect(project.begun).toHaveLength(1);
  project.write('more.md', 'two');
  expect((await call(...context)).code).toBe(0);
  expect(project.begun).toHaveLength(2);
  expect((await call()).code).toBe(0);
  expect((await call('--model', 'high')).code).toBe(0);
  expect((await call('--cwd', 'web')).code).toBe(0);
  expect((await project.spawn('say more', '--run-id', 'named')).code).toBe(0);
  expect(project.begun).toHaveLength(6);
});

test('the prompt comes from a flag, a file or standard input, with texts beside it', async () => {
  using project = new SpawnProject();
  project.write('task.md', 'from a file');
  project.write('a.md', 'first text');
  expect((await project.call(['spawn', '--prompt-file', 'task.md'])).code).toBe(0);
  expect(project.read('task-seen').trim()).toBe('from a file');
  expect((await project.call(['spawn', '-'], { stdin: 'from a pipe' })).code).toBe(0);
  expect(project.read('task-seen').trim()).toBe('from a pipe');
  const piped = ['spawn', '--prompt', 'go', '--extra-context', 'a.md', '-'];
  expect((await project.call(piped, { stdin: 'second text' })).code).toBe(0);
  expect(project.read('task-seen')).toMatch(
    /go\n\n## Extra context: a\.md[\s\S]+first text[\s\S]+second text/,
  );
});

test('an agent works in the current directory, or in the one that is named', async () => {
  using project = new SpawnProject();
  await project.call(['spawn', '--prompt', 'x'], { folder: join(project.path, 'web') });
  expect(project.read('workspace-seen')).toBe(join(project.path, 'web'));
  await project.spawn('x', '--cwd', 'web');
  expect(project.read('workspace-seen')).toBe(join(project.path, 'web'));
  await project.spawn('x');
  expect(project.read('workspace-seen')).toBe(project.path);
});

test('status, events, report and costs show a spawn', async () => {
  using project = new SpawnProject();
  await project.spawn('x', '--run-id', 'seen');
  await project.spawn('exits 3', '--run-id', 'bad');
  expect((await project.call(['status', 'seen'])).out).toContain('1 of 1 done');
  const status = JSON.parse((await project.call(['status', 'bad', '--json'])).out) as { steps: unknown };
  expect(status).toMatchObject({
    workflow: 'compose',
    outcome: 'FAILURE',
    steps: [{ id: 'spawn', state: 'failed' }],
  });
  expect((await project.call(['events', 'seen'])).out).toContain('run started (compose)');
  expect((await project.call(['report', 'bad'])).out).toContain('agent spawn ended with exit code 3');
  expect((await project.call(['costs', 'seen'])).code).toBe(0);
  expect((await project.call(['run', 'flow.yaml', '--run-id', 'seen'])).code).toBe(64);
  expect((await project.spawn('x', '--run-id', 'seen', '--detach')).out).toContain('STATUS=DETACHED');
});
