import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  budgetOf,
  noReservation,
  mustWait,
  refusalOf,
  reserve,
  settle,
  wallEnd,
  atWorkMs,
  beginWork,
  pauseWork,
  type Budget,
  raisedCeilings,
} from './budget.ts';
import { unknownUsage } from './usage.ts';

const spent = (budget: Budget, tokens: number, costUsd: number): Budget =>
  settle(reserve(budget, noReservation), noReservation, { inputTokens: tokens, outputTokens: 0, costUsd });

test('a missing ceiling is no ceiling, except depth', () => {
  const budget = spent(budgetOf({ depth: 2 }), 1e9, 1e9);
  expect(refusalOf(budget, noReservation, 2, 1e12)).toBeNull();
  expect(refusalOf(budget, noReservation, 3, 0)).toMatchObject({
    outcome: 'DEPTH_EXCEEDED',
    message: 'sessions may nest 2 deep, and this one would be at 3',
  });
});

test.each([
  ['launches', { launches: 1 }, "1 of 1 launch of the run's budget is used"],
  ['tokens', { tokens: 10 }, "10 of 10 tokens of the run's budget are used"],
  ['money', { costUsd: 0.5 }, "$0.50 of $0.50 of the run's budget are used"],
  ['time at work', { wallMs: 60_000 }, "the run's time ceiling of 1m is reached"],
])('a ceiling of %s refuses when it is reached', (_what, limits, message) => {
  const fresh = beginWork(budgetOf({ depth: 1, ...limits }), 0);
  expect(refusalOf(fresh, noReservation, 1, 0)).toBeNull();
  expect(refusalOf(spent(fresh, 10, 0.5), noReservation, 1, 60_000)).toMatchObject({
    outcome: 'BUDGET_EXCEEDED',
    reason: 'budget',
    message,
  });
});

test('a ceiling that was lowered below what is used names both numbers', () => {
  const used = [1, 2, 3].reduce((budget) => spent(budget, 0, 0), budgetOf({ depth: 1, launches: 2 }));
  expect(refusalOf(used, noReservation, 1, 0)?.message).toBe("3 of 2 launches of the run's budget are used");
});

test('what is reserved counts against those who reserve', () => {
  const ask = { tokens: 60, costUsd: 0.6 };
  const budget = reserve(budgetOf({ depth: 1, tokens: 100, costUsd: 1 }), ask);
  expect(mustWait(budget, ask)).toBe(true);
  expect(mustWait(budget, { tokens: 40, costUsd: 0.5 })).toBe(true);
  expect(mustWait(budget, { tokens: 40, costUsd: 0.4 })).toBe(false);
  expect(mustWait(budget, noReservation)).toBe(false);
  expect(mustWait(reserve(budgetOf({ depth: 1 }), ask), ask)).toBe(false);
  // With nothing in flight there is nothing to wait for.
  expect(mustWait(spent(budgetOf({ depth: 1, tokens: 100, costUsd: 1 }), 90, 0.9), ask)).toBe(false);
});

test('a launch that is expected to exceed a ceiling is refused, unless it would be the first', () => {
  const limits = { depth: 1, tokens: 100, costUsd: 1 };
  const large = { tokens: 1000, costUsd: 10 };
  expect(refusalOf(budgetOf(limits), large, 1, 0)).toBeNull();
  expect(refusalOf(spent(budgetOf(limits), 50, 0), { tokens: 60, costUsd: 0 }, 1, 0)?.message).toBe(
    "50 of 100 tokens of the run's budget are used, and a turn of this agent takes about 60",
  );
  expect(refusalOf(spent(budgetOf(limits), 0, 0.5), { tokens: 0, costUsd: 0.6 }, 1, 0)?.message).toBe(
    "$0.50 of $1.00 of the run's budget are used, and a turn of this agent costs about $0.60",
  );
  expect(refusalOf(spent(budgetOf(limits), 40, 0.4), { tokens: 60, costUsd: 0.6 }, 1, 0)).toBeNull();
});

