import { statSync } from 'node:fs';
import { join } from 'node:path';
import { formatInstant } from '../../lib/instant.ts';
import { isAlive } from '../../lib/process/identity.ts';
import { type Activity, activityOf } from '../../model/activity.ts';
import type { ProjectSettings } from '../../model/config.ts';
import { limitText } from '../../model/limit-pause.ts';
import { isTerminal, type Session } from '../../model/session.ts';
import { readStart } from '../../runtime/attempt-files.ts';
import type { OpenedProject } from '../opened-project.ts';
import type { Output } from '../../model/schemas/published.ts';

interface Parts extends Pick<OpenedProject, 'paths' | 'clock' | 'processes' | 'logs'> {
  readonly config: Pick<ProjectSettings, 'limits'>;
}

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
    told: isRead && !isTerminal(session.status) ? tutti.logs.lastWait(session) : null,
    heardAt: Math.max(log?.mtimeMs ?? 0, session.startedAt ?? session.createdAt),
    stallMs: config.limits.stallMs,
    now: clock.wall(),
  });
}

/** Whether a session that has not ended can no longer end by itself: its launcher vanished. */
export function isDead({ paths, processes }: Pick<Parts, 'paths' | 'processes'>, session: Session): boolean {
  const start = isTerminal(session.status) ? null : readStart(paths.session(session.id));
  return start?.kind === 'started' && !isAlive(start.launcher, processes);
}

/** A session whose question is open waits for a person, although its process may have ended. */
export function withQuestion(seen: Activity, question: { readonly text: string } | null): Activity {
  if (question === null || seen.at === 'waiting' || seen.at === 'dead') return seen;
  return { at: 'waiting', for: question.text };
}

/** As `state.json` and `--json` spell it. */
export function activityWords(activity: Activity): {
  readonly activity: Output<'session-status'>['activity'];
  readonly activity_detail: string | null;
} {
  return {
    activity: activity.at === 'limit-paused' ? 'limit_paused' : activity.at,
    activity_detail: detailOf(activity),
  };
}

function detailOf(activity: Activity): string | null {
  switch (activity.at) {
    case 'waiting':
      return activity.for;
    case 'limit-paused':
      return limitDetail(activity);
    case 'stalled':
      return `nothing heard since ${formatInstant(activity.since)}`;
    case 'dead':
      return 'its process vanished without a word';
    case 'starting':
    case 'working':
    case 'finished':
      return null;
  }
}

function limitDetail({ until, kind }: Extract<Activity, { at: 'limit-paused' }>): string | null {
  if (kind === 'overload') return limitText({ resetAt: until, kind }, null, null);
  return until === null ? null : `until ${formatInstant(until)}`;
}
