import { expect, test } from 'vitest';
import type { Recovered } from '../../src/app/recovery/recover.ts';
import { testSeed } from '../rig/test-seed.ts';
import { Random } from '../simulation/random.ts';
import { damage, damages, keep, keeps, strangeDatabase } from './damage.ts';
import { paidTurns, RecoveryProject } from './project.ts';

/** Of 300; `npm test` takes a sample. */
const cases = { few: 8, many: 100, all: 300 };
const asked = process.env['FAULTS'];
const count = asked === 'all' || asked === 'many' ? cases[asked] : cases.few;
const slow = { timeout: 1_800_000 };

type Recover = (project: RecoveryProject) => Promise<Recovered>;

/**
 * Damages, recovers and completes the run. Returns what is wrong; null: exactly the finished turns that were named as lost
 * were paid again.
 */
async function problem(
  project: RecoveryProject,
  strange: Uint8Array,
  seed: number,
  recover: Recover = (one) => one.recover(),
): Promise<string | null> {
  const random = new Random(seed);
  const how = random.pick(damages) ?? 'deleted';
  const kept = random.pick(keeps) ?? 'nothing';
  project.reset();
  const before = project.paid();
  const steps = project.stepsBySession();
  // In every third case the folder of a turn is gone too, so that where nothing else is kept something is really lost.
  const gone = seed % 3 === 0 ? random.pick([...steps.keys()]) : undefined;
  if (gone !== undefined) project.loseFolder(gone);
  keep(project, kept, random);
  damage(project, how, strange, random);
  const said = (what: string): string => `seed ${seed} (${how}, kept: ${kept}): ${what}`;
  const recovered = await recover(project);
  if (kept === 'everything' && recovered.lost.length > 0) return said('something is lost');
  using tutti = project.open();
  const outcome = await project.complete(tutti);
  if (outcome !== 'SUCCESS') return said(`the run ended with ${outcome}`);
  const after = project.paid();
  const again = paidTurns.filter((turn) => before[turn] === 1 && after[turn] !== 1);
  const named = recovered.lost.flatMap((loss) =>
    loss.what === 'session' ? [steps.get(loss.id) ?? loss.id] : [],
  );
  const isExact = again.toSorted().join() === named.toSorted().join();
  return isExact ? null : said(`paid again: ${again.join(', ')}; named as lost: ${named.join(', ')}`);
}

for (const how of ['finished', 'half-done'] as const) {
  test(
    `after a ${how} run no finished turn is paid again, however its database was damaged`,
    slow,
    async () => {
      using project = await RecoveryProject.make(how);
      const strange = await strangeDatabase();
      const bad: string[] = [];
      for (let n = 0; n < count / 2; n += 1) {
        const wrong = await problem(project, strange, testSeed + n).catch((error: unknown) => String(error));
        if (wrong !== null) bad.push(wrong);
      }
      process.stdout.write(
        `recovery: ${count / 2} damaged databases after a ${how} run, ${bad.length} problems\n`,
      );
      expect(bad).toEqual([]);
    },
  );
}

test('control: a loss that is not named, or named and not lost, is seen', slow, async () => {
  using project = await RecoveryProject.make('finished');
  const strange = await strangeDatabase();
  const silent: Recover = async (one) => ({ ...(await one.recover()), lost: [] });
  const alarmed: Recover = async (one) => {
    const [id = ''] = one.stepsBySession().keys();
    const recovered = await one.recover();
    return { ...recovered, lost: [...recovered.lost, { what: 'session', id, why: 'nothing' }] };
  };
  const seen: (string | null)[] = [];
  // Among these are cases in which a turn is really lost.
  for (let seed = 0; seed < 60 && !seen.some((one) => one !== null); seed += 3)
    seen.push(await problem(project, strange, seed, silent));
  expect(seen.at(-1)).toMatch(/paid again: \S+.*; named as lost: $/);
  const alarms = [1, 2, 4, 5, 7, 8].map((seed) => () => problem(project, strange, seed, alarmed));
  const told: (string | null)[] = [];
  for (const alarm of alarms) told.push(await alarm());
  expect(told).toContainEqual(expect.stringMatching(/paid again: ; named as lost: \S+$/));
  expect(told).not.toContain(null);
});
