import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { until } from '../e2e/project.ts';
import { mountingMissing } from '../faults/small-disk.ts';
import { needProgram } from '../rig/need-program.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { BrokenProject, type Fault, faults, type Subject, subjects } from './broken-project.ts';

type Way = 'signals' | 'command';
type Case = readonly [fault: Fault, subject: Subject, way: Way];

/** Two SIGTERMs reach only what stands in the foreground, and neither a process that is stopped nor one that is gone. */
function waysOf(fault: Fault, subject: Subject): readonly Way[] {
  const isDeaf = fault === 'SIGSTOPped holder' || fault === 'dead conductor' || subject === 'session';
  return isDeaf ? ['command'] : ['command', 'signals'];
}

const all: readonly Case[] = faults.flatMap((fault) =>
  subjects.flatMap((subject) => waysOf(fault, subject).map((way) => [fault, subject, way] as const)),
);

/** What `npm test` takes; `FAULTS=many` and `FAULTS=all` take everything. */
const sample: readonly Case[] = [
  ['disk full', 'run', 'signals'],
  ['disk full', 'session', 'command'],
  ['SIGSTOPped holder', 'run', 'command'],
];
/** How long the database stays locked: longer than every patience of the program. The sample takes what `stop` takes. */
const lockedMs = process.env['FAULTS'] === 'all' ? 60_000 : 0;
const wanted = process.env['FAULTS'] === undefined ? sample : all;
const missing = mountingMissing();

/** A person stops it while the fault lasts; then the fault is over and every agent could finish. */
async function stopUnderFault(project: BrokenProject, fault: Fault, way: Way): Promise<void> {
  const isConducted = fault === 'dead conductor' || project.subject === 'session';
  await project.begin(isConducted ? 'conductor' : 'foreground');
  await project.break(fault);
  if (way === 'command') {
    const words =
      project.subject === 'session' ? ['session', 'kill', project.id, '--force'] : ['stop', project.id];
    const stopped = await project.tutti(...words);
    expect(stopped.code, stopped.stderr).toBe(0);
  } else {
    project.command.child.kill('SIGTERM');
    await until('the first signal is heard', () => project.heard('halting'));
    project.command.child.kill('SIGTERM');
  }
}

for (const [fault, subject, way] of wanted) {
  const name = `${fault}: a ${subject} that a person stops by ${way} is gone, stays gone, and is recorded later`;
  test(name, { timeout: 300_000 }, async (context) => {
    context.skip(missing !== null, missing ?? '');
    if (fault === 'EIO') needProgram(context, 'strace');
    expect(await stopAndHeal(fault, subject, way)).toEqual({
      recorded: 'ended INTERRUPTED',
      laterLaunches: 0,
      alive: [],
    });
  });
}

/** Stops it under the fault, ends the fault, and looks at what is left. */
async function stopAndHeal(fault: Fault, subject: Subject, way: Way) {
  using folder = tempFolder();
  using project = new BrokenProject(realpathSync(folder.path), subject);
  await stopUnderFault(project, fault, way);
  if (fault === 'database locked') await pause(lockedMs);
  await until('every process is gone', () => project.alive().length === 0);
  const launches = project.launches();
  // Everything could go on now: there is space, and no agent waits for anything.
  writeFileSync(join(project.path, 'go'), '');
  project.heal();
  if (project.isForeground) expect([20, 69]).toContain((await project.command.ended).code);
  await pause(1500);
  const next = await project.tutti('stop', '--all');
  expect(next.code, next.stderr).toBe(0);
  const laterLaunches = project.launches() - launches;
  return { recorded: project.recorded(), laterLaunches, alive: project.alive() };
}
