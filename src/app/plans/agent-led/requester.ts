import { isSafeId } from '../../../lib/ids.ts';
import { originOf } from '../../sessions/origin.ts';
import type { Tutti } from '../../tutti.ts';

export interface Requester {
  readonly by: string;
  /** One name for one agent: what it asks for twice is asked for once. Two who share a user's name may be two. */
  readonly isOne: boolean;
}

/** Who works on a task: the name that is given, the session it comes from, or the user, who may be several agents. */
export async function requesterOf(tutti: Tutti, name: string | undefined): Promise<Requester> {
  if (name !== undefined) return { by: name, isOne: true };
  const session = tutti.env['TUTTI_SESSION_ID'];
  if (session !== undefined && isSafeId(session)) return { by: `session:${session}`, isOne: true };
  return { by: (await originOf(tutti)).requester, isOne: false };
}
