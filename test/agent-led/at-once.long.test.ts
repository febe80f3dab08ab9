import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recorded } from '../../src/lib/json.ts';
import { planStatusForm } from '../../src/model/schemas/plan-output.ts';
import { planResultForm } from '../../src/model/schemas/plan-result.ts';
import { textOf } from '../plans/good-plan.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { call } from './caller.ts';
import { AgentLedProject } from './project.ts';

const agents = 10;
const all = Array.from({ length: agents }, (_, index) => index + 1);

/** A plan of eleven tasks of which ten may be worked on at once, when the first is done. */
async function tenReady(): Promise<AgentLedProject> {
  const project = new AgentLedProject({ tasks: agents + 1, wide: true });
  await project.toExecuting();
  await project.done('task', 'start', 'T001');
  project.work('T001');
  await project.done('task', 'complete', 'T001');
  return project;
}

test('ten agents at once: each ends its own task, and no update is lost', { timeout: 300_000 }, async () => {
  using project = await tenReady();
  const ids = (await project.done('task', 'ready'))
    .trim()
    .split('\n')
    .map((line) => line.slice(0, 4));
  expect(ids).toHaveLength(agents);
  // Somebody reads along: what is there is whole, and never older than what was there before.
  const seen: number[] = [];
  const looking = setInterval(() => {
    seen.push(
      recorded<{ execution: { done: number } }>(JSON.parse(project.read('state.json'))).execution.done,
    );
  }, 20);
  const ends = await Promise.all(
    ids.map(async (id, index) => {
      const name = `agent-${index}`;
      const said = async (...words: readonly string[]): Promise<void> => {
        const end = await call(project, words);
        if (end.code !== 0) throw new Error(`${words.join(' ')}: ${end.code} ${end.err}${end.out}`);
      };
      await said('task', 'start', id, '--as', name);
      await said('log', 'INFO', name, 'start', `begins ${id}`);
      const files = project.work(id);
      await said('log-tokens', name, '100', '10', '0.5');
      await said('task', 'complete', id, '--created', ...files);
      return id;
    }),
  );
  clearInterval(looking);
  expect(ends).toEqual(ids);
  expect(seen.length).toBeGreaterThan(agents);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  const status = planStatusForm.parse(await project.json('plan', 'status'));
  expect(status.tasks).toMatchObject({ total: agents + 1, done: agents + 1, running: 0 });
  expect(status.tokens).toEqual({
    input: 1000,
    output: 100,
    cost_usd: 5,
    turns_without_tokens: 0,
    turns_without_price: 0,
  });
  const log = project.read('activity.log').trimEnd().split('\n');
  for (const id of ids) {
    for (const event of ['task-start', 'start: begins', 'task-complete']) {
      expect(log.filter((line) => line.includes(event) && line.includes(id))).toHaveLength(1);
    }
    expect(planResultForm.parse(JSON.parse(project.read(`bundles/${id}-result.json`))).status).toBe(
      'success',
    );
  }
  expect(log.every((line) => /^\[[^\]]+Z\] \[(?:INFO|WARN|ERROR)\] \[[^\]]+\] /.test(line))).toBe(true);
  // The last writer wrote the last state.
  expect(JSON.parse(project.read('state.json'))).toMatchObject({
    execution: { done: agents + 1, running: 0 },
    tokens: { input: 1000 },
  });
  expect(await project.done('plan', 'advance')).toContain('complete');
  // Nothing of it is left to halt.
  const halted = await project.type('halt', 'lunch');
  expect(halted).toMatchObject({ code: 1, err: expect.stringContaining('nothing of it is under way') });
});

test('ten agents ask for one task: one gets it', { timeout: 300_000 }, async () => {
  using project = await tenReady();
  const ends = await Promise.all(all.map(() => call(project, ['task', 'start', 'T002'])));
  expect(ends.filter(({ code }) => code === 0)).toHaveLength(1);
  expect(ends.filter(({ code }) => code === 1)).toHaveLength(agents - 1);
  const refused = ends.filter(({ code }) => code !== 0);
  for (const { err } of refused) expect(err).toMatch(/task T002 is being worked on by/);
  const files = project.work('T002');
  await project.done('task', 'complete', 'T002', '--created', ...files);
});

