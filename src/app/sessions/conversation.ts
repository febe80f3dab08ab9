import { join } from 'node:path';
import type { DriverDefinition } from '../../drivers/driver-definition.ts';
import { findWorkingDriver } from '../../drivers/registry.ts';
import { readLog } from '../../drivers/turn-log.ts';
import type { Session } from '../../model/session.ts';
import { logLines } from '../host/log-file.ts';
import { driverOfSession, logReaderOf } from '../host/reader.ts';
import type { Tutti } from '../tutti.ts';
import { sessionFolder } from '../host/session-folder.ts';

type Place = Pick<Tutti, 'paths' | 'config' | 'env'>;

/** What an agent CLI calls the conversation of a session, and how a person continues it there. */
export interface Conversation {
  readonly id: string;
  /** Program and arguments; null where the CLI has no command for it. */
  readonly resume: readonly string[] | null;
}

/** Null where the CLI cannot continue a conversation, or has not named this one. */
export function conversationOf(place: Place, session: Session): Conversation | null {
  // Of the CLI itself, where its turns are recorded on the way.
  const driver = findWorkingDriver(place.config, session.driver);
  if (driver === null || driverOfSession(place, session)?.resumes !== true) return null;
  const id = toldId(place, session, driver);
  return id === null ? null : { id, resume: driver.resumeCommand?.(id) ?? null };
}

function toldId(place: Place, session: Session, driver: DriverDefinition): string | null {
  if (session.host === 'interactive') {
    return driver.interfaceConversation?.(place.paths.root, session.id) ?? null;
  }
  const folder = sessionFolder(place.paths, session);
  if (folder === null) return null;
  return readLog(logLines(join(folder, 'output.log')), logReaderOf(place, session)).conversation;
}
