import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { runStatus } from '../../src/app/status/run-status.ts';
import { outlinesByName } from '../../src/model/outline.ts';
import { stepIdOf } from '../../src/model/key.ts';
import { PlannerProject } from './project.ts';

const hourMs = 3_600_000;

/** Everything that is recorded of the project happened an hour earlier. */
function anHourLater({ tutti }: PlannerProject): void {
  using db = new DatabaseSync(tutti.paths.database);
  db.exec(`update entries set opened_at = opened_at - ${hourMs}, ended_at = ended_at - ${hourMs}`);
  db.exec(`update runs set started_at = started_at - ${hourMs}, ended_at = ended_at - ${hourMs}`);
}

test('a finished phase takes no longer because the plan is started again an hour later and looks at its files', async () => {
  using project = new PlannerProject();
  await project.plan();
  anHourLater(project);
  expect((await project.plan()).ran).toEqual([]);
  const looks = (await project.tutti.queries.entries('numerals-plan')).filter(
    ({ key }) => stepIdOf(key) === 'logical/check',
  );
  expect(looks.length).toBe(2);
  const status = await runStatus(project.tutti, outlinesByName, 'numerals-plan');
  const logical = status?.steps.find(({ id }) => id === 'logical');
  expect(logical).toMatchObject({ state: 'done' });
  expect((logical?.endedAt ?? 0) - (logical?.startedAt ?? 0)).toBeGreaterThan(hourMs);
  expect(status?.steps.filter(({ tookMs }) => (tookMs ?? 0) >= hourMs)).toEqual([]);
});