test('ten claims of one task at once: it is done once', { timeout: 300_000 }, async () => {
  using project = await tenReady();
  await project.done('task', 'start', 'T002');
  project.work('T002');
  const ends = await Promise.all(all.map(() => call(project, ['task', 'complete', 'T002'])));
  expect(ends.filter(({ code }) => code === 0)).toHaveLength(1);
  const log = project.read('activity.log');
  expect(log.match(/task-complete: T002/g)).toHaveLength(1);
});

test('approve and refuse at once: one counts, the other is told, and the audit lists one', async () => {
  using project = new AgentLedProject();
  await project.toExecuting();
  // Another order of the same work: it must be approved again.
  project.write('tasks/T004.json', textOf({ ...project.task('T004'), estimate_hours: 9 }));
  await project.done('plan', 'load-tasks');
  const before = await madeDecisions(project);
  const ends = await Promise.all([
    call(project, ['plan', 'approve']),
    call(project, ['plan', 'refuse', '--reason', 'no']),
  ]);
  // `plan approve` shows the plan before it decides; only its last sentence claims a decision.
  const claim = /^plan shop is (approved|refused)\b/m;
  const claimed = ends.map(({ out }) => claim.exec(out)?.[1] ?? null);
  const counted = claimed.filter((word) => word !== null);
  expect(counted).toHaveLength(1);
  const [lost, none] = ends.filter((_, index) => claimed[index] === null);
  expect(none).toBeUndefined();
  expect(lost?.code).toBe(1);
  expect(lost?.out).not.toMatch(/\bis (?:approved|refused)\b/);
  expect(ends.filter(({ code }) => code === 0)).toHaveLength(1);
  expect(lost?.err).toContain(`plan shop was ${counted[0]} by `);
  expect(lost?.err).toContain('meanwhile, and the first decision counts');
  const status = planStatusForm.parse(await project.json('plan', 'status'));
  expect(status.approval).toMatchObject({ said: counted[0], current: true });
  const made = (await madeDecisions(project)).slice(before.length);
  expect(made).toEqual([expect.stringContaining(counted[0] === 'approved' ? 'approve plan' : 'refuse plan')]);
  // Who saw it may decide again.
  await project.done('plan', counted[0] === 'approved' ? 'refuse' : 'approve');
});

async function madeDecisions(project: AgentLedProject): Promise<readonly string[]> {
  const lines = (await project.done('session', 'audit', '--event', 'decision', '--json')).trim().split('\n');
  return lines.map((line) => recorded<{ message: string }>(JSON.parse(line)).message);
}

test('control: ten processes that read a file, add to it and write it back lose updates', async () => {
  using folder = tempFolder();
  const path = join(folder.path, 'state.json');
  writeFileSync(path, '{"done":0}');
  // Each waits between reading and writing until the others have read: what a busy machine does now and then.
  const naive = `
    const { readFileSync, writeFileSync, readdirSync } = require('node:fs');
    const state = JSON.parse(readFileSync(${JSON.stringify(path)}, 'utf8'));
    writeFileSync(${JSON.stringify(folder.path)} + '/read-' + process.pid, '');
    const until = Date.now() + 10000;
    while (readdirSync(${JSON.stringify(folder.path)}).length < ${agents + 1} && Date.now() < until);
    writeFileSync(${JSON.stringify(path)}, JSON.stringify({ done: state.done + 1 }));
  `;
  await Promise.all(
    all.map(
      () =>
        new Promise((resolve) => {
          spawn(process.execPath, ['-e', naive], { stdio: 'ignore' }).once('exit', resolve);
        }),
    ),
  );
  expect(JSON.parse(readFileSync(path, 'utf8')).done).toBeLessThan(agents);
});
