import { join } from 'node:path';
import { digestText } from '../../lib/digest.ts';
import { slug } from '../../lib/ids.ts';
import { attemptId, type AttemptRef, stepIdOf } from '../../model/key.ts';
import { type LaunchedAttempt, stoppedWithRun } from '../../model/ports/host.ts';
import { endRecordedAt } from '../../runtime/attempt-files.ts';
import type { ProcessPlace } from '../../runtime/environment.ts';
import type { RecordedEnd } from '../../runtime/recorded-end.ts';
import { findDepthLimit } from './depth-limit.ts';
import type { HostParts } from './host-parts.ts';

/** An attempt's own place (see `fileOf`): a function of its id, so that the next process finds it. */
export function folderOf({ paths }: Pick<HostParts, 'paths'>, attempt: LaunchedAttempt): string {
  if (attempt.sessionId !== null) return paths.session(attempt.sessionId);
  const name = `${slug(stepIdOf(attempt.key))}-${digestText(attempt.key).slice(0, 8)}-${attempt.attempt}`;
  return join(paths.run(attempt.runId), 'tasks', `${name}.`);
}

/** Goes into the environment of every process of the attempt, and nobody else's. */
export function markOf({ paths }: Pick<HostParts, 'paths'>, attempt: AttemptRef): string {
  return `${paths.mark}:${attemptId(attempt)}`;
}

/**
 * The end of an attempt, also where no file beside it could say that it was cut off with its run, as on a read-only disk:
 * what failed after that was cut off.
 */
export async function withCutOff(
  parts: Pick<HostParts, 'cutOffAt'>,
  attempt: AttemptRef,
  place: string,
  end: RecordedEnd | 'lost',
): Promise<RecordedEnd | 'lost'> {
  if (end === 'lost' || end.ended !== null || end.problem !== null || end.exitCode === 0) return end;
  const since = await parts.cutOffAt(attempt);
  const wasBefore = since === null || (endRecordedAt(place) ?? Infinity) < Math.floor(since);
  return wasBefore ? end : { ...end, ended: 'killed', reason: stoppedWithRun };
}

export async function placeOf(
  parts: HostParts,
  attempt: LaunchedAttempt,
  workspace: string,
  session: ProcessPlace['session'],
): Promise<ProcessPlace> {
  const { paths, config } = parts;
  const run = await parts.runOf(attempt.runId);
  const depth = run?.depth ?? 0;
  return {
    attemptId: markOf(parts, attempt),
    runId: attempt.runId,
    step: stepIdOf(attempt.key),
    attempt: attempt.attempt,
    project: paths.root,
    workspace,
    // Only a session launch consumes depth; an operation runs where its run is.
    depth: session === null ? depth : depth + 1,
    maxDepth:
      (await findDepthLimit(parts.queries, [attempt.runId, run?.rootId ?? attempt.runId])) ?? config.maxDepth,
    traceId: run?.traceId ?? '',
    session,
  };
}

export function timeLeftMs({ deadlineAt }: LaunchedAttempt, now: number): number | null {
  return deadlineAt === null ? null : Math.max(1, deadlineAt - now);
}
