import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runStatus } from '../../src/app/status/run-status.ts';
import { outlinesByName } from '../../src/model/outline.ts';
import { until } from '../rig/attempt-rig.ts';
import { PlannerProject } from './project.ts';

/** Texts of plan files that sessions have seen and keep, by path. */
function keptTexts(project: PlannerProject): readonly (readonly [path: string, text: string])[] {
  const sessions = join(project.tutti.paths.state, 'sessions');
  return readdirSync(sessions, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\/overwritten\/.*\.json\./.test(name))
    .map((name) => [join(sessions, name), readFileSync(join(sessions, name), 'utf8')]);
}

/** Planned again for another wish, with an edit while the author of the file works. */
async function editDuring(
  project: PlannerProject,
  step: string,
  file: string,
  [from, to]: readonly [from: string, to: string],
): Promise<string> {
  await project.plan();
  project.edit('B3 table: prints a table of the first hundred', 'B3 table: prints a table of the first ten');
  project.mood([step, 'wait']);
  const planning = project.plan();
  const begins = () => readFileSync(join(project.path, 'ledger'), 'utf8').split(`${step} begin`).length - 1;
  await until(`${step} begins again`, () => begins() === 2);
  const mine = project.read(file).replace(from, to);
  writeFileSync(join(project.paths.dir, file), mine);
  await until('the edit is seen', () => keptTexts(project).some(([, text]) => text === mine));
  writeFileSync(join(project.path, 'go'), '');
  await planning;
  return mine;
}

async function warnings({ tutti }: PlannerProject): Promise<readonly string[]> {
  const feed = await tutti.queries.events('numerals-plan', 0);
  return feed.flatMap(({ event }) => (event.type === 'session.warned' ? [event.message] : []));
}

test.each([
  [
    'logical',
    'artifacts/capability-map.json',
    ['"name": "Numbers"', '"name": "My numbers"'],
    'tutti plan --plan numerals',
  ],
  [
    'definition',
    'tasks/T002.json',
    ['"criterion": "All', '"criterion": "Nearly all'],
    'tutti plan edit --taken --plan numerals',
  ],
] as const)(
  'an edit that is made while the agent of phase %s works is kept, and the command that loads it is named',
  async (step, file, change, command) => {
    using project = new PlannerProject();
    const mine = await editDuring(project, step, file, change);
    expect(project.read(file)).not.toBe(mine);
    const [kept, ...more] = keptTexts(project);
    expect(more).toEqual([]);
    expect(kept?.[1]).toBe(mine);
    const told = await warnings(project);
    expect(told).toHaveLength(1);
    expect(told[0]).toContain(`${file} had another text while`);
    expect(told[0]).toContain(
      `is kept in ${kept?.[0] ?? ''}; if it is your edit, apply it to the file again, then: ${command}`,
    );
    const status = await runStatus(project.tutti, outlinesByName, 'numerals-plan');
    expect(status?.incidents.map(({ text }) => text)).toContainEqual(
      expect.stringContaining('it is kept: tutti session logs'),
    );
    // Applied again, it is loaded like any other edit.
    const [from, to] = change;
    writeFileSync(join(project.paths.dir, file), project.read(file).replace(from, to));
    project.mood();
    expect((await project.plan()).outcome).toBe('HUMAN_INPUT');
    expect(project.read(file)).toContain(to);
  },
);

test('a plan that is made again without an edit keeps no other texts and warns of none', async () => {
  using project = new PlannerProject();
  await project.plan();
  project.edit('B3 table: prints a table of the first hundred', 'B3 table: prints a table of the first ten');
  await project.plan();
  expect(keptTexts(project)).toEqual([]);
  expect(await warnings(project)).toEqual([]);
});
