import { loadTasks } from '../src/app/plan-record/change-plan.ts';
import { system } from '../src/lib/process/system.ts';
import { join } from 'node:path';
import { pathsOf } from '../src/app/project.ts';
import { planStatus } from '../src/app/plans/agent-led/plan-status.ts';
import { realClock } from '../src/runtime/clock.ts';
import { blankPlan } from '../src/model/plan/plan-record.ts';
import { SqliteQueries } from '../src/store/queries.ts';
import { goodPlan } from '../test/plans/good-plan.ts';
import type { Bench } from './bench.ts';
import { interleave, timed } from './interleave.ts';
import { resultOf } from './result.ts';
import { storeAt } from './rig.ts';

const many = 10_000;
const name = 'large';

/** Agents ask how a plan stands before everything they do. A third of the tasks are done, and one has failed. */
export const planStatusBench: Bench = {
  name: 'plan-status',
  about: 'status of a plan of 10,000 tasks in process, against one SQL select of their rows',
  async run({ folder, rounds, progress }) {
    using store = storeAt(join(folder, 'plan-status.db'));
    const queries = new SqliteQueries(store.db);
    const plan = blankPlan({ name, targetDir: folder, projectType: 'new', stack: null, at: 0 });
    await store.createPlan(plan);
    await loadTasks({ store, queries }, name, goodPlan({ tasks: many }).tasks);
    const settled = Math.floor(many / 3);
    const ids = store.db.all('select id from plan_tasks where plan = ? order by id', name);
    for (const [index, { id }] of ids.entries()) {
      if (index > settled) break;
      const status = index === settled - 1 ? 'failed' : 'done';
      store.db.run('update plan_tasks set status = ? where plan = ? and id = ?', status, name, String(id));
    }
    const parts = { queries, paths: pathsOf(folder), processes: system(), clock: realClock() };
    const pair = {
      subject: () =>
        timed(async () => {
          const { total } = await planStatus(parts, plan);
          if (total !== many) throw new Error(`${total} of ${many} tasks`);
        }),
      floor: () => timed(() => store.db.all('select * from plan_tasks where plan = ? order by id', name)),
    };
    const sides = {
      bench: 'plan-status',
      name: 'select',
      subject: `planStatus of ${many} tasks: counts, ready, blocked, next command`,
      floor: 'one select of the rows of the same tasks',
      unit: 'ms',
      bar: 2,
    } as const;
    return [resultOf(sides, await interleave(pair, rounds, progress))];
  },
};
