import type { Result } from '../../lib/result.ts';
import { wasUsed } from '../recovery/database-fault.ts';
import type { Refusal } from '../refusal.ts';
import type { OpenParams } from '../opened-project.ts';
import { locate, openTutti, type Tutti } from '../tutti.ts';
import { noSessions } from '../sessions/find.ts';
import { originOf } from '../sessions/origin.ts';
import { checkRequest, type CreateRequest } from './request.ts';

/** The project of a request, made if need be, but only for a request that is in order: a mistake leaves nothing behind. */
export async function openForRequest(
  place: Pick<OpenParams, 'folder' | 'env' | 'caller'>,
  request: CreateRequest,
): Promise<Result<Tutti, Refusal>> {
  const located = locate(place);
  if (!located.ok) return located;
  if (!wasUsed(located.value.paths)) {
    const known = { ...located.value, ...noSessions };
    const checked = await checkRequest(known, request, await originOf(known));
    if (!checked.ok) return checked;
  }
  return openTutti({ ...place, create: true });
}
