import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  planAdvanceForm,
  planDecisionForm,
  planInitForm,
  planRowForm,
  planStatusForm,
  planValidateForm,
  planVerdictForm,
} from '../../src/model/schemas/plan-output.ts';
import { textOf } from '../plans/good-plan.ts';
import { AgentLedProject } from './project.ts';

describe('plan init', () => {
  test('makes every folder, stores the specification word for word, and prints the directory alone', async () => {
    using project = new AgentLedProject();
    const end = await project.type('plan', 'init', '.', '--plan', 'shop', '--new', '--spec', '../spec.md');
    const dir = join(project.path, '.tutti/plans/shop');
    expect(end).toMatchObject({ out: `${dir}\n`, code: 0 });
    expect(end.err).toContain('plan shop is made');
    for (const name of ['inputs', 'artifacts', 'tasks', 'reports', 'bundles']) {
      expect(existsSync(join(dir, name))).toBe(true);
    }
    expect(readFileSync(join(dir, 'inputs/spec.md'), 'utf8')).toBe(project.plan.spec);
    expect(existsSync(join(dir, 'inputs/context.json'))).toBe(true);
    expect(existsSync(join(dir, 'state.json'))).toBe(true);
  });

  test('done again it changes nothing; --json says so', async () => {
    using project = new AgentLedProject();
    await project.init();
    const before = project.read('inputs/spec.md');
    const again = planInitForm.parse(await project.json('plan', 'init', '.', '--plan', 'shop'));
    expect(again).toMatchObject({ plan: 'shop', created: false, phase: 'ingestion', project_type: 'new' });
    expect(project.read('inputs/spec.md')).toBe(before);
    expect(await project.done('plan', 'init', '.', '--plan', 'shop')).toBe(`${project.planDir}\n`);
  });

  test('takes its name from the target, its kind from what is there, and the specification from standard input', async () => {
    using project = new AgentLedProject();
    mkdirSync(join(project.path, 'service'));
    writeFileSync(join(project.path, 'service/main.js'), '');
    const made = planInitForm.parse(
      await project.json('plan', 'init', 'service', '--stack', 'plain JavaScript'),
    );
    expect(made).toMatchObject({
      plan: 'service',
      project_type: 'existing',
      spec_checksum: null,
      created: true,
    });
    const status = planStatusForm.parse(await project.json('plan', 'status'));
    expect(status).toMatchObject({
      tech_stack: 'plain JavaScript',
      next: 'tutti plan init --plan service --spec FILE',
    });
  });

  test.each([
    [['plan', 'init', '.', '--new', '--existing'], 'either --new or --existing, not both'],
    [['plan', 'init', '.', '--spec', 'nowhere.md'], 'the specification nowhere.md does not exist'],
    [['plan', 'init', '.', '--plan', 'a b'], "'a b' is not a name for a plan"],
    [['plan', 'init', 'nowhere', '--existing', '--plan', 'x'], 'does not exist'],
    [['plan', 'init', '.', '--plan', 'x', '--spec', '-'], 'the specification is empty'],
  ])('%j is refused: %s', async (words, sentence) => {
    using project = new AgentLedProject();
    const end = await project.type(...words);
    expect(end).toMatchObject({ out: '', code: 64 });
    expect(end.err).toContain(sentence);
    expect(existsSync(join(project.path, '.tutti'))).toBe(false);
  });

  test('another target needs another name', async () => {
    using project = new AgentLedProject();
    await project.init();
    const end = await project.type('plan', 'init', 'elsewhere', '--plan', 'shop');
    expect(end.code).toBe(64);
    expect(end.err).toContain('give the new plan another name');
  });
});

