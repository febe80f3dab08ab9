import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rebuildViews } from '../../src/app/rebuild.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { Random } from '../simulation/random.ts';
import { ledgerOf } from './flow.ts';
import { canaryIsWell, corrupt, type Corruption } from './corrupt.ts';
import { finishedRun, openProject, runFlow, viewsIn, writeFinishedProject } from './finished-project.ts';

const seeds = 700;
/** How often the run is also run again, which must find everything in the database. */
const every = 20;

test('700 corruptions of views: each is rebuilt equal, and no finished step runs again', {
  timeout: 300_000,
}, async () => {
  using folder = tempFolder();
  writeFinishedProject(folder.path);
  using tutti = openProject(folder.path);
  expect(await runFlow(tutti)).toBe('SUCCESS');
  const ran = ledgerOf(folder.path);
  const run = tutti.paths.run(finishedRun);
  const bad: string[] = [];
  const count = new Map<Corruption, number>();
  let views = viewsIn(tutti);
  for (let seed = 1; seed <= seeds; seed += 1) {
    const random = new Random(seed);
    const names = [...views.keys()];
    const chosen = Array.from({ length: 1 + random.below(3) }, () => random.pick(names) ?? '');
    for (const name of chosen) {
      const kind = corrupt(join(run, name), folder.path, random);
      count.set(kind, (count.get(kind) ?? 0) + 1);
    }
    if (seed % every === 0) {
      if ((await runFlow(tutti)) !== 'SUCCESS') bad.push(`seed ${seed}: the run did not succeed again`);
      // A checkpoint is of the run's last end; those of earlier ends are history that no table holds.
      rmSync(join(run, 'checkpoints'), { recursive: true });
      views = await rebuildAll();
      continue;
    }
    const rebuilt = await rebuildAll();
    const different = [...views].filter(([name, content]) => rebuilt.get(name) !== content);
    if (different.length > 0) bad.push(`seed ${seed}: ${different.map(([name]) => name).join(', ')} differ`);
  }
  process.stdout.write(`corrupt views: ${seeds} seeds, ${bad.length} problems, ${told(count)}\n`);
  expect(bad).toEqual([]);
  expect(ledgerOf(folder.path)).toEqual(ran);
  expect(canaryIsWell(folder.path)).toBe(true);

  /** What stands in the place of a view and is no file is named, and left to the person who put it there. */
  async function rebuildAll(): Promise<ReadonlyMap<string, string>> {
    for (const path of (await rebuildViews(tutti, [finishedRun])).failed) rmSync(path, { recursive: true });
    expect((await rebuildViews(tutti, [finishedRun])).failed).toEqual([]);
    return viewsIn(tutti);
  }
});

test('views that cannot be written never stop a run, and are named when somebody asks for them', async () => {
  using folder = tempFolder();
  writeFinishedProject(folder.path);
  using tutti = openProject(folder.path);
  const run = tutti.paths.run(finishedRun);
  mkdirSync(join(run, 'state.json', 'inside'), { recursive: true });
  writeFileSync(join(run, '.signals'), 'a file where a folder should be');
  symlinkSync(join(folder.path, 'canary'), join(run, '.live-report'));
  expect(await runFlow(tutti)).toBe('SUCCESS');
  expect((await rebuildViews(tutti, [finishedRun])).failed).toEqual([
    join(run, 'state.json'),
    join(run, '.signals/exec-told.done'),
    join(run, '.signals/exec-played.done'),
  ]);
  expect(canaryIsWell(folder.path)).toBe(true);
});

function told(count: ReadonlyMap<Corruption, number>): string {
  return [...count].map(([kind, times]) => `${kind} ${times}`).join(', ');
}
