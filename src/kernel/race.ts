import { type Json, plain, recorded } from '../lib/json.ts';
import { RuleBroken, Cancelled, type Ctx } from './ctx.ts';
import type { Replaying, Scope } from './replaying.ts';

type Parts<T> = Readonly<Record<string, (ctx: Ctx) => Promise<T>>>;

/** What a race records. Earlier releases recorded the name alone. */
interface Won {
  readonly winner: string;
  /** Keys that the losers had begun: a crash may leave them under way. */
  readonly losers: readonly string[];
}

/** The winner is recorded by name; on replay the losers are not even started. */
export async function raceIn<T>(
  replaying: Replaying,
  scope: Scope,
  key: string,
  parts: Parts<T>,
): Promise<T> {
  const found = replaying.take(scope, key, 'race');
  if (found?.state.at === 'done') {
    const { winner: name, losers } = wonOf(found.state.value);
    const winner = Object.hasOwn(parts, name) ? parts[name] : undefined;
    if (winner === undefined) {
      throw new RuleBroken(`race '${key}' was won by '${name}', which is no longer a part`);
    }
    await replaying.busy(() => replaying.drop(losers));
    return winner(replaying.contextOf(scope));
  }
  const attempt = (found?.attempt ?? 0) + 1;
  const branches = Object.entries(parts).map(([name, part]) => ({ name, part, scope: branchOf(scope) }));
  const first = await Promise.race(
    branches.map(async (branch) => {
      const ended = await branch.part(replaying.contextOf(branch.scope)).then(
        (value) => ({ ok: true as const, value }),
        (error: unknown) => ({ ok: false as const, error }),
      );
      return { branch, ended };
    }),
  );
  if (!first.ended.ok && first.ended.error instanceof Cancelled) throw first.ended.error;
  await replaying.busy(async () => {
    const lost = branches.filter((branch) => branch !== first.branch);
    const losers = lost.flatMap((loser) => [...loser.scope.keys]);
    const won: Won = { winner: first.branch.name, losers };
    const state = { at: 'done', outcome: 'SUCCESS', value: plain(won) } as const;
    await replaying.store.put(
      replaying.fence,
      { key, kind: 'race', attempt, state },
      replaying.takeEmitted(),
    );
    for (const loser of lost) loser.scope.abort.abort();
    await replaying.drop(losers);
  });
  if (!first.ended.ok) throw first.ended.error;
  return first.ended.value;
}

function wonOf(value: Json): Won {
  return typeof value === 'string' ? { winner: value, losers: [] } : recorded<Won>(value);
}

function branchOf(parent: Scope): Scope {
  const abort = new AbortController();
  const cancel = () => {
    abort.abort();
  };
  if (parent.abort.signal.aborted) cancel();
  else parent.abort.signal.addEventListener('abort', cancel, { once: true });
  return { parent, keys: new Set(), abort };
}
