import { expect, test } from 'vitest';
import { until } from './project.ts';
import { PayProject } from '../pay/project.ts';

const command = ['build', 'records.md', '--new', '--yes'] as const;

/** Ends the command in the middle of T001, and returns the project with nothing of it alive. */
async function interrupted(project: PayProject, how: 'stop' | 'twice'): Promise<void> {
  project.hold('T001');
  const { child, ended } = project.start(...command);
  const works = until('T001 is at work', () => project.turns().includes('T001'));
  await Promise.race([works, ended.then(({ stderr }) => Promise.reject(new Error(stderr)))]);
  if (how === 'stop') expect(await project.run('stop', '--all')).toMatchObject({ code: 0 });
  else {
    let heard = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        heard += chunk.toString();
      });
    child.kill('SIGINT');
    await until('the first Ctrl-C is answered', () => heard.includes('halting'));
    child.kill('SIGINT');
  }
  expect(await ended).toMatchObject({ code: 20 });
  project.release('T001');
}

for (const how of ['stop', 'twice'] as const) {
  const by = how === 'stop' ? 'tutti stop' : 'a second Ctrl-C';
  test(`build typed again after ${by} continues the tasks and pays for no other turn`, {
    timeout: 300_000,
  }, async () => {
    using project = new PayProject();
    await interrupted(project, how);
    const before = project.turns();
    const again = await project.runAsPerson(...command);
    expect(again.code, again.stderr).toBe(0);
    expect(project.turns().slice(before.length)).toEqual(['T001', 'T001/verify', 'T002', 'T002/verify']);
  });
}

test('build with another specification is refused while stopped tasks are not finished, and names resume', {
  timeout: 300_000,
}, async () => {
  using project = new PayProject();
  await interrupted(project, 'stop');
  const before = project.turns();
  project.edit('records.md', 'writes records', 'prints records');
  const again = await project.runAsPerson(...command);
  expect(again).toMatchObject({
    code: 64,
    stderr: expect.stringContaining('plan records has 1 task that is begun and not finished'),
  });
  expect(again.stderr).toContain('finish it first: tutti resume records-execute');
  expect(project.turns()).toEqual(before);
});

test('build typed again while agents of a killed build still work names resume, and no halt', {
  timeout: 300_000,
}, async () => {
  using project = new PayProject();
  project.hold('T001');
  const { child, ended } = project.start(...command);
  await until('T001 is at work', () => project.turns().includes('T001'));
  child.kill('SIGKILL');
  await ended;
  const again = await project.run(...command);
  expect(again.code).toBe(64);
  expect(again.stderr.split('\n').filter((line) => /tutti (?:halt|resume)/.test(line))).toEqual([
    '  → continue it: tutti resume records-execute',
  ]);
  project.release('T001');
  const resumed = await project.run('resume', 'records-execute');
  expect(resumed.code, resumed.stderr).toBe(0);
  expect(project.turns().filter((turn) => turn === 'T001')).toEqual(['T001']);
});
