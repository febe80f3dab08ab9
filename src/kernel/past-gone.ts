import { type Holder, isAmong } from '../model/holder.ts';
import type { Held } from '../model/ports/store.ts';

/**
 * Asks the store for something that another process may hold. The store cannot see processes: where it names a holder that is
 * dead, it is asked again with that one among the gone. A holder that the store does not give up although it was named (it is on
 * another machine) stays the answer.
 */
export async function askPastGone<T extends { readonly at: string }>(
  isAlive: (holder: Holder) => boolean,
  ask: (gone: readonly Holder[]) => Promise<T | Held>,
): Promise<T | Held> {
  const gone: Holder[] = [];
  for (;;) {
    const answer = await ask(gone);
    if (!isHeld(answer) || isAmong(answer.by, gone) || isAlive(answer.by)) return answer;
    gone.push(answer.by);
  }
}

function isHeld(answer: { readonly at: string }): answer is Held {
  return answer.at === 'held';
}
