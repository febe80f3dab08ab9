import type { OpenedStore } from '../../src/app/store-composition.ts';
import { Random } from '../simulation/random.ts';
import { delayed, randomDelay } from './delayed-store.ts';

/** The store of the program as if it were in another process. */
export function delayedStore(seed: number): (opened: OpenedStore) => OpenedStore {
  const random = new Random(seed);
  const delay = randomDelay(() => random.next());
  return (opened) => ({
    store: delayed(opened.store, delay),
    queries: delayed(opened.queries, delay),
    [Symbol.dispose]: () => {
      opened[Symbol.dispose]();
    },
  });
}
