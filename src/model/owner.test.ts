import { expect, test } from 'vitest';
import { isSafeName } from '../lib/ids.ts';
import { ownerPart, planOwner } from './owner.ts';

test('a plan keeps the bare name that earlier releases wrote into refs and folders', () => {
  expect(ownerPart(planOwner('shop'))).toBe('shop');
});

test('owners of two kinds with one name never share a part, whatever a plan is called', () => {
  const parts = (['plan', 'crew', 'campaign'] as const).map((kind) => ownerPart({ kind, name: 'shop' }));
  expect(new Set(parts).size).toBe(3);
  // A plan could take the part of another owner only with a name that is refused.
  expect(parts.slice(1).filter(isSafeName)).toEqual([]);
});
