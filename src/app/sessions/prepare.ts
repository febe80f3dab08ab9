import { err, ok, type Result } from '../../lib/result.ts';
import { wasUsed } from '../recovery/database-fault.ts';
import type { Refusal } from '../refusal.ts';
import { locate, openTutti, type OpenParams, type Tutti } from '../tutti.ts';
import { noSessions } from './find.ts';
import { originOf } from './origin.ts';
import { checkRequest, type CreateRequest } from './request.ts';

/** The project of a request, made if need be, but only for a request that is in order: a mistake leaves nothing behind. */
export function openForRequest(
  place: Pick<OpenParams, 'folder' | 'env' | 'caller'>,
  request: CreateRequest,
): Result<Tutti, Refusal> {
  const located = locate(place);
  if (!located.ok) return located;
  if (!wasUsed(located.value.paths)) {
    const known = { ...located.value, ...noSessions };
    const checked = checkRequest(known, request, originOf(known));
    if (!checked.ok) return checked;
  }
  return openTutti({ ...place, create: true });
}

/** The project, or null where none has been made: then it has no sessions either. */
export function openIfMade(place: Omit<OpenParams, 'create'>): Result<Tutti | null, Refusal> {
  const located = locate(place);
  if (!located.ok) return err(located.error);
  return wasUsed(located.value.paths) ? openTutti({ ...place, create: false }) : ok(null);
}
