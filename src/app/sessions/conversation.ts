import { join } from 'node:path';
import { conversationId } from '../../drivers/claude/launch.ts';
import { resumeCommand } from '../../drivers/resume-command.ts';
import { readLog } from '../../drivers/turn-log.ts';
import type { DriverForm } from '../../model/config.ts';
import type { Session } from '../../model/session.ts';
import { logLines } from '../host/log-file.ts';
import { driverOfSession, logReaderOf } from '../host/reader.ts';
import type { Tutti } from '../tutti.ts';
import { sessionFolder } from './folder.ts';

type Place = Pick<Tutti, 'paths' | 'config' | 'env'>;

/** What an agent CLI calls the conversation of a session, and how a person continues it there. */
export interface Conversation {
  readonly id: string;
  /** Program and arguments; null where the CLI has no command for it. */
  readonly resume: readonly string[] | null;
}

/** Null where the CLI cannot continue a conversation, or has not named this one. */
export function conversationOf(place: Place, session: Session): Conversation | null {
  const form = formOf(place, session.driver);
  if (form === null || driverOfSession(place, session)?.resumes !== true) return null;
  const id = toldId(place, session, form);
  return id === null ? null : { id, resume: resumeCommand(form, id) };
}

/** Of the CLI itself, where its turns are recorded on the way. */
function formOf({ config: { drivers } }: Place, name: string): DriverForm | null {
  const found = Object.hasOwn(drivers, name) ? drivers[name] : undefined;
  if (found?.type !== 'record') return found ?? null;
  return (Object.hasOwn(drivers, found.driver) ? drivers[found.driver] : undefined) ?? null;
}

function toldId(place: Place, session: Session, form: DriverForm): string | null {
  // An interface reports no id; claude was given this one.
  if (session.host === 'interactive') {
    return form.type === 'claude' ? conversationId(place.paths.root, session.id) : null;
  }
  const folder = sessionFolder(place.paths, session);
  if (folder === null) return null;
  return readLog(logLines(join(folder, 'output.log')), logReaderOf(place, session)).conversation;
}
