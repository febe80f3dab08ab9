import { statSync } from 'node:fs';
import { join } from 'node:path';
import { readLog } from '../../drivers/turn-log.ts';
import { isAlive } from '../../lib/process/identity.ts';
import { type Activity, activityOf, type ActivityFacts } from '../../model/activity.ts';
import { isTerminal, type Session } from '../../model/session.ts';
import { readStart } from '../../runtime/attempt-files.ts';
import { logLines } from '../host/log-file.ts';
import { logReaderOf } from '../host/reader.ts';
import type { Tutti } from '../tutti.ts';

type Parts = Pick<Tutti, 'paths' | 'config' | 'env' | 'clock' | 'processes'>;

/** What a session does now. `glance`: without reading what it said, for lists; the log of an interface is short. */
export function activityNow(tutti: Parts, session: Session, how: 'look' | 'glance'): Activity {
  const { paths, config, clock } = tutti;
  const dir = paths.session(session.id);
  const isRead = how === 'look' || session.host === 'interactive';
  const start = isTerminal(session.status) ? null : readStart(dir);
  const log = statSync(join(dir, 'output.log'), { throwIfNoEntry: false });
  return activityOf({
    status: session.status,
    alive: start?.kind === 'started' ? isAlive(start.launcher, tutti.processes) : null,
    told: isRead && !isTerminal(session.status) ? toldBy(tutti, session, dir) : null,
    heardAt: Math.max(log?.mtimeMs ?? 0, session.startedAt ?? session.createdAt),
    stallMs: config.limits.stallMs,
    now: clock.wall(),
  });
}

/** What the driver's protocol told last, if that was a wait. */
function toldBy(tutti: Parts, session: Session, dir: string): ActivityFacts['told'] {
  const { waiting, limit } = readLog(logLines(join(dir, 'output.log')), logReaderOf(tutti, session));
  if (waiting !== null) return { at: 'waiting', for: waiting.why };
  return limit === null ? null : { at: 'limit-paused', until: limit.resetAt };
}

/** A session whose question is open waits for a person, although its process may have ended. */
export function withQuestion(seen: Activity, question: { readonly text: string } | null): Activity {
  if (question === null || seen.at === 'waiting' || seen.at === 'dead') return seen;
  return { at: 'waiting', for: question.text };
}

/** As `state.json` and `--json` spell it. */
export function activityWords(activity: Activity): {
  readonly activity: string;
  readonly activity_detail: string | null;
} {
  return { activity: activity.at.replace('-', '_'), activity_detail: detailOf(activity) };
}

function detailOf(activity: Activity): string | null {
  switch (activity.at) {
    case 'waiting':
      return activity.for;
    case 'limit-paused':
      return activity.until === null ? null : `until ${new Date(activity.until).toISOString()}`;
    case 'stalled':
      return `nothing heard since ${new Date(activity.since).toISOString()}`;
    case 'dead':
      return 'its process vanished without a word';
    case 'starting':
    case 'working':
    case 'finished':
      return null;
  }
}
