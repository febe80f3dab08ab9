import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { makePrivateFolder } from '../../lib/atomic-file.ts';
import { probe } from '../../lib/probe.ts';
import type { Redactor } from '../../lib/redact.ts';
import type { CommandEnd } from '../../model/command.ts';
import type { LaunchedAttempt } from '../../model/ports/host.ts';
import { fileOf, files } from '../../runtime/attempt-files.ts';
import { childEnvironment } from '../../runtime/environment.ts';
import { adopt, launch } from '../../runtime/launcher.ts';
import type { RecordedEnd } from '../../runtime/recorded-end.ts';
import type { HostParts } from './host-parts.ts';
import { summarizeLog } from './log-file.ts';
import { folderOf, markOf, placeOf, timeLeftMs } from './place.ts';

/** Its process vanished, or somebody ended it: neither is a result of the command. */
export type NoEnd = 'lost' | 'killed';

export interface Command {
  readonly argv: readonly [string, ...string[]];
  readonly workspace: string;
  /** Added to its environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** One of several that an attempt runs, by a name of its own; absent: the only one. */
  readonly part?: string;
  /** Less than what is left for the attempt, for one of several. */
  readonly timeoutMs?: number;
}

/** A program that an operation runs: it outlives us, and is taken up again by the next process. */
export async function runCommand(
  parts: HostParts,
  attempt: LaunchedAttempt,
  { argv, workspace, env = {}, part, timeoutMs }: Command,
  how: 'launch' | 'adopt',
): Promise<CommandEnd | NoEnd> {
  const place = folderOf(parts, attempt);
  const dir = part === undefined ? place : `${place}${part}.`;
  const logFile = fileOf(dir, 'output.log');
  if (!existsSync(dirname(dir))) makePrivateFolder(dirname(dir));
  probe('task:folder');
  const startedAt = Date.now();
  const marker = markOf(parts, attempt);
  const end =
    how === 'adopt'
      ? await adopt(dir, marker)
      : await launch({
          dir,
          marker,
          argv,
          cwd: workspace,
          env: childEnvironment({
            parent: parts.env,
            names: parts.config.env,
            extra: env,
            place: placeOf(parts, attempt, workspace, null),
          }),
          stdinFile: null,
          logFile,
          timeoutMs: shorter(timeLeftMs(attempt, startedAt), timeoutMs),
          launcher: 'shell',
          limits: null,
          session: null,
        });
  probe('task:ended');
  if (end === 'lost') return 'lost';
  return end.ended === 'killed' ? 'killed' : commandEndOf(parts.redactor, end, logFile, dir, startedAt);
}

function shorter(left: number | null, own: number | undefined): number | null {
  if (own === undefined) return left;
  return left === null ? own : Math.min(left, own);
}

function commandEndOf(
  redactor: Redactor,
  end: RecordedEnd,
  log: string,
  dir: string,
  startedAt: number,
): CommandEnd {
  const { tail, lastLine, digest } = summarizeLog(log, redactor);
  const began = statSync(fileOf(dir, files.started), { throwIfNoEntry: false })?.mtimeMs ?? startedAt;
  return {
    exitCode: end.problem === null ? end.exitCode : 127,
    signal: end.ended === null ? end.signal : null,
    timedOut: end.ended === 'timeout',
    outputTail: end.problem === null ? tail : inWords(end.problem, end.reason),
    lastLine: end.problem === null ? lastLine : inWords(end.problem, end.reason),
    outputDigest: digest,
    durationMs: Math.max(0, Math.round(Date.now() - began)),
    log,
  };
}

function inWords(problem: NonNullable<RecordedEnd['problem']>, reason: string | null): string {
  switch (problem) {
    case 'no-program':
      return 'there is no such program';
    case 'no-directory':
      return 'its working directory does not exist';
    case 'not-started':
      return reason ?? 'the system did not start it';
  }
}
