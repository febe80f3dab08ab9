import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SqliteStore } from '../../src/store/sqlite-store.ts';
import { newRun } from '../rig/engine.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { VirtualClock } from '../rig/virtual-clock.ts';
import type { Random } from '../simulation/random.ts';
import type { RecoveryProject } from './project.ts';

export const damages = ['truncated', 'zeroed', 'swapped', 'old', 'deleted', 'emptied'] as const;
type Damage = (typeof damages)[number];

/** What is kept outside the project: copies and changes, one copy without the changes after it, or nothing. */
export const keeps = ['everything', 'a copy', 'nothing'] as const;
type Keep = (typeof keeps)[number];

/** The bytes of a sound database of another project. */
export async function strangeDatabase(): Promise<Uint8Array> {
  using folder = tempFolder();
  const path = join(folder.path, 'tutti.db');
  {
    using store = new SqliteStore({ path, clock: new VirtualClock(), maxSessions: 1, isAlive: () => true });
    await store.start(newRun('elsewhere', 'w'));
  }
  return readFileSync(path);
}

/** Damages the database of a project. `strange` is a sound one of another project. */
export function damage(project: RecoveryProject, how: Damage, strange: Uint8Array, random: Random): void {
  const last = project.moments.length - 1;
  const bytes = readFileSync(project.moments[last] ?? '');
  switch (how) {
    case 'truncated':
      project.putDatabase(bytes.subarray(0, 1 + random.below(bytes.length - 1)));
      return;
    case 'zeroed': {
      const from = random.below(bytes.length - 1);
      project.putDatabase(bytes.fill(0, from, from + 1 + random.below(bytes.length - from)));
      return;
    }
    case 'swapped':
      project.putDatabase(strange);
      return;
    case 'old':
      project.replaceBy(random.below(last - 1));
      return;
    case 'deleted':
      project.deleteDatabase();
      return;
    case 'emptied':
      project.putDatabase(Buffer.alloc(0));
      return;
  }
}

export function keep(project: RecoveryProject, what: Keep, random: Random): void {
  if (what === 'a copy') project.keepOnly(random.below(project.moments.length));
  if (what === 'nothing') project.forgetEverythingKept();
}
