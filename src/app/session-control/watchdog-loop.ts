import type { Tutti } from '../tutti.ts';
import { sentenceOf } from './watchdog-words.ts';
import { Watchdog } from './watchdog.ts';

export interface WatchingParams {
  readonly everyMs: number;
  /** Told what was done, in sentences. */
  readonly say: (line: string) => void;
}

/** Looks again and again, one look at a time, until it is disposed of; the last look is then over. */
export function watching(tutti: Tutti, { everyMs, say }: WatchingParams): AsyncDisposable {
  const watchdog = new Watchdog(tutti);
  let current: Promise<void> | null = null;
  const look = async (): Promise<void> => {
    try {
      const { deeds } = await watchdog.look();
      for (const deed of deeds) say(sentenceOf(deed));
    } catch (error) {
      // Whoever needs the database next says what is wrong with it: this goes on looking.
      say(`watchdog: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      current = null;
    }
  };
  const ticking = tutti.clock.every(everyMs, () => {
    current ??= look();
  });
  return {
    [Symbol.asyncDispose]: async () => {
      ticking[Symbol.dispose]();
      await current;
    },
  };
}
