import { limitKindOf } from '../../model/limit-pause.ts';
import { join } from 'node:path';
import { readLog } from '../../drivers/turn-log.ts';
import { ok, type Result } from '../../lib/result.ts';
import type { ActivityFacts } from '../../model/activity.ts';
import type { Problem } from '../../model/schemas/problem.ts';
import type { Session } from '../../model/session.ts';
import type { SessionLogs } from '../../model/session-logs.ts';
import { type ConfigPlaces, loadConfig } from '../config/load-config.ts';
import type { HostParts } from '../host/host-parts.ts';
import { logLines } from '../host/log-file.ts';
import { logReaderOf } from '../host/reader.ts';
import { pendingRequests } from '../host/request-watch.ts';
import { SessionDoings } from './session-doing.ts';

type Parts = Pick<HostParts, 'queries' | 'config' | 'paths' | 'env' | 'clock' | 'redactor'>;

/** Reads logs with the drivers of a project. */
export function sessionLogs(parts: Parts): SessionLogs {
  const doings = new SessionDoings(parts);
  return {
    pendingRequests: (sessionId, spec) => pendingRequests(parts, sessionId, spec),
    lastWait: (session) => lastWait(parts, session),
    doings: (steps) => doings.ofSteps(steps),
  };
}

/** The same for a project that was opened without its drivers. */
export function logsByDrivers(
  project: Omit<Parts, 'config'>,
  places: ConfigPlaces,
): Result<SessionLogs, readonly Problem[]> {
  const config = loadConfig(places);
  if (!config.ok) return config;
  const { queries, paths, env, clock, redactor } = project;
  return ok(sessionLogs({ queries, paths, env, clock, redactor, config: config.value }));
}

function lastWait(parts: Parts, session: Session): ActivityFacts['told'] {
  const log = join(parts.paths.session(session.id), 'output.log');
  const { waiting, limit } = readLog(logLines(log), logReaderOf(parts, session));
  if (waiting !== null) return { at: 'waiting', for: waiting.why };
  return limit === null ? null : { at: 'limit-paused', until: limit.resetAt, ...limitKindOf(limit.kind) };
}
