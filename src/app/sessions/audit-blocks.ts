import { counted } from '../../lib/counted.ts';
import { join } from 'node:path';
import { isObject } from '../../lib/json.ts';
import type { Redactor } from '../../lib/redact.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import { isTerminal } from '../../model/session.ts';
import { readJson } from '../../runtime/read-json.ts';
import type { Tutti } from '../tutti.ts';
import { sessionFolder } from '../host/session-folder.ts';

const maxBytes = 1024 * 1024;
const longest = 500;

/** Tells, once for each session of a run that has ended, what hooks of the project kept its agent from. */
export async function noteHookBlocks(tutti: Tutti, runId: string): Promise<void> {
  for (const session of await tutti.queries.sessions.ofRun(runId)) {
    const folder = sessionFolder(tutti.paths, session);
    if (!isTerminal(session.status) || session.startedAt === null || folder === null) continue;
    const message = blocksIn(folder, tutti.redactor);
    if (message === null) continue;
    const event = { type: 'session.blocked', session: session.id, message } as const;
    await tutti.store.noteOnce(runId, event, session.createdAt);
  }
}

/** What the agent says in its result, else how often its interface said so; null where neither says anything. */
function blocksIn(folder: string, redactor: Redactor): string | null {
  const told = memberOf(join(folder, 'result.json'));
  if (Array.isArray(told) && told.length > 0) {
    return oneLine(redactor.text(told.map((block) => wordsOf(block)).join('; ')), longest);
  }
  const times = [told, memberOf(join(folder, 'state.json'))].find(isCount);
  return times === undefined ? null : counted(times, 'time');
}

/** Agents write it: nothing about it is taken for granted. */
function memberOf(path: string): unknown {
  try {
    const json = readJson(path, maxBytes);
    return isObject(json) ? json['hook_blocks'] : null;
  } catch {
    return null;
  }
}

function wordsOf(block: unknown): string {
  return typeof block === 'string' ? block : JSON.stringify(block);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}
