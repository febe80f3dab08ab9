import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PayProject, plan } from '../pay/project.ts';
import { hangLimitMs } from '../rig/hang-limit.ts';
import { testSeed } from '../rig/test-seed.ts';
import { Random } from '../simulation/random.ts';
import { size, specificationOf, taskOf } from './edited-plan.ts';
import { chainedPlanner } from './played-planner.ts';

/** Edits of a plan of thirty tasks with the built program and real processes: with REPLAN=all ten, with REPLAN=many three. */
const edits = { all: 10, many: 3 }[process.env['REPLAN'] ?? ''] ?? 0;

interface Shown {
  readonly estimate: { readonly launches: number; readonly may_follow: number };
}

describe.skipIf(edits === 0)('with real processes', () => {
  const random = new Random(testSeed);
  const wishes = new Map(
    Array.from({ length: size }, (_, index) => [index + 1, `keeps record ${index + 1}`]),
  );
  const mine = new Map<string, string>();
  const specification = (): string => specificationOf(wishes, 'Slowly.');
  const file = (id: string): string => join('.tutti', 'plans', plan, 'tasks', `${id}.json`);
  let project: PayProject;

  beforeAll(async () => {
    project = new PayProject(undefined, 2, { specification: specification(), planner: chainedPlanner });
    const built = await project.run('build', 'records.md', '--new', '--yes', '--parallel', '4');
    expect(built.code, built.stderr).toBe(0);
  }, hangLimitMs);

  afterAll(() => {
    project[Symbol.dispose]();
  });

  // One test for each edit, so that the limit is for one.
  test.each(Array.from({ length: edits }, (_, index) => index + 1))(
    'edit %i: hand edits and phases are kept, and the forecast equals the launches',
    { timeout: hangLimitMs },
    async (n) => {
      const [edited, changed] = [1 + random.below(size), 1 + random.below(size)];
      const id = taskOf(edited);
      project.edit(
        file(id),
        /"criterion": "[^"]*"/.exec(project.read(file(id)))?.[0] ?? '',
        `"criterion": "All tests of the ${n}th edit pass without a failure"`,
      );
      project.edit(file(id), '"estimate_hours": ', '"estimate_hours":  ');
      mine.set(id, project.read(file(id)));
      if (random.chance(0.5)) {
        wishes.set(changed, `keeps record ${changed} in the ${n}th way`);
        project.write('records.md', specification());
      }
      for (let tries = 0; tries < 5; tries += 1) {
        const planned = await project.run('plan', 'records.md', '--yes');
        if (planned.code === 0) break;
        expect(planned.code, planned.stderr).toBe(3);
        const { questions } = JSON.parse((await project.run('inbox', '--json')).stdout);
        await project.run('answer', questions[0].id, 'keep mine');
      }
      for (const [task, text] of mine) expect(project.read(file(task)), `${task} after edit ${n}`).toBe(text);
      const { estimate } = JSON.parse(
        (await project.run('plan', 'show', '--plan', plan, '--json')).stdout,
      ) as Shown;
      project.forgetTurns();
      const executed = await project.run('execute', '--batch', '--parallel', '4');
      expect(executed.code, executed.stderr).toBe(0);
      // The worker's files hold the name of their task, which no edit changes: nothing that only may follow has to.
      expect(project.turns()).toHaveLength(estimate.launches);
      expect(estimate.launches).toBeGreaterThan(0);
    },
  );
});
