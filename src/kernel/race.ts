import { RuleBroken, Cancelled, type Ctx } from './ctx.ts';
import type { Driving, Scope } from './driving.ts';

type Parts<T> = Readonly<Record<string, (ctx: Ctx) => Promise<T>>>;

/** The winner is recorded by name; on replay the losers are not even started. */
export async function raceIn<T>(driver: Driving, scope: Scope, key: string, parts: Parts<T>): Promise<T> {
  const recorded = driver.take(scope, key, 'race');
  if (recorded?.state.at === 'done') {
    const name = typeof recorded.state.value === 'string' ? recorded.state.value : '';
    const winner = Object.hasOwn(parts, name) ? parts[name] : undefined;
    if (winner === undefined) {
      throw new RuleBroken(`race '${key}' was won by '${name}', which is no longer a part`);
    }
    return winner(driver.contextOf(scope));
  }
  const attempt = (recorded?.attempt ?? 0) + 1;
  const branches = Object.entries(parts).map(([name, part]) => ({ name, part, scope: branchOf(scope) }));
  const first = await Promise.race(
    branches.map(async (branch) => {
      const ended = await branch.part(driver.contextOf(branch.scope)).then(
        (value) => ({ ok: true as const, value }),
        (error: unknown) => ({ ok: false as const, error }),
      );
      return { branch, ended };
    }),
  );
  if (!first.ended.ok && first.ended.error instanceof Cancelled) throw first.ended.error;
  await driver.busy(async () => {
    const value = first.branch.name;
    const state = { at: 'done', outcome: 'SUCCESS', value } as const;
    await driver.store.put(driver.fence, { key, kind: 'race', attempt, state }, driver.takeEmitted());
    const losers = branches.filter((branch) => branch !== first.branch);
    for (const loser of losers) loser.scope.abort.abort();
    await driver.drop(losers.flatMap((loser) => [...loser.scope.keys]));
  });
  if (!first.ended.ok) throw first.ended.error;
  return first.ended.value;
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
