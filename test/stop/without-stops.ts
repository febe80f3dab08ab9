import { vi } from 'vitest';
import { openTutti, type Tutti } from '../../src/app/tutti.ts';
import { storeUnavailable } from '../../src/store/errors.ts';
import { playedPerson } from '../rig/person.ts';

/** The project in this process, where the database takes everything but a stop, as if it were locked at that moment. */
export function openWithoutStops(folder: string): Tutti {
  const env = { PATH: process.env['PATH'], HOME: folder };
  const opened = openTutti({ folder, env, caller: playedPerson(env), create: false });
  if (!opened.ok) throw new Error(opened.error.message);
  vi.spyOn(opened.value.store, 'cancel').mockImplementation(() =>
    Promise.reject(storeUnavailable('tutti.db', new Error('database is locked'))),
  );
  return opened.value;
}
