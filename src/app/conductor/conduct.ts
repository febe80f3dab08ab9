import { isAlive } from '../../lib/process/identity.ts';
import { askPastGone } from '../../kernel/past-gone.ts';
import { leaseMs } from '../../model/lease.ts';
import { advanceAll } from '../runs/advance-run.ts';
import { advanceable } from '../runs/overdue.ts';
import { recordWishes } from '../runs/stop-run.ts';
import { watching } from '../session-control/watchdog-loop.ts';
import type { Tutti } from '../tutti.ts';

const watchEveryMs = 15_000;

/**
 * The process that advances a project's runs when no terminal does. One per project; it ends by itself when nothing but
 * questions remains, and the command that answers one starts it again.
 */
export async function conduct(
  tutti: Tutti,
  say: (line: string) => void,
  everyMs = watchEveryMs,
): Promise<'done' | 'taken'> {
  const { store, clock, me } = tutti;
  const take = async (): Promise<boolean> => {
    const taken = await askPastGone(isAlive, (gone) =>
      store.takeConductor({ me, monotonic: clock.monotonic(), gone }, leaseMs),
    );
    return taken.at === 'taken';
  };
  if (!(await take())) return 'taken';
  using _lease = clock.every(leaseMs / 3, () => {
    void take().catch(() => undefined);
  });
  say(`conductor ${process.pid} started`);
  using engine = await tutti.engine();
  await using _watchdog = watching(tutti, { everyMs, say });
  const broken = new Set<string>();
  do {
    await recordWishes(tutti);
    await advanceAll(tutti, engine, broken, (runId, how) => {
      say(`run ${runId}: ${how}`);
    });
    await tutti.audit.write();
    await store.leaveConductor(process.pid);
    // An answer that came between the last look and the leave was told that a conductor is there.
  } while ((await advanceable(tutti, broken)).length > 0 && (await take()));
  say(`conductor ${process.pid} has nothing left to do`);
  return 'done';
}
