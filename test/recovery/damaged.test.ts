import { expect, test } from 'vitest';
import { testSeed } from '../rig/test-seed.ts';
import { Random } from '../simulation/random.ts';
import { damage, damages, keep, keeps, strangeDatabase } from './damage.ts';
import { paidTurns, RecoveryProject } from './project.ts';

/** Of 300; `npm test` takes a sample. */
const cases = { few: 8, many: 100, all: 300 };
const asked = process.env['FAULTS'];
const count = asked === 'all' || asked === 'many' ? cases[asked] : cases.few;
const slow = { timeout: 1_800_000 };

/** Damages, recovers and completes the run. Returns what is wrong; null: no finished turn was paid again unnamed. */
async function problem(project: RecoveryProject, strange: Uint8Array, seed: number): Promise<string | null> {
  const random = new Random(seed);
  const how = random.pick(damages) ?? 'deleted';
  const kept = random.pick(keeps) ?? 'nothing';
  project.reset();
  const before = project.paid();
  keep(project, kept, random);
  damage(project, how, strange, random);
  const said = (what: string): string => `seed ${seed} (${how}, kept: ${kept}): ${what}`;
  const recovered = await project.recover();
  if (kept === 'everything' && recovered.lost.length > 0) return said('something is lost');
  using tutti = project.open();
  const outcome = await project.complete(tutti);
  if (outcome !== 'SUCCESS') return said(`the run ended with ${outcome}`);
  const after = project.paid();
  const again = paidTurns.filter((turn) => before[turn] === 1 && after[turn] !== 1);
  const named = recovered.lost.some(({ what }) => what === 'session');
  return again.length > 0 && !named ? said(`paid again: ${again.join(', ')}`) : null;
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
