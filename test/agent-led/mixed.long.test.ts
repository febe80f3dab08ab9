import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { call, type CalledEnd } from './caller.ts';
import { AgentLedProject } from './project.ts';

/** Writes what `code.json` beside the project has for its task, where it works. */
const agent = `
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
const code = JSON.parse(readFileSync(process.env.TUTTI_PROJECT + '/../code.json', 'utf8'));
for (const [path, text] of code[process.env.TUTTI_TASK]) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
writeFileSync(process.env.TUTTI_RESULT, JSON.stringify({ status: 'success', summary: 'done', notes: [], questions: [] }));
`;

async function mixed(): Promise<AgentLedProject> {
  const project = new AgentLedProject();
  const beside = (name: string): string => join(project.path, '..', name);
  writeFileSync(beside('agent.mjs'), agent);
  const code = project.plan.tasks.map(({ id }) => [id, project.code(id)]);
  writeFileSync(beside('code.json'), JSON.stringify(Object.fromEntries(code)));
  const mine = { type: 'command', command: [process.execPath, beside('agent.mjs')] };
  writeFileSync(join(project.path, 'tutti.yaml'), stringify({ driver: 'mine', drivers: { mine } }));
  await project.toExecuting();
  return project;
}

async function byHand(project: AgentLedProject, id: string): Promise<void> {
  await project.done('task', 'start', id);
  project.work(id);
  await project.done('task', 'complete', id);
}

function execute(project: AgentLedProject, ...more: readonly string[]): Promise<CalledEnd> {
  return call(project, ['execute', '--batch', '--no-verify', ...more]);
}

const slow = { timeout: 300_000 };

test('by hand, by a run, and by hand again: each stands on what the other did', slow, async () => {
  using project = await mixed();
  await byHand(project, 'T001');
  const executed = await execute(project, '--task', 'T002');
  expect(executed).toMatchObject({ code: 0 });
  expect(`${executed.out}${executed.err}`).toContain('done by hand, now on the integration branch: T001');
  const [file = ''] = project.task('T002').files.map(({ path }) => path);
  expect(existsSync(join(project.path, file))).toBe(false);
  const early = await call(project, ['task', 'start', 'T003']);
  expect(early).toMatchObject({ code: 1, out: '' });
  expect(early.err).toBe(
    'tutti: what T002 made is on the integration branch\n  → merge it into your checkout: tutti land --plan shop\n',
  );
  expect(await call(project, ['land', '--into', 'mian'])).toMatchObject({
    code: 64,
    err: `tutti: ${project.path} has no branch 'mian'; did you mean 'main'?\n  → tutti land --plan shop --into main\n`,
  });
  expect((await call(project, ['land', '--into', 'nosuch'])).err).toBe(
    `tutti: ${project.path} has no branch 'nosuch'\n  → see which there are: git branch\n`,
  );
  execFileSync('git', ['branch', 'release'], { cwd: project.path });
  expect((await call(project, ['land', '--into', 'release'])).err).toMatch(
    /git switch release\n {2}→ then again: tutti land --plan shop --into release\n$/,
  );
  expect((await call(project, ['land', '--into', 'tutti/shop/integration'])).err).toBe(
    'tutti: tutti/shop/integration has the finished work already; land it into a branch of yours\n  → then again: tutti land --plan shop\n',
  );
  const lock = join(project.path, '.git', 'index.lock');
  writeFileSync(lock, '');
  expect((await call(project, ['land'])).err).toBe(
    `tutti: ${lock} exists: another git works in this repository, or one that was killed left the file; wait for it, or delete the file if no git runs\n  → then again: tutti land --plan shop\n`,
  );
  rmSync(lock);
  expect(await call(project, ['land'])).toMatchObject({ code: 0 });
  expect(existsSync(join(project.path, file))).toBe(true);
  await byHand(project, 'T003');
  const rest = await execute(project);
  expect(rest).toMatchObject({ code: 0 });
  expect(`${rest.out}${rest.err}`).toContain('done by hand, now on the integration branch: T003\n');
  expect(await call(project, ['land'])).toMatchObject({ code: 0 });
  for (const { files } of project.plan.tasks) {
    for (const { path } of files) expect(existsSync(join(project.path, path)), path).toBe(true);
  }
});

test('what was edited after it was accepted stops the run, with the command that goes on', slow, async () => {
  using project = await mixed();
  await byHand(project, 'T001');
  const path = join(project.path, 'src/part-1/record-1.js');
  const accepted = readFileSync(path, 'utf8');
  writeFileSync(path, `${accepted}// mine\n`);
  const stopped = await execute(project);
  expect(stopped.code).toBe(11);
  expect(`${stopped.out}${stopped.err}`).toContain(
    'T001 was done by hand, and src/part-1/record-1.js changed since; put it back as it was, or do it again: tutti task retry T001',
  );
  writeFileSync(path, accepted);
  expect(await execute(project, '--task', 'T002')).toMatchObject({ code: 0 });
});
