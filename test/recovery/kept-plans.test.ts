import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { movePlanCopies, prunePlanCopies } from '../../src/app/plan-files/kept-files.ts';
import { tempFolder } from '../rig/temp-folder.ts';

const dayMs = 24 * 60 * 60_000;

/** A state directory with a copy of each of these plans, which was written so many days ago. */
function keep(home: string, ages: Readonly<Record<string, number>>) {
  const env = { XDG_STATE_HOME: home };
  const folder = join(home, 'tutti', 'plans', 'here');
  mkdirSync(folder, { recursive: true });
  const now = Date.now();
  for (const [plan, days] of Object.entries(ages)) {
    const path = join(folder, `${plan}.json`);
    writeFileSync(path, '{}');
    utimesSync(path, new Date(now - days * dayMs), new Date(now - days * dayMs));
  }
  return { folder, now, place: { paths: { state: '', mark: 'here' }, env } };
}

test('copies of plans that no longer exist are deleted after 30 days, and no others', () => {
  using home = tempFolder();
  const { folder, now, place } = keep(home.path, { current: 90, gone: 31, removed: 29 });
  prunePlanCopies(place, ['current'], now);
  expect(readdirSync(folder).toSorted()).toEqual(['current.json', 'removed.json']);
});

test('copies of plan files are found under the mark of a project that was moved, and replace none', () => {
  using home = tempFolder();
  const { folder, place } = keep(home.path, { records: 1 });
  const moved = { ...place, paths: { state: '', mark: 'there' } };
  movePlanCopies(moved, 'here');
  expect(existsSync(folder)).toBe(false);
  expect(readdirSync(join(folder, '..', 'there'))).toEqual(['records.json']);
  keep(home.path, { other: 1 });
  movePlanCopies(moved, 'here');
  expect(readdirSync(folder)).toEqual(['other.json']);
});
