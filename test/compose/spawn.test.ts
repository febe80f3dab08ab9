import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { spawnForm, spawnProgressForm } from '../../src/model/schemas/spawn-output.ts';
import { answerOf, jsonLines, SpawnProject } from './project.ts';

test('the answer is KEY=value lines that a shell can read, and progress goes to standard error', async () => {
  using project = new SpawnProject();
  const { code, out, err } = await project.spawn('say hello');
  expect(code, err).toBe(0);
  const names = out
    .trimEnd()
    .split('\n')
    .map((line) => line.split('=')[0]);
  expect(names).toEqual(
    'STATUS EXIT_CODE RUN_ID SESSION_ID TRACE_ID DEPTH ELAPSED_SECONDS ARTIFACT ARTIFACT SUMMARY'.split(' '),
  );
  expect(answerOf(out)).toMatchObject({ STATUS: 'SUCCESS', EXIT_CODE: '0', DEPTH: '1', ARTIFACT: 'c' });
  const said = execFileSync('sh', ['-c', `${out}printf '%s|' "$SUMMARY" "$RUN_ID"`], { encoding: 'utf8' });
  expect(said).toMatch(/^it's done\|spawn-[\d-]+\|$/);
  expect(err).toMatch(/spawn started \(session /);
  expect(err).not.toContain('hello there');
  expect(project.begun).toHaveLength(1);
});

test('with --json the answer is one object, and every line of progress is one too', async () => {
  using project = new SpawnProject();
  for (const format of [['--json'], ['--output-format', 'json']]) {
    const { code, out, err } = await project.spawn('say hello', ...format, '--stream');
    expect(code).toBe(0);
    const answer = spawnForm.parse(JSON.parse(out));
    expect(answer).toMatchObject({
      status: 'SUCCESS',
      exit_code: 0,
      depth: 1,
      artifacts: ['a b.txt', 'c'],
      summary: "it's done",
      message: null,
    });
    const progress = jsonLines(err).map((line) => spawnProgressForm.parse(line));
    expect(new Set(progress.map(({ trace_id: trace }) => trace))).toEqual(new Set([answer.trace_id]));
    expect(progress.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['run.started', 'step.launched', 'agent.line', 'run.ended']),
    );
    expect(progress.filter(({ type }) => type === 'agent.line')).toEqual([
      expect.objectContaining({ path: 'spawn', text: 'hello there' }),
      expect.objectContaining({ path: 'spawn', text: 'secret-free words' }),
    ]);
  }
  expect((await project.spawn('x', '--json', '--output-format', 'text')).code).toBe(64);
});

test('a system prompt file is read like the file of an agent, and flags win', async () => {
  using project = new SpawnProject();
  project.write('role.md', '---\ntier: low\nresult: optional\n---\nYou are patient.\n');
  const run = await project.spawn('silent', '--system-prompt', 'role.md', '--run-id', 'role');
  expect(run.code, run.err).toBe(0);
  expect((await project.call(['report', 'role'])).out).toContain('| mine | low |');
  await project.spawn('silent', '--system-prompt', 'role.md', '--model', 'high-tier', '--run-id', 'high');
  expect((await project.call(['report', 'high'])).out).toContain('| mine | high |');
});

test('a call that is wrong is refused before anything is made', async () => {
  using project = new SpawnProject();
  const wrong: readonly (readonly string[])[] = [
    [],
    ['--prompt', 'x', '-'],
    ['--prompt', ''],
    ['--prompt-file', 'absent.md'],
    ['word', '--prompt', 'x'],
    ['-', '--extra-context', '-'],
    ['--prompt', 'x', '--cwd', '/etc'],
    ['--prompt', 'x', '--cwd', 'absent'],
    ['--prompt', 'x', '--system-prompt', 'absent.md'],
    ['--prompt', 'x', '--extra-context', 'absent.md'],
    ['--prompt', 'x', '--run-id', '../x'],
    ['--prompt', 'x', '--model-name', 'y'],
    ['--prompt', 'x', '--max-depth', '-1'],
    ['--prompt', 'x', '--output-format', 'xml'],
  ];
  for (const flags of wrong)
    expect({ flags, ...(await project.call(['spawn', ...flags])) }).toMatchObject({
      flags,
      code: 64,
      out: '',
    });
  expect((await project.spawn('x', '--driver', 'nobody')).code).toBe(69);
  expect((await project.spawn('x', '--max-depth', '0')).code).toBe(2);
  // The estimate starts nothing either.
  expect((await project.spawn('x', '--estimate')).out).toContain('nothing was started');
  expect(existsSync(join(project.path, '.tutti'))).toBe(false);
  expect(project.begun).toEqual([]);
});

test('a budget of launches ends a run of spawns, with the command that raises it', async () => {
  using project = new SpawnProject();
  expect((await project.spawn('x', '--run-id', 'b', '--max-launches', '1')).code).toBe(0);
  const over = await project.spawn('y', '--run-id', 'b', '--max-launches', '1');
  expect(over.code).toBe(23);
  expect(answerOf(over.out)).toMatchObject({ STATUS: 'BUDGET_EXCEEDED', EXIT_CODE: '23' });
  expect(over.err).toContain('tutti spawn … --run-id b --max-launches N');
  expect(project.begun).toHaveLength(1);
});
