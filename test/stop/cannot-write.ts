import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../e2e/project.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { BrokenProject } from './broken-project.ts';

/** What was seen of a run whose holder could not write and was killed, once there was space again. */
export interface CouldNotWrite {
  /** Whether the live output said so. */
  readonly said: boolean;
  /** What `status` printed while the disk was full. */
  readonly status: string;
  /** Agents that a conductor launched before a person resumed the run. */
  readonly unasked: number;
  /** Exit code of `resume`, and agents in all. */
  readonly resumed: readonly [code: number | null, launches: number];
}

/** Longer than a holder takes to see that it cannot write, and a conductor to find a run. */
const lookMs = 15_000;

export async function couldNotWrite(program?: string): Promise<CouldNotWrite> {
  using folder = tempFolder();
  using project = new BrokenProject(realpathSync(folder.path), 'run', program);
  await project.begin('foreground');
  await project.break('disk full');
  const deadline = performance.now() + lookMs;
  while (!project.heard('cannot write') && performance.now() < deadline) await pause(100);
  const said = project.heard('cannot write');
  const status = (await project.tutti('status', 'r')).stdout;
  project.command.child.kill('SIGKILL');
  await project.command.ended;
  project.heal();
  writeFileSync(join(project.path, 'go'), '');
  // Something else wakes a conductor, which looks for every run that could continue.
  writeFileSync(join(project.path, 'prompt.md'), 'do it');
  const before = project.launches();
  await project.tutti('session', 'create', 'coder', 'prompt.md');
  await until('the session works', () => project.launches() > before);
  const isLaunched = performance.now() + lookMs;
  while (project.launches() === before + 1 && performance.now() < isLaunched) await pause(100);
  const unasked = project.launches() - before - 1;
  const { code } = await project.tutti('resume', 'r');
  return { said, status, unasked, resumed: [code, project.launches() - 1] };
}
