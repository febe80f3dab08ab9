import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/rig/temp-folder.ts';
import { recordEnd } from '../../runtime/attempt-files.ts';
import type { RecordedEnd } from '../../runtime/recorded-end.ts';
import { withCutOff } from './attempt-folder.ts';

const attempt = { runId: 'r', key: 'a@1', attempt: 1 };
const died: RecordedEnd = { exitCode: null, signal: 'SIGTERM', ended: null, problem: null, reason: null };
const cutOff = { ...died, ended: 'killed', reason: 'the run was stopped' };

/** What counts as its end where the run was stopped at this time, or not at all. */
function endOf(place: string, end: RecordedEnd | 'lost', at: number | null) {
  return withCutOff({ cutOffAt: async () => at }, attempt, place, end);
}

test('an attempt that fails after its run was stopped was cut off, also where no file beside it says so', async () => {
  using folder = tempFolder();
  expect(await endOf(folder.path, died, 5000)).toEqual(cutOff);
  expect(await endOf(folder.path, { ...died, exitCode: 1, signal: null }, 5000)).toEqual({
    ...cutOff,
    exitCode: 1,
    signal: null,
  });
  recordEnd(folder.path, died);
  utimesSync(join(folder.path, 'exit'), 5, 5);
  expect(await endOf(folder.path, died, 5000.7)).toEqual(cutOff);
});

test('an attempt keeps the end that it had before its run was stopped, and any success', async () => {
  using folder = tempFolder();
  const success = { ...died, exitCode: 0, signal: null };
  const timeout = { ...died, ended: 'timeout' } as const;
  expect(await endOf(folder.path, died, null)).toEqual(died);
  for (const end of [success, timeout, 'lost'] as const)
    expect(await endOf(folder.path, end, 5000)).toEqual(end);
  recordEnd(folder.path, died);
  utimesSync(join(folder.path, 'exit'), 4, 4);
  expect(await endOf(folder.path, died, 5000)).toEqual(died);
});
