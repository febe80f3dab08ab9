import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { askPastGone } from '../../src/kernel/past-gone.ts';
import { identify } from '../../src/lib/process/identity.ts';
import type { Tutti } from '../../src/app/tutti.ts';
import { until } from '../rig/attempt-rig.ts';
import { cli } from '../cli/rig.ts';
import type { SessionProject } from '../sessions/project.ts';
import { startOnly, undriven } from '../sessions/undriven.ts';

/** A project in which things ended while no process was there to record it. */
export interface SilentEnds extends AsyncDisposable {
  readonly project: SessionProject;
  readonly tutti: Tutti;
  /** Its launcher recorded the end. */
  readonly ended: string;
  /** Its launcher was killed with everything below it. */
  readonly vanished: string;
  /** It was promised a slot, and its creator died. */
  readonly promised: string;
  /** A run whose holder died between two steps. */
  readonly run: string;
}

const spec = '# Spec\n\nDo one thing.\n';

const flow = `
name: flow
steps:
  - { id: one, command: [echo, one] }
  - { id: ask, needs: [one], command: [echo, two], gates: [{ approval: May it go on? }] }
`;

export async function silentEnds(project: SessionProject): Promise<SilentEnds> {
  const folder = project.path;
  writeFileSync(join(folder, 'flow.yaml'), flow);
  writeFileSync(join(folder, 'SPEC.md'), spec);
  mkdirSync(join(folder, 'target'), { recursive: true });
  project.open();
  await cli({ folder }, 'run', 'flow.yaml', '--run-id', 'r');
  const planned = await cli(
    { folder },
    'plan',
    'init',
    'target',
    '--plan',
    'p',
    '--existing',
    '--spec',
    'SPEC.md',
  );
  if (planned.code !== 0) throw new Error(planned.err);
  writeFileSync(join(folder, '.tutti', 'plans', 'p', 'STOP'), 'lunch\n');
  const conductor = await undriven(project);
  const { tutti } = conductor;
  const ended = project.createApart('wait go');
  const vanished = project.createApart('wait never');
  const promised = await startOnly(project, tutti);
  project.go('go');
  await until('the first recorded its end', () => project.state(ended)['status'] === 'COMPLETED');
  await killLauncher(project, vanished);
  await holdByDead(tutti, 'r');
  return {
    project,
    tutti,
    ended,
    vanished,
    promised,
    run: 'r',
    [Symbol.asyncDispose]: () => conductor.leave(),
  };
}

/** kill -9 for the launcher and its group: no word about the end is left. */
async function killLauncher(project: SessionProject, id: string): Promise<void> {
  const pid = launcherPid(project, id);
  process.kill(-pid, 'SIGKILL');
  await until('its launcher is gone', () => identify(pid) === null);
}

function launcherPid(project: SessionProject, id: string): number {
  const text = readFileSync(join(project.path, '.tutti', 'sessions', id, 'started'), 'utf8');
  return Number(/^started (\d+) /.exec(text)?.[1]);
}

/** The run is claimed by a process that died. */
async function holdByDead(tutti: Tutti, runId: string): Promise<void> {
  const dead = { ...tutti.me, id: 'dead', pid: 4_000_000, startTime: '1' };
  const claim = await askPastGone(
    () => false,
    (gone) => tutti.store.claim(runId, { me: dead, monotonic: 0, gone }, 1000),
  );
  if (claim.at !== 'claimed') throw new Error(claim.at);
}
