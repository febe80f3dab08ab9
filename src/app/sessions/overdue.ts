import { isTerminal, type Session } from '../../model/session.ts';
import type { Tutti } from '../tutti.ts';

/** Whoever was started to look after it needs a moment to be seen. */
export const graceMs = 5000;

/** Does the session need somebody before it can go on? One that runs does not: its launcher sees it to its end. */
export async function needsHolder(
  { queries, clock }: Pick<Tutti, 'queries' | 'clock'>,
  runId: string,
): Promise<boolean> {
  const latest = (await queries.sessions.ofRun(runId)).at(-1);
  return latest !== undefined && latest.status !== 'RUNNING' && clock.wall() - since(latest) > graceMs;
}

function since({ status, createdAt, endedAt }: Session): number {
  return isTerminal(status) ? (endedAt ?? createdAt) : createdAt;
}
