import type { Tutti } from '../tutti.ts';

const everyMs = 60 * 60_000;
const lookEveryMs = 5 * 60_000;

/**
 * Copies the project's database while this process advances runs: when it begins, and then every hour. A database that is
 * younger needs no copy, because its changes are all kept. That a copy could not be made stops no run.
 */
export function keepBackups({ store, clock }: Pick<Tutti, 'store' | 'clock'>): AsyncDisposable {
  let copying: Promise<unknown> = Promise.resolve();
  const copy = (): void => {
    copying = copying.then(() => store.backUp(everyMs)).catch(() => undefined);
  };
  copy();
  const looking = clock.every(lookEveryMs, copy);
  return {
    async [Symbol.asyncDispose]() {
      looking[Symbol.dispose]();
      await copying;
    },
  };
}
