import { expect, test } from 'vitest';
import type { Holder } from '../model/holder.ts';
import { askPastGone } from './past-gone.ts';

function holder(id: string): Holder {
  return { id, host: 'here', pid: 1, startTime: '1', bootId: 'boot' };
}

/** A store that is held by these, one after the other, until each of them was named among the gone. */
function heldBy(...holders: readonly Holder[]) {
  const asked: (readonly string[])[] = [];
  const ask = async (gone: readonly Holder[]) => {
    asked.push(gone.map(({ id }) => id));
    const by = holders.find(({ id }) => !gone.some((one) => one.id === id));
    return by === undefined ? ({ at: 'taken' } as const) : ({ at: 'held', by } as const);
  };
  return { asked, ask };
}

test('a holder that lives stays the answer, and is asked for once', async () => {
  const { asked, ask } = heldBy(holder('a'));
  expect(await askPastGone(() => true, ask)).toEqual({ at: 'held', by: holder('a') });
  expect(asked).toEqual([[]]);
});

test('holders that are dead are named, until a living one or none is left', async () => {
  const free = heldBy(holder('a'), holder('b'));
  expect(await askPastGone(() => false, free.ask)).toEqual({ at: 'taken' });
  expect(free.asked).toEqual([[], ['a'], ['a', 'b']]);
  const { ask } = heldBy(holder('a'), holder('b'));
  expect(await askPastGone(({ id }) => id === 'b', ask)).toEqual({ at: 'held', by: holder('b') });
});

test('a holder that the store keeps although it was named is asked for twice, not for ever', async () => {
  let times = 0;
  const ask = async () => {
    times += 1;
    return { at: 'held', by: holder('elsewhere') } as const;
  };
  expect(await askPastGone(() => false, ask)).toEqual({ at: 'held', by: holder('elsewhere') });
  expect(times).toBe(2);
});
