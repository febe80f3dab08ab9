import type { Budget } from '../../model/budget.ts';
import { counted } from '../../lib/counted.ts';
import { dollars } from '../../lib/dollars.ts';

/** `2/10 launches · 1,240 tokens · $0.0123/$5.00`: what is used, and of how much where there is a limit. */
export function budgetLine({ limits, spent }: Budget): string {
  const last = limits.launches ?? spent.launches;
  const parts = [`${spent.launches}${of(limits.launches)} ${last === 1 ? 'launch' : 'launches'}`];
  if (spent.tokens > 0 || limits.tokens !== undefined) {
    parts.push(`${count(spent.tokens)}${of(limits.tokens)} tokens`);
  }
  if (spent.costUsd === 0 && spent.unpriced > 0 && limits.costUsd !== undefined) {
    parts.push(`cost unknown of ${dollars(limits.costUsd)}`);
  } else if (spent.costUsd > 0 || limits.costUsd !== undefined) {
    const limit = limits.costUsd === undefined ? '' : `/${dollars(limits.costUsd)}`;
    parts.push(`${dollars(spent.costUsd)}${limit}`);
  }
  if (spent.unpriced > 0) parts.push(`${counted(spent.unpriced, 'turn')} without a price`);
  return parts.join(' · ');
}

function of(limit: number | undefined): string {
  return limit === undefined ? '' : `/${count(limit)}`;
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
