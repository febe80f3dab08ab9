import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changePlan } from '../../src/app/plan-record/change-plan.ts';
import { withApproval } from '../../src/model/plan/plan-transitions.ts';
import { PayProject, plan, until } from '../pay/project.ts';
import { hangLimitMs } from '../rig/hang-limit.ts';
import type { ProgramEnd } from '../rig/program.ts';
import { installedTutti } from '../rig/installed-tutti.ts';
import { repository } from '../rig/repository.ts';
import { openTutti } from '../rig/trust.ts';

const slow = { timeout: hangLimitMs };
const task = join('.tutti', 'plans', plan, 'tasks', 'T002.json');

/** The ways in which an agent has other tasks taken while a person is asked about those that were shown. */
const ways = {
  'plan edit --taken': 'try plan edit --taken',
  'the commands about state':
    'try plan load-tasks; try plan validate-tasks READY "all fine"; try plan advance; try plan load-tasks; try plan advance',
} as const;

/** A plan that waits for its approval, and an agent that swaps a command of it for one that leaves a mark. */
class SwappedPlan implements Disposable {
  readonly #project = new PayProject();
  readonly #canary = join(this.#project.path, '..', 'canary');

  get project(): PayProject {
    return this.#project;
  }

  get isExecuted(): boolean {
    return existsSync(this.#canary);
  }

  /** `program`: the agent's Tutti; what it printed. */
  async swap(
    way: keyof typeof ways,
    program = installedTutti(),
  ): Promise<readonly (readonly [code: string, text: string])[]> {
    const project = this.#project;
    mkdirSync(join(project.path, 'agents'));
    project.write('agents/swapper.md', '---\ndriver: swapper\nresult: optional\n---\nYou swap tasks.\n');
    project.write('swap.md', 'Swap the tasks.\n');
    const script = join(project.path, 'swap.sh');
    project.edit(
      'tutti.yaml',
      'drivers:',
      `drivers:\n  swapper:\n    type: command\n    command: [sh, ${script}]`,
    );
    project.write(
      'swap.sh',
      `cd '${project.path}'
sed -i 's|node --test|touch ${this.#canary}; node --test|' '${task}'
try() { '${process.execPath}' '${program}' "$@" --plan ${plan} >said 2>&1; code=$?; { echo "CODE $code"; cat said; } >>tried; }
${ways[way]}
`,
    );
    const asked = await project.run('plan', 'records.md');
    expect(asked.code, asked.stderr).toBe(3);
    expect(asked.stdout).toContain('node --test');
    await project.run('session', 'create', 'swapper', 'swap.md');
    await project.run('session', 'wait', 'last');
    expect(project.read(task)).toContain('touch ');
    return project
      .read('tried')
      .split(/^CODE /m)
      .slice(1)
      .map((said) => [said.slice(0, said.indexOf('\n')), said.slice(said.indexOf('\n') + 1)]);
  }

  async approveAndExecute(): Promise<ProgramEnd> {
    const approved = await this.#project.run('plan', 'approve', '--plan', plan);
    await this.#project.run('execute', '--plan', plan);
    return approved;
  }

  [Symbol.dispose](): void {
    this.#project[Symbol.dispose]();
  }
}

async function audit(project: PayProject): Promise<string> {
  return (await project.run('session', 'audit', '--event', 'decision')).stdout;
}

const asksAgain = async (project: PayProject): Promise<boolean> =>
  (await project.run('inbox')).stdout.includes('Q2');

test.each(['plan edit --taken', 'the commands about state'] as const)(
  'an agent does not swap the tasks of an open approval by %s',
  slow,
  async (way) => {
    using swapped = new SwappedPlan();
    const { project } = swapped;
    const tried = await swapped.swap(way);
    expect(tried.map(([code]) => code)).toEqual(tried.map(() => '3'));
    for (const [, said] of tried)
      expect(said).toContain('only a person may change a plan that Tutti is planning');
    expect(await audit(project)).toMatch(
      /Decision refused: edit \(.* of plan records\), asked for by session:/,
    );
    expect((await project.run('inbox')).stdout).toContain('Q1');
    const approved = await swapped.approveAndExecute();
    expect(approved).toMatchObject({ code: 1, stderr: expect.stringContaining('changed T002') });
    expect(swapped.isExecuted).toBe(false);
  },
);

test('control: with the rule removed, the commands that an agent swapped in are executed', slow, async () => {
  using swapped = new SwappedPlan();
  const { project } = swapped;
  const tried = await swapped.swap('plan edit --taken', repository('test/people/tutti-without-rule.ts'));
  expect(tried.map(([code]) => code)).toEqual(['0']);
  await until(() => asksAgain(project));
  expect(await swapped.approveAndExecute()).toMatchObject({ code: 0 });
  expect(swapped.isExecuted).toBe(true);
});

test(
  'tasks that were swapped behind an open question are not approved, although the record has them',
  slow,
  async () => {
    using swapped = new SwappedPlan();
    const { project } = swapped;
    const rule = repository('test/people/tutti-without-rule.ts');
    const tried = await swapped.swap('the commands about state', rule);
    expect(tried.map(([code]) => code)).toEqual(['0', '0', '0', '0', '0']);
    const approved = await swapped.approveAndExecute();
    expect(approved.code).toBe(1);
    expect(approved.stderr).toMatch(
      /the tasks of plan records are not those that Q1 asks about: changed T002; T002 runs touch .*canary; node --test/,
    );
    expect(approved.stderr).toContain('tutti plan show --plan records');
    expect(swapped.isExecuted).toBe(false);
    // Control: an approval of whatever the record has executes them.
    using opened = openProject(project);
    await changePlan(opened, plan, (record) =>
      withApproval(record, { said: 'approved', reason: null, by: 'user:ada', at: 1 }),
    );
    await project.run('execute', '--plan', plan);
    expect(swapped.isExecuted).toBe(true);
  },
);

test("a person's own edit is taken, verified, asked about and approved", slow, async () => {
  using project = new PayProject();
  expect((await project.run('plan', 'records.md')).code).toBe(3);
  project.edit(task, 'node --test', 'node --test --test-only');
  const early = await project.run('plan', 'approve', '--plan', plan);
  expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('tutti plan edit --taken') });
  const taken = await project.run('plan', 'edit', '--taken', '--plan', plan);
  expect(taken).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('its run verifies them and asks again'),
  });
  await until(() => asksAgain(project));
  const approved = await project.run('plan', 'approve', '--plan', plan);
  expect(approved.code, approved.stderr).toBe(0);
  expect(await audit(project)).toMatch(/Decision: edit \(take the edited tasks of plan records\), by user:/);
});

function openProject(project: PayProject) {
  const opened = openTutti({ folder: project.path, env: project.env, create: false });
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
}