test('a turn whose price nobody knows is counted as such, whether or not it told its tokens', () => {
  const budget = budgetOf({ depth: 1 });
  expect(settle(budget, noReservation, unknownUsage).spent).toEqual({
    launches: 0,
    tokens: 0,
    costUsd: 0,
    unpriced: 1,
  });
  expect(settle(budget, noReservation, { ...unknownUsage, outputTokens: 3 }).spent).toMatchObject({
    tokens: 3,
    unpriced: 1,
  });
  expect(settle(budget, noReservation, { ...unknownUsage, inputTokens: 3 }).spent).toMatchObject({
    tokens: 3,
    unpriced: 1,
  });
  expect(settle(budget, noReservation, { ...unknownUsage, costUsd: 0 }).spent).toMatchObject({ unpriced: 0 });
});

test('time counts towards its ceiling only while something is under way', () => {
  const idle = budgetOf({ depth: 1, wallMs: 50 });
  expect([atWorkMs(idle, 1000), wallEnd(idle, 1000)]).toEqual([0, 1050]);
  const busy = beginWork(beginWork(idle, 1000), 1010);
  expect([atWorkMs(busy, 1030), wallEnd(busy, 1030)]).toEqual([30, 1050]);
  const parked = pauseWork(busy, 1030);
  expect([atWorkMs(parked, 9000), wallEnd(parked, 9000)]).toEqual([30, 9020]);
  expect(refusalOf(parked, noReservation, 1, 9000)).toBeNull();
  const again = beginWork(parked, 9000);
  expect([atWorkMs(again, 9020), wallEnd(again, 9005)]).toEqual([50, 9020]);
  expect(refusalOf(again, noReservation, 1, 9020)?.reason).toBe('budget');
  expect(refusalOf(pauseWork(again, 9020), noReservation, 1, 99_999)?.reason).toBe('budget');
});

test('a clock that was set back takes no time away, and no ceiling of time has no end', () => {
  expect(atWorkMs(pauseWork(beginWork(budgetOf({ depth: 1 }), 100), 50), 60)).toBe(0);
  expect(wallEnd(budgetOf({ depth: 1 }), 100)).toBeNull();
});

/** Sessions ask, start and end in any order; what they use is known only afterwards. */
const lives = fc.array(fc.record({ ask: fc.nat(30), used: fc.nat(30), endsFirst: fc.nat(3) }), {
  maxLength: 40,
});

test('no launch is admitted over a ceiling: overshoot is at most what was in flight, and reservations come back to nothing', () => {
  fc.assert(
    fc.property(lives, fc.nat(200), fc.nat(20), (list, tokens, launches) => {
      let budget = budgetOf({ depth: 1, tokens, launches });
      let flying: { held: number; used: number }[] = [];
      const land = (count: number) => {
        for (const { held, used } of flying.slice(0, count)) {
          budget = settle(budget, { tokens: held, costUsd: 0 }, { ...unknownUsage, inputTokens: used });
        }
        flying = flying.slice(count);
      };
      for (const { ask, used, endsFirst } of list) {
        land(endsFirst);
        const before = budget;
        const wanted = { tokens: ask, costUsd: 0 };
        if (refusalOf(budget, wanted, 1, 0) !== null || mustWait(budget, wanted)) continue;
        expect(before.spent.launches).toBeLessThan(launches);
        expect(before.spent.tokens).toBeLessThan(tokens);
        const expected = before.spent.tokens + before.reserved.tokens + Math.min(ask, tokens);
        expect(expected).toBeLessThanOrEqual(tokens);
        budget = reserve(budget, { tokens: ask, costUsd: 0 });
        flying.push({ held: ask, used });
      }
      land(flying.length);
      expect(budget.reserved.tokens).toBe(0);
      expect(budget.spent.launches).toBeLessThanOrEqual(launches);
    }),
  );
});

test('a ceiling is raised when it is higher afterwards or gone, and not when it is new, lower or the same', () => {
  const before = { depth: 5, launches: 3, costUsd: 2 };
  expect(raisedCeilings(before, before)).toEqual([]);
  expect(raisedCeilings(before, { ...before, launches: 2, tokens: 100 })).toEqual([]);
  expect(raisedCeilings(before, { depth: 6, launches: 4 })).toEqual(['depth', 'launches', 'costUsd']);
});
