import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { advanceRun } from '../../src/app/runs/advance-run.ts';

import { undisturbed } from '../crash/sweep.ts';
import { writeFlowProject } from '../crash/flows.ts';
import { repository } from '../rig/repository.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { Random } from '../simulation/random.ts';
import { canaryIsWell, corrupt, plantCanary } from './corrupt.ts';
import { openTutti } from '../rig/trust.ts';

const seeds = 120;
const runId = 'swept';

/** A project whose driver was killed after its agent had ended, and before it could read what the agent left. */
async function crashed(folder: string): Promise<void> {
  const { boundaries } = await undisturbed('linear');
  const point = boundaries.indexOf('session:ended') + 1;
  if (point === 0) throw new Error('the flow has no session that ends');
  const file = writeFlowProject(folder, 'linear');
  plantCanary(folder);
  const env = { PATH: process.env['PATH'], HOME: folder };
  const program = repository('test/crash/victim.ts');
  const { signal } = spawnSync(process.execPath, [program, folder, file, String(point)], { env });
  if (signal !== 'SIGKILL') throw new Error('the driver was not killed');
}

/** Everything but the database, which is the truth and not a view of it. */
function filesIn(folder: string): readonly string[] {
  return readdirSync(join(folder, '.tutti'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('tutti.db'))
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .toSorted();
}

/** Null when the run went on as it should, whatever was damaged. */
async function goOn(folder: string, damaged: readonly string[]): Promise<string | null> {
  const opened = openTutti({ folder, env: { PATH: process.env['PATH'], HOME: folder }, create: false });
  if (!opened.ok) return opened.error.message;
  using tutti = opened.value;
  const end = await advanceRun(tutti, { runId, stay: false });
  if (!end.ok) return end.error.message;
  if (end.value !== 'SUCCESS') return `it ended as ${end.value}`;
  const begun = readFileSync(join(folder, 'ledger'), 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('begin'));
  const times = (step: string) => begun.filter((line) => line === `${step} begin`).length;
  if (times('first') !== 1 || times('second') !== 1) return 'a finished step ran again';
  const recordDamaged = damaged.some((path) => /sessions\/.*\/(started|exit)$/.test(path));
  if (times('third') === 1) return null;
  // Its record was destroyed before anybody read it: then it is said to be lost, and tried once more.
  const [first] = await tutti.queries.sessions.ofRun(runId);
  return recordDamaged && times('third') === 2 && first?.status === 'FAILED' ? null : 'the agent ran again';
}

test('120 corruptions between a crash and the resume: no finished step runs again', {
  timeout: 300_000,
}, async () => {
  using folder = tempFolder();
  using snapshot = tempFolder();
  await crashed(folder.path);
  cpSync(folder.path, snapshot.path, { recursive: true, verbatimSymlinks: true });
  const files = filesIn(folder.path);
  const bad: string[] = [];
  for (let seed = 1; seed <= seeds; seed += 1) {
    const random = new Random(seed);
    const damaged = Array.from({ length: 1 + random.below(4) }, () => random.pick(files) ?? '');
    const kinds = damaged.map((path) => corrupt(join(folder.path, path), folder.path, random));
    const problem = await goOn(folder.path, damaged).catch((error: unknown) => `it threw ${String(error)}`);
    const what = damaged.map((path, n) => `${path} ${kinds[n] ?? ''}`).join(', ');
    if (problem !== null) bad.push(`seed ${seed} (${what}): ${problem}`);
    if (!canaryIsWell(folder.path)) bad.push(`seed ${seed} (${what}): somebody else's file was written`);
    // Paths are absolute in the run, so every seed has the same folder.
    for (const name of readdirSync(folder.path)) rmSync(join(folder.path, name), { recursive: true });
    cpSync(snapshot.path, folder.path, { recursive: true });
  }
  process.stdout.write(`corrupt resume: ${seeds} seeds over ${files.length} files, ${bad.length} problems\n`);
  expect(bad).toEqual([]);
});

test('the check can fail: a finished step that began a second time is seen', {
  timeout: 300_000,
}, async () => {
  using folder = tempFolder();
  await crashed(folder.path);
  const ledger = join(folder.path, 'ledger');
  writeFileSync(ledger, `${readFileSync(ledger, 'utf8')}first begin\n`);
  expect(await goOn(folder.path, [])).toBe('a finished step ran again');
});
