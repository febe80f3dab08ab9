import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineRing } from './line-ring.ts';

const line = fc.string({ unit: fc.constantFrom('a', 'ü', '世', '🚀'), maxLength: 12 });

test('the last lines come back as they were, and the others are counted', () => {
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 60 }),
      fc.integer({ min: 1, max: 8 }),
      fc.integer({ min: 1, max: 80 }),
      (lines, count, bytes) => {
        const ring = new LineRing(count, bytes);
        for (const one of lines) ring.add(one);
        const kept = [...ring.lines()];
        expect(kept).toEqual(kept.length === 0 ? [] : lines.slice(-kept.length));
        expect(kept.length + ring.skipped).toBe(lines.length);
        expect(kept.length).toBeLessThanOrEqual(count);
        // The last one is always there; where there is room for all, all are.
        expect(kept.length).toBeGreaterThanOrEqual(Math.min(1, lines.length));
        if (Buffer.byteLength(lines.join('\n')) < bytes) expect(kept).toEqual(lines.slice(-count));
      },
    ),
    { numRuns: 5000 },
  );
});

test('no more is kept than there is room for', () => {
  const ring = new LineRing(1000, 10_000);
  for (let n = 0; n < 1000; n += 1) ring.add(`${n}`.padEnd(1000, 'x'));
  const kept = [...ring.lines()];
  expect(kept.length).toBeGreaterThan(8);
  expect(kept.length).toBeLessThanOrEqual(10);
  expect(kept.at(-1)).toMatch(/^999x/);
});
