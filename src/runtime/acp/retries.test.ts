import { expect, test } from 'vitest';
import { Retries } from './retries.ts';

const complaint = 'level=ERROR message="stream error" small=false error="Overloaded"\n';
const minuteMs = 60_000;
const quietMs = 10 * minuteMs;

function retries(): Retries {
  return new Retries('message="stream error".* small=false');
}

test('an agent that only complains is given up a minute after its first complaint', () => {
  const trying = retries();
  expect(trying.hear(complaint, 5000, 4000)).toEqual([complaint.trimEnd()]);
  trying.hear(complaint, 40_000, 4000);
  expect(trying.overdue(5000 + minuteMs, 4000, quietMs)).toBe(false);
  expect(trying.overdue(5001 + minuteMs, 4000, quietMs)).toBe(true);
  // Somebody may want it sooner.
  expect(trying.overdue(15_001, 4000, 10_000)).toBe(true);
});

test('one that was heard of since has found its way', () => {
  const trying = retries();
  trying.hear(complaint, 5000, 4000);
  expect(trying.overdue(5001 + minuteMs, 6000, quietMs)).toBe(false);
  trying.hear(complaint, 70_000, 6000);
  expect(trying.overdue(70_001, 6000, quietMs)).toBe(false);
  expect(trying.overdue(70_001 + minuteMs, 6000, quietMs)).toBe(true);
});

test('other lines are no complaint, nor are pieces of one; without a pattern nothing is', () => {
  const trying = retries();
  expect(trying.hear('message="stream error" small=true\nmessage="other" small=false\n', 1, 0)).toEqual([]);
  expect(trying.hear(complaint.slice(0, 30), 1, 0)).toEqual([]);
  expect(trying.overdue(quietMs, 0, quietMs)).toBe(false);
  expect(trying.hear(complaint.slice(30), 2, 0)).toEqual([complaint.trimEnd()]);
  const silent = new Retries(null);
  expect(silent.hear(complaint, 1, 0)).toEqual([]);
  expect(silent.overdue(quietMs, 0, quietMs)).toBe(false);
});
