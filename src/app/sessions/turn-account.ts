import { join } from 'node:path';
import { readLog } from '../../drivers/turn-log.ts';
import { recorded } from '../../lib/json.ts';
import type { Session } from '../../model/session.ts';
import type { TurnOutcome } from '../../model/turn.ts';
import { logLines } from '../host/log-file.ts';
import { logReaderOf, tellsTools } from '../host/reader.ts';
import type { Tutti } from '../tutti.ts';
import { sessionFolder } from '../host/session-folder.ts';

type Place = Pick<Tutti, 'queries' | 'paths' | 'config' | 'env'>;

/** What a session that has ended gave back. */
export interface TurnAccount {
  /** The agent's own summary, or its last words where it owed no result; null where it said nothing. */
  readonly summary: string | null;
  /** How many tools it used; null where its driver does not tell. */
  readonly toolCalls: number | null;
  /** How many of its calls were denied, besides. */
  readonly deniedCalls: number;
}

/** Null while it runs, and where no turn was recorded. */
export async function accountOf(place: Place, session: Session): Promise<TurnAccount | null> {
  const { runId, key, attempt } = session;
  const entry = (await place.queries.entries(runId)).find(
    (each) => each.key === key && each.attempt === attempt,
  );
  if (entry?.state.at !== 'done') return null;
  const { outcome, result, text, toolCalls, deniedCalls = 0 } = recorded<TurnOutcome>(entry.state.value);
  const words = result === null && outcome === 'SUCCESS' ? text : (result?.summary ?? '');
  const summary = words.trim() === '' ? null : words.trim();
  return { summary, toolCalls: toolCalls === 0 && !isTold(place, session) ? null : toolCalls, deniedCalls };
}

/** Whether none in the log means that none was used. */
function isTold(place: Place, session: Session): boolean {
  const folder = sessionFolder(place.paths, session);
  if (folder === null || !tellsTools(place, session)) return false;
  const reader = logReaderOf(place, session);
  readLog(logLines(join(folder, 'output.log')), reader);
  return reader.untold?.() !== true;
}
