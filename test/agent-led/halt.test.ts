import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { haltStatusForm, planHaltForm, planResumeForm } from '../../src/model/schemas/plan-output.ts';
import { quick } from '../cli/project.ts';
import { AgentLedProject } from './project.ts';

async function executing(): Promise<AgentLedProject> {
  const project = new AgentLedProject();
  await project.toExecuting();
  return project;
}

describe('a plan is halted', () => {
  const stop = (project: AgentLedProject): string => join(project.planDir, 'STOP');

  test('what is at work may finish, nothing new starts, and resume takes it back', async () => {
    using project = await executing();
    expect(await project.type('check-halt')).toMatchObject({ out: 'plan shop is not halted\n', code: 0 });
    await project.done('task', 'start', 'T001');
    expect((await project.type('confirm-halt')).err).toContain('→ halt it: tutti halt shop, or');
    await project.done('halt', 'user_message');
    const early = await project.type('confirm-halt');
    expect(early).toMatchObject({ code: 1 });
    expect(early.err).toContain('T001 is still at work');
    expect(early.err).toContain('→ see who is at work: tutti task list --plan shop');
    project.work('T001');
    await project.done('task', 'complete', 'T001');
    const refused = await project.type('task', 'start', 'T002');
    expect(refused).toMatchObject({ out: '', code: 24 });
    expect(refused.err).toContain('plan shop is halted');
    expect(refused.err).toContain('tutti resume shop');
    expect(await project.done('confirm-halt')).toContain('and nothing of it runs');
    expect(await project.done('plan', 'status')).toContain('halted');
    expect(await project.done('resume')).toBe('plan shop is no longer halted\n');
    expect(existsSync(stop(project))).toBe(false);
    expect(project.read('activity.log')).toMatch(/\[tutti\] resume: /);
    await project.done('task', 'start', 'T002');
  });

  const ways: readonly (readonly [string, (project: AgentLedProject) => Promise<unknown>, string])[] = [
    ['by words', (project) => project.done('halt', 'disk', 'is', 'full'), 'disk is full'],
    ['by its name', (project) => project.done('halt', 'shop', '--reason', 'lunch'), 'lunch'],
    ['by its name and words', (project) => project.done('halt', 'shop', 'for', 'tea'), 'for tea'],
    ['by nothing at all', (project) => project.done('halt'), 'a person asked for it'],
    ['by --plan', (project) => project.done('halt', '--plan', 'shop', 'why', 'not'), 'why not'],
    ['by a STOP file', async (project) => writeFileSync(stop(project), 'enough\n'), 'enough'],
    ['by an empty STOP file', async (project) => writeFileSync(stop(project), ''), 'there is a STOP file'],
    ['by a folder of that name', async (project) => mkdirSync(stop(project)), 'there is a STOP file'],
  ];

  test('in each way it can be said', async () => {
    using project = await executing();
    for (const [how, halt, reason] of ways) {
      await halt(project);
      expect((await project.type('check-halt')).code, how).toBe(1);
      const status = haltStatusForm.parse(await project.json('halt-status'));
      expect(status, how).toMatchObject({
        halted: true,
        reason,
        confirmed_at: null,
        stop_file: true,
        running: [],
      });
      expect((await project.type('task', 'start', 'T001')).code, how).toBe(24);
      await project.done('resume');
      expect((await project.type('check-halt')).code, how).toBe(0);
    }
  });

  test('--json tells plan, state and who is at work', async () => {
    using project = await executing();
    await project.done('task', 'start', 'T001');
    expect(planHaltForm.parse(await project.json('halt', 'lunch'))).toEqual({
      plan: 'shop',
      state: 'halting',
      reason: 'lunch',
      running: ['T001'],
    });
    expect(planResumeForm.parse(await project.json('resume', 'shop', '--clear-only'))).toEqual({
      plan: 'shop',
      cleared: true,
    });
    expect(await project.done('resume', 'shop')).toBe('plan shop was not halted\n');
  });

  test('confirming what is not halted is refused', async () => {
    using project = await executing();
    const end = await project.type('confirm-halt');
    expect(end).toMatchObject({ code: 1 });
    expect(end.err).toContain('it is not halted');
  });
});

describe('runs are halted as before', () => {
  test('a run by its name, also where there is a plan; a misspelt name is not taken for a reason', async () => {
    using project = await executing();
    writeFileSync(join(project.path, 'quick.yaml'), quick);
    await project.done('run', 'quick.yaml', '--run-id', 'nightly');
    const over = await project.type('halt', 'nightly');
    expect(over).toMatchObject({ code: 64 });
    expect(over.err).toContain('run nightly is over');
    for (const [word, meant] of [
      ['nigthly', 'nightly'],
      ['shpo', 'shop'],
    ] as const) {
      const end = await project.type('halt', word);
      expect(end).toMatchObject({ code: 64 });
      expect(end.err).toContain(`did you mean '${meant}'?`);
    }
    const named = await project.type('halt', 'elsewhere', '--reason', 'lunch');
    expect(named.err).toContain("there is no run and no plan 'elsewhere'");
    expect(haltStatusForm.parse(await project.json('halt-status')).halted).toBe(false);
  });

  test('without any plan a run is asked for', async () => {
    using project = new AgentLedProject();
    writeFileSync(join(project.path, 'quick.yaml'), quick);
    await project.done('run', 'quick.yaml', '--run-id', 'nightly');
    expect((await project.type('halt')).err).toContain('RUN is missing');
    writeFileSync(
      join(project.path, 'asks.yaml'),
      'steps: [{id: a, command: ["true"], gates: [{approval: "Ship it?"}]}]\n',
    );
    await project.type('run', 'asks.yaml', '--run-id', 'asks');
    expect((await project.type('halt')).err).toContain(
      'RUN is missing; under way: asks\n  → halt a run: tutti halt asks\n',
    );
    expect((await project.type('halt', 'x')).err).toContain("there is no run 'x'");
    expect((await project.type('resume', '--clear-only')).err).toContain('no plan is halted');
    expect((await project.type('resume', 'x', '--clear-only')).err).toContain("there is no plan 'x'");
  });
});
