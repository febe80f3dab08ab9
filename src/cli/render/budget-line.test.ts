import { expect, test } from 'vitest';
import type { Budget } from '../../model/budget.ts';
import { budgetLine } from './budget-line.ts';

function budget(spent: Partial<Budget['spent']>, costUsd?: number): Budget {
  return {
    limits: { depth: 3, ...(costUsd === undefined ? {} : { costUsd }) },
    spent: { launches: 2, tokens: 0, costUsd: 0, unpriced: 0, ...spent },
    reserved: { tokens: 0, costUsd: 0 },
    workMs: 0,
    workSince: null,
  };
}

test('money is shown as unknown where no turn had a price, and as nothing where no turn was paid', () => {
  expect(budgetLine(budget({ unpriced: 2 }, 5))).toBe(
    '2 launches · cost unknown of $5.00 · 2 turns without a price',
  );
  expect(budgetLine(budget({ unpriced: 2 }))).toBe('2 launches · 2 turns without a price');
  expect(budgetLine(budget({ unpriced: 1, costUsd: 1 }, 5))).toBe(
    '2 launches · $1.00/$5.00 · 1 turn without a price',
  );
  expect(budgetLine(budget({}, 5))).toBe('2 launches · $0.00/$5.00');
});

test('launches are counted as many as the ceiling allows', () => {
  const launched = (launches: number, limit: number | null): string => {
    const { limits, ...rest } = budget({ launches });
    return budgetLine({ ...rest, limits: limit === null ? limits : { ...limits, launches: limit } });
  };
  expect(launched(1, 5)).toBe('1/5 launches');
  expect(launched(1, 1)).toBe('1/1 launch');
  expect(launched(1, null)).toBe('1 launch');
});
