import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { taskCompleteForm, taskShowForm, taskWidenForm } from '../../src/model/schemas/plan-output.ts';
import { planResultForm } from '../../src/model/schemas/plan-result.ts';
import { call } from './caller.ts';
import { AgentLedProject } from './project.ts';

async function atWork(): Promise<AgentLedProject> {
  const project = new AgentLedProject();
  await project.toExecuting();
  await project.done('task', 'start', 'T001', '--as', 'executor-1');
  project.work('T001');
  writeFileSync(join(project.path, 'helper file.js'), 'help\n');
  return project;
}

test("a file that was not declared lands by a person's word, and never without", async () => {
  using project = await atWork();
  const refused = await project.type('task', 'complete', 'T001');
  expect(refused.code).toBe(1);
  expect(refused.out).toContain('not declared: helper file.js');
  expect(refused.out).toContain("tutti task widen T001 'helper file.js'");
  const claim = taskCompleteForm.parse(
    JSON.parse((await project.type('task', 'complete', 'T001', '--json')).out),
  );
  expect(claim).toMatchObject({ status: 'running', undeclared: ['helper file.js'] });
  const widened = taskWidenForm.parse(
    await project.json('task', 'widen', 'T001', join(project.path, 'helper file.js')),
  );
  expect(widened.widened).toEqual(['helper file.js']);
  expect(await project.done('task', 'show', 'T001')).toContain('  widened  helper file.js\n');
  // The tasks are what was approved: nothing has to be verified or approved again.
  await project.done('plan', 'load-tasks');
  expect(taskShowForm.parse(await project.json('task', 'show', 'T001')).widened).toEqual(['helper file.js']);
  await project.done('task', 'complete', 'T001', '--created', 'helper file.js');
  const result = planResultForm.parse(JSON.parse(project.read('bundles/T001-result.json')));
  expect(result.files.created).toContain('helper file.js');
  expect(taskShowForm.parse(await project.json('task', 'show', 'T001'))).toMatchObject({
    status: 'done',
    widened: ['helper file.js'],
  });
  expect(project.read('activity.log')).toContain('task-widen: T001: may write helper file.js too');
  expect(await project.done('task', 'ready')).toBe('T002: Keep record 2\n');
});

test('an agent of a session widens nothing; control: the same call from a person does', async () => {
  using project = await atWork();
  const words = ['task', 'widen', 'T001', 'helper file.js'];
  const refused = await call(project, words, { TUTTI_SESSION_ID: 'sess-1' });
  expect(refused).toMatchObject({ code: 3, out: '' });
  expect(refused.err).toContain(
    'only a person may give a task files that it does not declare, and this comes from session:sess-1',
  );
  expect((await project.type('task', 'complete', 'T001')).code).toBe(1);
  expect((await call(project, words)).code).toBe(0);
  expect((await project.type('task', 'complete', 'T001')).code).toBe(0);
});

test('what cannot be a file of the task is refused, and so is a task that nobody works on', async () => {
  using project = await atWork();
  for (const path of ['../beside.js', '/etc/passwd', '.git/config', '.tutti/tutti.db', 'src/']) {
    expect(await project.type('task', 'widen', 'T001', path), path).toMatchObject({ code: 64, out: '' });
  }
  const idle = await project.type('task', 'widen', 'T002', 'a.js');
  expect(idle).toMatchObject({ code: 1, err: expect.stringContaining('task T002 is not being worked on') });
  expect((await project.type('task', 'widen', 'T001')).code).toBe(64);
});

test('a task that fails puts back what it was given too; another attempt has to be given it anew', async () => {
  using project = await atWork();
  writeFileSync(join(project.path, '.gitignore'), '.tutti\nmore\n');
  await project.done('task', 'widen', 'T001', 'helper file.js', '.gitignore');
  await project.done('task', 'fail', 'T001', 'no');
  expect(existsSync(join(project.path, 'helper file.js'))).toBe(false);
  expect(readFileSync(join(project.path, '.gitignore'), 'utf8')).toBe('.tutti\n');
  await project.done('task', 'start', 'T001');
  project.work('T001');
  writeFileSync(join(project.path, 'helper file.js'), 'help\n');
  expect((await project.type('task', 'complete', 'T001')).out).toContain('not declared: helper file.js');
});

test('two tasks at work never have one file: not by widening, not by starting', async () => {
  using project = new AgentLedProject({ tasks: 6, wide: true });
  await project.toExecuting();
  await project.done('task', 'start', 'T001');
  project.work('T001');
  await project.done('task', 'complete', 'T001');
  const [one = '', two = ''] = (await project.done('task', 'ready'))
    .split('\n')
    .map((line) => line.slice(0, 4));
  const [file = ''] = project.task(two).files.map(({ path }) => path);
  await project.done('task', 'start', one);
  await project.done('task', 'widen', one, file);
  const waits = await project.type('task', 'start', two);
  expect(waits).toMatchObject({
    code: 1,
    err: expect.stringContaining(`task ${two} waits for ${one}, which was given ${file}`),
  });
  await project.done('task', 'fail', one, 'no');
  // Control: once that is over, it may.
  await project.done('task', 'start', two);
  await project.done('task', 'start', one);
  const taken = await project.type('task', 'widen', one, file);
  expect(taken).toMatchObject({ code: 1, err: expect.stringContaining(`${two} is at work on it`) });
});
