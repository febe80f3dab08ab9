import { join } from 'node:path';
import { oneLine } from '../../lib/terminal-text.ts';
import { readLog } from '../../drivers/turn-log.ts';
import { crashWords } from '../../model/heal-prompt.ts';
import { isCutOffWithRun, type LaunchedAttempt } from '../../model/ports/host.ts';
import type { Session } from '../../model/session.ts';
import type { RecoveredTurn, SessionSpec, TurnOutcome } from '../../model/turn.ts';
import { readEnd, readEnding } from '../../runtime/attempt-files.ts';
import type { HostParts } from './host-parts.ts';
import { logLines } from './log-file.ts';
import { driverOfSession, logReaderOf } from './reader.ts';

type Parts = Pick<HostParts, 'paths' | 'config' | 'env' | 'redactor' | 'queries'>;

/** What an attempt runs: its turn as it was asked for, or the rest of one that was cut off. */
export interface AttemptTurn {
  readonly spec: SessionSpec;
  readonly recovered: RecoveredTurn | null;
}

/**
 * An attempt after one that was lost, or that was ended with its run, continues the conversation that the other one left, so
 * that its answers are not paid again and its commands do not run again. The decision rests on files that no process changes any more, so whoever adopts the
 * attempt decides the same. Where no conversation began, or the CLI cannot continue one, the turn starts over.
 */
export async function continueLost(
  parts: Parts,
  attempt: LaunchedAttempt,
  spec: SessionSpec,
): Promise<AttemptTurn> {
  const recovered = canContinue(parts, spec) ? await findLost(parts, attempt) : null;
  if (recovered === null) return { spec, recovered: null };
  const { session, conversation, inFlight } = recovered;
  const words = crashWords(spec.prompt, inFlight);
  return { spec: { ...spec, ...words, continues: session, conversation }, recovered };
}

/** Whether the CLI did not find the conversation that it was to continue: nothing was asked, and nothing was paid. */
export function foundNothing({ stop, conversation, toolCalls, text }: TurnOutcome): boolean {
  return stop === 'failed' && conversation === null && toolCalls === 0 && text === '';
}

function canContinue(parts: Parts, { driver, handoff }: SessionSpec): boolean {
  return handoff.host !== 'interactive' && driverOfSession(parts, { driver })?.resumes === true;
}

/** The latest attempt before this one that left a conversation, as far back as attempts were cut off. */
async function findLost(
  parts: Parts,
  { runId, key, attempt }: LaunchedAttempt,
): Promise<RecoveredTurn | null> {
  if (attempt === 1) return null;
  const earlier = (await parts.queries.sessions.ofRun(runId))
    .filter((session) => session.key === key && session.attempt < attempt)
    .toSorted((a, b) => b.attempt - a.attempt);
  for (const session of earlier) {
    if (!isCutOff(parts.paths.session(session.id))) return null;
    const left = leftBehind(parts, session);
    if (left !== null) return left;
  }
  return null;
}

/** Neither its launcher nor a person recorded an end; or it was ended with its whole run, which was resumed later. */
function isCutOff(dir: string): boolean {
  const { ended, reason } = readEnding(dir);
  if (ended === 'killed' && isCutOffWithRun(reason)) return true;
  return readEnd(dir) === null && ended === null;
}

/** Null: the model answered nothing, so there is nothing to continue. */
function leftBehind({ paths, redactor, ...place }: Parts, session: Session): RecoveredTurn | null {
  const reader = logReaderOf({ paths, ...place }, session);
  const lines = logLines(join(paths.session(session.id), 'output.log'));
  const { conversation, text, toolCalls } = readLog(lines, reader);
  if (conversation === null || (text === '' && toolCalls === 0)) return null;
  const inFlight = (reader.inFlight?.() ?? []).map((tool) => oneLine(redactor.text(tool), 300));
  return { session: session.id, conversation, inFlight };
}
