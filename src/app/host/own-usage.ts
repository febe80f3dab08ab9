import { driverOf } from '../../drivers/registry.ts';
import { usageSince } from '../../drivers/usage-since.ts';
import type { DriverReader } from '../../model/driver.ts';
import type { Session } from '../../model/session.ts';
import type { SessionSpec } from '../../model/turn.ts';
import type { Usage } from '../../model/usage.ts';
import type { HostParts } from './host-parts.ts';

interface Parts extends Pick<HostParts, 'env'> {
  readonly config: Pick<HostParts['config'], 'drivers'>;
  readonly paths: Pick<HostParts['paths'], 'root'>;
  readonly queries: { readonly sessions: { one(id: string): Promise<Earlier | null> } };
}
type Earlier = Pick<Session, 'driver' | 'continues' | 'usage'>;

/** The reader of a session's log, told what the conversation had used before: nothing is to be paid twice. */
export async function ownUsage(
  { config, paths, env, queries }: Parts,
  spec: Pick<SessionSpec, 'driver' | 'continues' | 'conversation'>,
  reader: DriverReader,
): Promise<DriverReader> {
  if (spec.conversation === null) return reader;
  const found = driverOf(spec.driver, config, { projectDir: paths.root, searchPath: env['PATH'] ?? '' });
  if (!found.ok || found.value.usageSpan !== 'conversation') return reader;
  return usageSince(reader, await usedBefore(spec, queries.sessions));
}

/** Over all sessions that it went on from. One that was ended told nothing: what it used is the next one's. */
async function usedBefore(
  { driver, continues }: Pick<SessionSpec, 'driver' | 'continues'>,
  sessions: Parts['queries']['sessions'],
): Promise<Usage | null> {
  const sum = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, costUsd: null };
  for (let id = continues; id !== null; ) {
    const session = await sessions.one(id);
    if (session === null) return null;
    if (session.driver !== driver) break;
    sum.inputTokens += session.usage?.inputTokens ?? 0;
    sum.outputTokens += session.usage?.outputTokens ?? 0;
    sum.cachedInputTokens += session.usage?.cachedInputTokens ?? 0;
    id = session.continues;
  }
  return sum;
}