describe('a phase is left only when what it owes is there', () => {
  test('each says what is missing, with code 1', async () => {
    using project = new AgentLedProject();
    await project.done('plan', 'init', '.', '--plan', 'shop', '--new');
    project.planDir = join(project.path, '.tutti/plans/shop');
    const owed = async (sentence: string): Promise<void> => {
      const end = await project.type('plan', 'advance');
      expect(end).toMatchObject({ out: '', code: 1 });
      expect(end.err).toContain(sentence);
    };
    await owed('the specification is not stored yet');
    // An agent may write the file itself.
    project.write('inputs/spec.md', project.plan.spec);
    expect(planAdvanceForm.parse(await project.json('plan', 'advance'))).toEqual({
      plan: 'shop',
      from: 'ingestion',
      phase: 'logical',
    });
    await owed('artifacts/capability-map.json has not passed its validation');
    project.write('artifacts/capability-map.json', textOf(project.plan.capabilityMap));
    const valid = planValidateForm.parse(await project.json('plan', 'validate', 'capability_map'));
    expect(valid).toMatchObject({ artifact: 'capability_map', tasks: null });
    expect(await project.done('plan', 'advance')).toBe('plan shop: logical → physical\n');
    await owed('artifacts/physical-map.json has not passed its validation');
    project.write('artifacts/physical-map.json', textOf(project.plan.physicalMap));
    expect(await project.done('plan', 'validate', 'physical_map')).toMatch(/^physical_map is valid \(/);
    await project.done('plan', 'advance');
    await owed('the tasks are not loaded');
    for (const task of project.plan.tasks) project.write(`tasks/${task.id}.json`, textOf(task));
    const loaded = planValidateForm.parse(await project.json('plan', 'load-tasks'));
    expect(loaded.tasks).toEqual({
      total: 4,
      changed: ['T001', 'T002', 'T003', 'T004'],
      removed: [],
      added: [],
    });
    await project.done('plan', 'advance');
    await owed('there is no verdict on these tasks');
    const blocked = await project.type(
      'plan',
      'validate-tasks',
      'BLOCKED',
      'two gaps',
      '--issues',
      'one',
      'two',
    );
    expect(blocked).toMatchObject({ out: expect.stringContaining('verdict BLOCKED'), code: 0 });
    await owed('the verdict is BLOCKED: two gaps');
    const ready = await project.json(
      'plan',
      'validate-tasks',
      'READY_WITH_NOTES',
      'fine',
      '--issues',
      'a',
      'b',
    );
    expect(planVerdictForm.parse(ready)).toMatchObject({ verdict: 'READY_WITH_NOTES', issues: ['a', 'b'] });
    await project.done('plan', 'advance');
    await project.done('plan', 'load-tasks');
    await project.done('plan', 'advance');
    await owed('the plan is not approved');
    for (const words of [
      ['task', 'start', 'T001'],
      ['checkpoint', 'create', 'T001'],
    ])
      expect(await project.type(...words)).toEqual({
        code: 1,
        out: '',
        err: 'tutti: the plan is not approved\n  → look at it: tutti plan show --plan shop, then: tutti plan approve --plan shop\n',
      });
    expect(await project.done('checkpoint', 'status')).toBe('plan shop has no checkpoint\n');
    expect(
      planDecisionForm.parse(await project.json('plan', 'refuse', '--reason', 'too much')),
    ).toMatchObject({
      said: 'refused',
    });
    expect((await project.type('task', 'start', 'T001')).err).toMatch(
      /the plan was refused by \S+: too much/,
    );
    expect(await project.type('plan', 'edit', 'T999')).toMatchObject({
      code: 64,
      err: expect.stringContaining('T999'),
    });
    expect(await project.done('plan', 'approve')).toContain('plan shop is approved');
    await project.done('plan', 'advance');
    await owed('4 of 4 tasks are not done');
    const status = planStatusForm.parse(await project.json('plan', 'status'));
    expect(status).toMatchObject({
      phase: 'executing',
      next: 'tutti task start T001',
      tasks: { total: 4, ready: 1 },
    });
    expect(status.verdict).toMatchObject({ current: true });
    expect(project.read('reports/task-validation-report.md')).toContain('**Verdict:** BLOCKED');
  });

  test('what was edited after it passed is looked at again', async () => {
    using project = new AgentLedProject();
    await project.init();
    await project.done('plan', 'advance');
    project.write('artifacts/capability-map.json', textOf(project.plan.capabilityMap));
    await project.done('plan', 'validate', 'capability_map');
    project.write('artifacts/capability-map.json', '{');
    const end = await project.type('plan', 'advance');
    expect(end.code).toBe(1);
    expect(end.err).toContain('artifacts/capability-map.json:1:');
  });

  test('a mistake is told with file, place and reason', async () => {
    using project = new AgentLedProject();
    await project.init();
    await project.done('plan', 'advance');
    const { flows, ...rest } = project.plan.capabilityMap;
    project.write(
      'artifacts/capability-map.json',
      textOf({ ...rest, flows: flows.map((flow) => ({ ...flow, id: 7 })) }),
    );
    const end = await project.type('plan', 'validate', 'capability_map');
    expect(end.code).toBe(1);
    expect(end.err).toMatch(
      /artifacts\/capability-map\.json:\d+:\d+: flows\[0\]\.id: must be an id such as F1/,
    );
    const early = await project.type('plan', 'validate', 'tasks', '--json');
    expect(early.code).toBe(1);
    expect(JSON.parse(early.err)).toMatchObject({
      error: { code: 'FAILURE', message: 'the plan is in phase logical, and this belongs to definition' },
    });
  });

  test('another specification takes the plan back; an edited task needs another verdict and approval', async () => {
    using project = new AgentLedProject();
    await project.toExecuting();
    const [first] = project.plan.tasks;
    project.write('tasks/T001.json', textOf({ ...first, name: 'Something else' }));
    expect(await project.done('plan', 'load-tasks')).toContain('the plan is back in phase validation');
    expect((await project.type('task', 'start', 'T001')).err).toContain('the plan is in phase validation');
    const stale = planStatusForm.parse(await project.json('plan', 'status'));
    expect(stale).toMatchObject({ verdict: { current: false }, approval: { current: false } });
    expect(await project.done('plan', 'status')).toContain('for tasks that have changed since');
    writeFileSync(join(project.path, 'other.md'), `${project.plan.spec}More.\n`);
    await project.done('plan', 'init', '--plan', 'shop', '--spec', 'other.md');
    expect(planStatusForm.parse(await project.json('plan', 'status'))).toMatchObject({
      phase: 'logical',
      artifacts: {},
      verdict: null,
    });
  });

  test('the same work in another order keeps its verdict', async () => {
    using project = new AgentLedProject();
    await project.toExecuting();
    const last = project.task('T004');
    project.write('tasks/T004.json', textOf({ ...last, estimate_hours: 9 }));
    await project.done('plan', 'load-tasks');
    const status = planStatusForm.parse(await project.json('plan', 'status'));
    expect(status).toMatchObject({
      phase: 'ready',
      verdict: { current: true },
      approval: { current: false },
    });
  });

  test('an agent of a session does not approve', async () => {
    using project = new AgentLedProject();
    await project.toExecuting();
    await project.done('plan', 'refuse');
    const { cli } = await import('../cli/rig.ts');
    const env = { ...project.env, TUTTI_SESSION_ID: '20251118-153042-coder' };
    const end = await cli({ folder: project.path, env, stdin: '' }, 'plan', 'approve');
    expect(end.code).toBe(3);
    expect(end.err).toContain('only a person may approve or refuse a plan');
  });
});

describe('plan show', () => {
  test('of a plan that breaks a rule shows its tasks and the rule', async () => {
    using project = new AgentLedProject();
    await project.toExecuting();
    const first = project.task('T001');
    project.write('tasks/T001.json', textOf({ ...first, dependencies: { tasks: ['T009'], external: [] } }));
    const shown = await project.type('plan', 'show');
    expect(shown).toMatchObject({ code: 64, err: expect.stringContaining('T009') as string });
    expect(shown.out).toMatch(/^plan shop · 4 tasks in \d phases? · target /);
    expect(shown.out).toMatch(/^TASK +PHASE +NAME +NEEDS +HOURS$/m);
    expect(shown.out).toMatch(/^T001 .* T009 /m);
    for (const { verification } of first.acceptance_criteria) expect(shown.out).toContain(verification);
    // Programs get the rule alone, and a drawing of what is not in order would mislead.
    for (const flag of ['--json', '--mermaid'])
      expect(await project.type('plan', 'show', flag)).toMatchObject({ code: 64, out: '' });
  });
});

describe('what an approval covers', () => {
  const shown = /T001 [^]*create .*[^]*accept {3}\S[^]*verdict {7}READY by user:/;

  test('on a terminal it is shown and asked about', async () => {
    using project = new AgentLedProject();
    await project.toExecuting();
    await project.done('plan', 'refuse');
    const { cli } = await import('../cli/rig.ts');
    const screen = { folder: project.path, env: project.env, terminal: [200, 60] } as const;
    const no = await cli({ ...screen, typed: 'n' }, 'plan', 'approve');
    expect(no).toMatchObject({ code: 3, err: 'Approve plan shop as it is shown? [y/N]: ' });
    expect(no.out).toMatch(shown);
    expect(no.out).toContain(
      'plan shop is neither approved nor refused\n  → change it: tutti plan edit --plan shop; or refuse it: tutti plan refuse --reason TEXT --plan shop\n',
    );
    const yes = await cli({ ...screen, typed: 'y' }, 'plan', 'approve');
    expect(yes).toMatchObject({ code: 0 });
    expect(yes.out).toMatch(shown);
    expect(yes.out).toContain('plan shop is approved');
  });

  test('a script that approves what no question showed prints it', async () => {
    using project = new AgentLedProject();
    await project.toExecuting();
    await project.done('plan', 'refuse');
    expect(await project.done('plan', 'approve')).toMatch(shown);
    const { tasks } = planDecisionForm.parse(await project.json('plan', 'approve'));
    expect(tasks?.[0]).toMatchObject({
      id: 'T001',
      commands: expect.arrayContaining([expect.stringContaining('node --test')]),
    });
  });
});

describe('which plan', () => {
  test('none, the only one, the newest with a note, a name, a directory', async () => {
    using project = new AgentLedProject();
    for (const look of [
      ['plan', 'status'],
      ['plan', 'list'],
      ['plan', 'show'],
      ['task', 'list'],
    ]) {
      const none = await project.type(...look);
      expect(none).toEqual({ code: 0, out: 'no plans yet; start one: tutti plan SPEC\n', err: '' });
      expect(await project.type(...look, '--json')).toMatchObject({ code: 0, out: '' });
    }
    const none = await project.type('plan', 'approve');
    expect(none).toMatchObject({ code: 64 });
    expect(none.err).toContain('there is no plan in');
    await project.init();
    expect((await project.type('plan', 'status')).err).toBe('');
    await project.done('plan', 'init', '.', '--plan', 'later', '--new');
    const newest = await project.type('plan', 'status');
    expect(newest.err).toContain('of 2 plans, later changed last; --plan NAME names another');
    expect(newest.out).toContain('plan later');
    expect((await project.type('plan', 'status', '--json')).err).toBe('');
    expect(await project.done('plan', 'status', '--plan', 'shop')).toContain('plan shop');
    expect(await project.done('plan', 'status', '--plan', project.planDir)).toContain('plan shop');
    const misspelt = await project.type('plan', 'status', '--plan', 'shpo');
    expect(misspelt.err).toContain("there is no plan 'shpo'; did you mean 'shop'?");
    const rows = (await project.done('plan', 'list', '--json')).trim().split('\n');
    expect(rows.map((row) => planRowForm.parse(JSON.parse(row)).plan)).toEqual(['later', 'shop']);
    expect(await project.done('plan', 'list')).toMatch(/^shop +ingestion +no tasks/m);
  });

  test('from a worktree: by TUTTI_PLAN_DIR, by --plan, by TUTTI_PROJECT', async () => {
    using project = new AgentLedProject();
    await project.init();
    const { cli } = await import('../cli/rig.ts');
    const worktree = join(project.home, 'worktree');
    // A checkout brings the configuration of the project along, and is none.
    mkdirSync(worktree);
    writeFileSync(join(worktree, 'tutti.yaml'), '');
    const from = (env: Readonly<Record<string, string>>, ...words: readonly string[]) =>
      cli({ folder: worktree, env: { ...project.env, ...env }, stdin: '' }, 'plan', 'status', ...words);
    expect((await from({})).out).toContain('no plans yet');
    for (const end of [
      await from({ TUTTI_PLAN_DIR: project.planDir }),
      await from({}, '--plan', project.planDir),
      await from({ TUTTI_PROJECT: project.path }),
    ]) {
      expect(end).toMatchObject({ out: expect.stringContaining('plan shop'), code: 0 });
    }
  });
});

test.each([
  ['plan validate-complete READY', "there is no command 'validate-complete'; did you mean 'validate-tasks'?"],
  ['validate-complete READY', "did you mean 'plan validate-tasks'?"],
  ['start-task T001', "did you mean 'task start'?"],
  ['task ready-tasks', "did you mean 'ready'?"],
  ['plan statsu', "did you mean 'status'?"],
  ['plan validate everything', 'must be one of capability_map, physical_map, tasks'],
  ['plan validate-tasks MAYBE', 'must be one of READY, READY_WITH_NOTES, BLOCKED'],
])('tutti %s names the right one: %s', async (words, sentence) => {
  using project = new AgentLedProject();
  const end = await project.type(...words.split(' '));
  expect(end).toMatchObject({ out: '', code: 64 });
  expect(end.err).toContain(sentence);
});
