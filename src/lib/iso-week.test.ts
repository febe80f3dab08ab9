import { expect, test } from 'vitest';
import { isoWeek } from './iso-week.ts';

test.each([
  ['1970-01-01T00:00:00Z', '1970-W01'],
  ['1969-12-28T23:59:59Z', '1969-W52'],
  ['1969-12-29T00:00:00Z', '1970-W01'],
  ['2025-11-16T23:59:59Z', '2025-W46'],
  ['2025-11-17T00:00:00Z', '2025-W47'],
  ['2020-12-31T12:00:00Z', '2020-W53'],
  ['2021-01-03T23:59:59Z', '2020-W53'],
  ['2021-01-04T00:00:00Z', '2021-W01'],
  ['2024-12-30T00:00:00Z', '2025-W01'],
  ['2027-01-03T00:00:00Z', '2026-W53'],
])('%s is in week %s', (instant, week) => {
  expect(isoWeek(Date.parse(instant))).toBe(week);
});

test('a week begins every seventh midnight, for sixty years', () => {
  const monday = Date.parse('1990-01-01T00:00:00Z');
  const weeks = Array.from({ length: 60 * 52 }, (_, n) => isoWeek(monday + n * 7 * 86_400_000));
  expect(new Set(weeks).size).toBe(weeks.length);
  expect(weeks).toEqual(weeks.toSorted());
  for (const [n, week] of weeks.entries()) {
    expect(isoWeek(monday + (n + 1) * 7 * 86_400_000 - 1)).toBe(week);
  }
});
