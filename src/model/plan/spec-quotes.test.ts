import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { quoteFinder } from './spec-quotes.ts';

const spec = '# Title\n\nThe program shall\n  keep every record,  and show\tit again.\n';

function occurs(quote: string): boolean {
  return quoteFinder(spec)({ quote, location: 'here' });
}

test('a quote is found however its lines are broken, also from within one word to within another', () => {
  expect(occurs('The program shall keep every record, and show it again.')).toBe(true);
  expect(occurs('  keep\nevery   record, ')).toBe(true);
  expect(occurs('gram shall keep ev')).toBe(true);
  expect(occurs('every rec')).toBe(true);
  expect(occurs('ogra')).toBe(true);
});

test('what is not there word for word is not found', () => {
  expect(occurs('The program shall keep all records, and show it again.')).toBe(false);
  expect(occurs('the program shall keep')).toBe(false);
  expect(occurs('The shall program keep')).toBe(false);
  expect(occurs('program keep')).toBe(false);
  expect(occurs('')).toBe(false);
  expect(occurs(' \n ')).toBe(false);
});

test('a place in words is no quote, and asking again gives the same answer', () => {
  const finder = quoteFinder(spec);
  expect(finder('section 9, which does not exist')).toBe(true);
  for (let times = 0; times < 2; times += 1)
    expect(finder({ quote: 'every moon', location: '' })).toBe(false);
});

test('the quick way finds exactly what looking through everything finds', () => {
  const words = fc.array(fc.constantFrom('a', 'b', 'ab', 'ba', 'aab'), { maxLength: 12 });
  fc.assert(
    fc.property(
      words,
      fc.array(fc.constantFrom('a', 'b', 'ab', 'ba'), { minLength: 1, maxLength: 5 }),
      (all, some) => {
        const found = quoteFinder(all.join('\n'))({ quote: some.join(' '), location: '' });
        expect(found).toBe(all.join(' ').includes(some.join(' ')));
      },
    ),
    { numRuns: 500 },
  );
});
