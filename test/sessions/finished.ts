import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changeRows } from '../rig/change-rows.ts';
import type { Tutti } from '../../src/app/tutti.ts';
import type { Session, SessionStatus } from '../../src/model/session.ts';
import type { CreateRequest } from '../../src/app/session-control/request.ts';
import type { SessionProject } from './project.ts';
import { startOnly } from './undriven.ts';

export interface Finished {
  readonly status?: SessionStatus;
  /** How long ago. */
  readonly endedMs?: number;
  readonly request?: Partial<CreateRequest>;
}

/** A session that is over, with its folder, without any process: its run was advanced to its end, and the rest is written. */
export async function finished(
  project: SessionProject,
  tutti: Tutti,
  { status = 'COMPLETED', endedMs = 60_000, request = {} }: Finished = {},
): Promise<Session> {
  const id = await startOnly(project, tutti, request);
  const claim = await tutti.store.claim(id, facts(tutti), 60_000);
  if (claim.at !== 'claimed') throw new Error(claim.at);
  const fence = { runId: id, epoch: claim.image.run.epoch };
  await tutti.store.finish(fence, { outcome: 'SUCCESS', value: null, failure: null });
  const outcome = status === 'COMPLETED' ? 'SUCCESS' : 'FAILURE';
  const endedAt = tutti.clock.wall() - endedMs;
  changeRows(
    tutti,
    'update sessions set status = ?, outcome = ?, begun_at = ?, ended_at = ? where id = ?',
    status,
    outcome,
    endedAt - 1000,
    endedAt,
    id,
  );
  const dir = tutti.paths.session(id);
  mkdirSync(join(dir, 'spool'), { recursive: true });
  writeFileSync(join(dir, 'prompt.md'), `do ${id}`);
  writeFileSync(join(dir, 'spool', 'note'), 'x'.repeat(300_000));
  return sessionOf(tutti, id);
}

export function facts({ me, clock }: Tutti) {
  return { me, monotonic: clock.monotonic(), gone: [] };
}

export async function sessionOf({ queries }: Tutti, id: string): Promise<Session> {
  const session = await queries.sessions.one(id);
  if (session === null) throw new Error(`${id} is not there`);
  return session;
}
