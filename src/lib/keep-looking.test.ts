import { expect, test } from 'vitest';
import { VirtualClock } from '../../test/rig/virtual-clock.ts';
import { keepLooking, nextLook } from './keep-looking.ts';

test('looks follow one another, a failed one is repeated, and disposing waits for the last', async () => {
  const clock = new VirtualClock();
  const ends: (() => void)[] = [];
  let begun = 0;
  const looking = keepLooking(clock, 10, async () => {
    begun += 1;
    await new Promise<void>((resolve) => {
      ends.push(resolve);
    });
    throw new Error('a look that fails');
  });
  clock.advance(10);
  clock.advance(10);
  expect(begun).toBe(1);
  ends[0]?.();
  await clock.settle();
  clock.advance(10);
  expect(begun).toBe(2);
  let isDisposed = false;
  const disposed = looking[Symbol.asyncDispose]().then(() => {
    isDisposed = true;
  });
  await clock.settle();
  expect(isDisposed).toBe(false);
  ends[1]?.();
  await disposed;
  clock.advance(10);
  expect(begun).toBe(2);
});

test('the next look comes after its time, once', async () => {
  const clock = new VirtualClock();
  let isNext = false;
  const next = nextLook(clock, 10).then(() => {
    isNext = true;
  });
  clock.advance(9);
  await clock.settle();
  expect(isNext).toBe(false);
  clock.advance(1);
  await next;
});
