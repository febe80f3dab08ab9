import { askPastGone } from '../../src/kernel/past-gone.ts';
import type { Tutti } from '../../src/app/tutti.ts';
import { checkRequest } from '../../src/app/session-control/request.ts';
import { originOf } from '../../src/app/sessions/origin.ts';
import type { CreateRequest } from '../../src/app/session-control/request.ts';
import { newSession } from '../../src/kernel/candidate.ts';
import { plain } from '../../src/lib/json.ts';
import { isAlive } from '../../src/lib/process/identity.ts';
import { sessionKey } from '../../src/model/session-input.ts';
import { newRun } from '../rig/engine.ts';
import type { SessionProject } from './project.ts';

const leaseMs = 600_000;

export interface Undriven extends AsyncDisposable {
  readonly tutti: Tutti;
  leave(): Promise<void>;
}

/** A project that nobody advances: this process says that it conducts, so no command starts a conductor. */
export async function undriven(project: SessionProject): Promise<Undriven> {
  const tutti = project.open();
  const taken = await askPastGone(isAlive, (gone) =>
    tutti.store.takeConductor({ me: tutti.me, monotonic: tutti.clock.monotonic(), gone }, leaseMs),
  );
  if (taken.at !== 'taken') throw new Error('there is a conductor');
  const leave = (): Promise<void> => tutti.store.leaveConductor(process.pid);
  return { tutti, leave, [Symbol.asyncDispose]: leave };
}

/** A session as it is when its creator dies at once: in the tables, with its slot, and nowhere else. */
export async function startOnly(
  project: SessionProject,
  tutti: Tutti,
  change: Partial<CreateRequest> = {},
): Promise<string> {
  const request = project.request('ok', { maxDurationMs: 600_000, ...change });
  const input = await checkRequest(tutti, request, await originOf(tutti));
  if (!input.ok) throw new Error(input.error.message);
  const started = await tutti.store.startSession({
    run: newRun('unused', 'session', plain(input.value), { concurrency: 1 }),
    key: sessionKey(1),
    session: newSession(input.value.spec, tutti.clock.wall()),
    slot: input.value.after.length > 0 ? 'queue' : 'now',
  });
  return started.at === 'started' ? started.id : started.at;
}
