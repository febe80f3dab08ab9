import { failure, type Failure } from './failure.ts';
import { tokensOf, type Usage } from './usage.ts';
import { counted } from '../lib/counted.ts';
import { dollars } from '../lib/dollars.ts';
import { writeDuration } from '../lib/duration.ts';

/** Ceilings for a run and everything below it. A missing one is no ceiling. */
export interface BudgetLimits {
  /** How deep sessions may nest. */
  readonly depth: number;
  readonly launches?: number;
  readonly tokens?: number;
  readonly costUsd?: number;
  /** Time at work: while at least one turn or command is under way. */
  readonly wallMs?: number;
}

const ceilingNames = ['depth', 'launches', 'tokens', 'costUsd', 'wallMs'] as const;

/** Names of the ceilings that are higher afterwards, or gone. */
export function raisedCeilings(before: BudgetLimits, after: BudgetLimits): readonly string[] {
  return ceilingNames.filter((name) => {
    const [was, is] = [before[name], after[name]];
    return was !== undefined && (is === undefined || is > was);
  });
}

interface BudgetSpent {
  readonly launches: number;
  readonly tokens: number;
  readonly costUsd: number;
  /** Turns whose price nobody knows: the sums above are then lower bounds. */
  readonly unpriced: number;
}

/** Held for launches that are under way; given back when they settle. */
interface BudgetReserved {
  readonly tokens: number;
  readonly costUsd: number;
}

export interface Budget {
  readonly limits: BudgetLimits;
  readonly spent: BudgetSpent;
  readonly reserved: BudgetReserved;
  /** Time at work, up to the last time that nothing was under way. */
  readonly workMs: number;
  /** Since when something is under way; null: nothing is. */
  readonly workSince: number | null;
}

/** What a launch is expected to take. */
export interface Reservation {
  readonly tokens: number;
  readonly costUsd: number;
}

const noSpending: BudgetSpent = { launches: 0, tokens: 0, costUsd: 0, unpriced: 0 };
export const noReservation: Reservation = { tokens: 0, costUsd: 0 };

export function budgetOf(limits: BudgetLimits): Budget {
  return { limits, spent: noSpending, reserved: noReservation, workMs: 0, workSince: null };
}

/**
 * Why a launch may not be paid from this budget, or null. Spending is known only afterwards: a launch that is expected to
 * exceed a ceiling is refused, and one that takes more than expected overshoots, by itself and no more. The expectation is
 * never larger than the ceiling, so that the first turn of a run can find out what turns take.
 */
export function refusalOf(budget: Budget, ask: Reservation, depth: number, now: number): Failure | null {
  const { limits, spent } = budget;
  if (depth > limits.depth) {
    return failure('depth', `sessions may nest ${limits.depth} deep, and this one would be at ${depth}`);
  }
  if (limits.launches !== undefined && spent.launches >= limits.launches) {
    const ceiling = counted(limits.launches, 'launch', 'launches');
    const are = limits.launches === 1 ? 'is' : 'are';
    return failure('budget', `${spent.launches} of ${ceiling} of the run's budget ${are} used`);
  }
  if (limits.tokens !== undefined && reaches(spent.tokens, ask.tokens, limits.tokens)) {
    const used = `${spent.tokens} of ${limits.tokens} tokens of the run's budget are used`;
    const expected =
      spent.tokens < limits.tokens ? `, and a turn of this agent takes about ${ask.tokens}` : '';
    return failure('budget', `${used}${expected}`);
  }
  if (limits.costUsd !== undefined && reaches(spent.costUsd, ask.costUsd, limits.costUsd)) {
    const used = `${dollars(spent.costUsd)} of ${dollars(limits.costUsd)} of the run's budget are used`;
    const expected =
      spent.costUsd < limits.costUsd ? `, and a turn of this agent costs about ${dollars(ask.costUsd)}` : '';
    return failure('budget', `${used}${expected}`);
  }
  return wallRefusalOf(budget, now);
}

/** Why nothing of this budget may work any longer at this time, or null. */
export function wallRefusalOf(
  budget: Pick<Budget, 'limits' | 'workMs' | 'workSince'>,
  now: number,
): Failure | null {
  const { wallMs } = budget.limits;
  if (wallMs === undefined || atWorkMs(budget, now) < wallMs) return null;
  return failure('budget', `the run's time ceiling of ${writeDuration(wallMs)} is reached`);
}

/** How long something was under way, whether or not something is now. */
export function atWorkMs({ workMs, workSince }: Pick<Budget, 'workMs' | 'workSince'>, now: number): number {
  return workSince === null ? workMs : workMs + Math.max(0, now - workSince);
}

/** With a launch, the time at work begins or continues. */
export function beginWork(budget: Budget, now: number): Budget {
  return { ...budget, workSince: budget.workSince ?? now };
}

/** With the end of the last launch, the time at work stands still. */
export function pauseWork(budget: Budget, at: number): Budget {
  return { ...budget, workMs: atWorkMs(budget, at), workSince: null };
}

/** Whether a launch has to wait until turns in flight have settled: what they reserved may be more than they take. */
export function mustWait({ limits, spent, reserved }: Budget, ask: Reservation): boolean {
  const { tokens = Infinity, costUsd = Infinity } = limits;
  return (
    (reserved.tokens > 0 && spent.tokens + reserved.tokens + Math.min(ask.tokens, tokens) > tokens) ||
    (reserved.costUsd > 0 && spent.costUsd + reserved.costUsd + Math.min(ask.costUsd, costUsd) > costUsd)
  );
}

export function reserve(budget: Budget, ask: Reservation): Budget {
  return {
    ...budget,
    spent: { ...budget.spent, launches: budget.spent.launches + 1 },
    reserved: {
      tokens: budget.reserved.tokens + ask.tokens,
      costUsd: budget.reserved.costUsd + ask.costUsd,
    },
  };
}

/** A launch that never came to run costs nothing, and counts as none. */
export function takeBack(budget: Budget, held: Reservation): Budget {
  const { launches, ...spent } = budget.spent;
  return {
    ...budget,
    spent: { ...spent, launches: Math.max(0, launches - 1) },
    reserved: {
      tokens: Math.max(0, budget.reserved.tokens - held.tokens),
      costUsd: Math.max(0, budget.reserved.costUsd - held.costUsd),
    },
  };
}

export function settle(budget: Budget, held: Reservation, used: Usage): Budget {
  return {
    ...budget,
    spent: {
      launches: budget.spent.launches,
      tokens: budget.spent.tokens + tokensOf(used),
      costUsd: budget.spent.costUsd + (used.costUsd ?? 0),
      unpriced: budget.spent.unpriced + (used.costUsd === null ? 1 : 0),
    },
    reserved: {
      tokens: Math.max(0, budget.reserved.tokens - held.tokens),
      costUsd: Math.max(0, budget.reserved.costUsd - held.costUsd),
    },
  };
}

/** When the time at work reaches its ceiling, if something is under way until then; null: there is no such ceiling. */
export function wallEnd({ limits, workMs, workSince }: Budget, now: number): number | null {
  return limits.wallMs === undefined ? null : (workSince ?? now) + limits.wallMs - workMs;
}

function reaches(spent: number, ask: number, limit: number): boolean {
  return spent >= limit || spent + Math.min(ask, limit) > limit;
}
