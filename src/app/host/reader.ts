import { commandReader } from '../../drivers/command/parse.ts';
import { interactiveReader } from '../../drivers/interactive.ts';
import { driverOf } from '../../drivers/registry.ts';
import type { AgentDriver, DriverReader } from '../../model/driver.ts';
import type { Session } from '../../model/session.ts';
import type { HostParts } from './host-parts.ts';

type Place = Pick<HostParts, 'config' | 'paths' | 'env'>;

/** The driver of a session; null when it has left the configuration meanwhile. */
export function driverOfSession(
  { config, paths, env }: Place,
  session: Pick<Session, 'driver'>,
): AgentDriver | null {
  const driver = driverOf(session.driver, config, {
    projectDir: paths.root,
    searchPath: env['PATH'] ?? '',
  });
  return driver.ok ? driver.value : null;
}

/**
 * How a session's log is read. A driver that left the configuration cannot take a paid turn with it: its output is then
 * read as text. An interface tells what it does through hooks, whatever its driver.
 */
export function logReaderOf(place: Place, session: Pick<Session, 'driver' | 'host'>): DriverReader {
  if (session.host === 'interactive') return interactiveReader();
  return driverOfSession(place, session)?.reader() ?? commandReader();
}

/** Whether its log tells which tools were used; that of an interface tells what hooks happen to tell. */
export function tellsTools(place: Place, { driver, host }: Pick<Session, 'driver' | 'host'>): boolean {
  return host !== 'interactive' && driverOfSession(place, { driver })?.tellsTools === true;
}

/** Whether something can be said to it while it works. */
export function takesInput(place: Place, session: Pick<Session, 'driver' | 'host'>): boolean {
  return session.host === 'interactive' || driverOfSession(place, session)?.steering === 'input';
}
