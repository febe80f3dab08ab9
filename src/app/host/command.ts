import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { makePrivateFolder } from '../../lib/atomic-file.ts';
import { probe } from '../../lib/probe.ts';
import type { CommandEnd, NoEnd } from '../../model/command.ts';
import { endRecordedAt, fileOf, files, readEnding } from '../../runtime/attempt-files.ts';
import { runCheck } from '../../runtime/check-command.ts';
import { childEnvironment } from '../../runtime/environment.ts';
import { adopt, launch } from '../../runtime/launcher.ts';
import type { RecordedEnd } from '../../runtime/recorded-end.ts';
import type { HostParts } from './host-parts.ts';
import { summarizeLog, summarizeText } from './log-file.ts';
import type { OperationContext } from './operation-call.ts';
import { folderOf, markOf, placeOf, timeLeftMs, withCutOff } from './attempt-folder.ts';
import { reachedTimeCeiling, TimeCeilingReached } from './wall-ceiling.ts';

export interface Command {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** Added to its environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

/**
 * Runs one command to its end. Whatever is judged by a command takes such a function: it does not know whether the command
 * belongs to an attempt of a run or to the process that waits for it.
 */
export type RunCommand<Wanted extends Command = Command> = (command: Wanted) => Promise<CommandEnd | NoEnd>;

type InAttempt = Pick<OperationContext, 'parts' | 'attempt' | 'how'>;

/**
 * Commands of an operation: they outlive this process, and the next one adopts them. `part`: one of several. The reason to end
 * an attempt is announced in the attempt's own place, before the first signal and by whatever process ends it. So a part, whose
 * launcher looks into a place of its own, has no end of its own once that is announced.
 */
export function attemptRunner({ parts, attempt, how }: InAttempt, part?: string): RunCommand {
  return async ({ argv, cwd, env = {}, timeoutMs }) => {
    const place = folderOf(parts, attempt);
    const dir = part === undefined ? place : `${place}${part}.`;
    const logFile = fileOf(dir, 'output.log');
    const isEnded = (): boolean => part !== undefined && readEnding(place).ended !== null;
    if (isEnded()) return 'killed';
    if (!existsSync(dirname(dir))) makePrivateFolder(dirname(dir));
    probe('task:folder');
    const startedAt = Date.now();
    const marker = markOf(parts, attempt);
    const found =
      how === 'adopt'
        ? await adopt(dir, marker)
        : await launch({
            dir,
            marker,
            argv,
            cwd,
            env: childEnvironment({
              parent: parts.env,
              names: parts.config.env,
              extra: env,
              place: await placeOf(parts, attempt, cwd, null),
            }),
            stdinFile: null,
            logFile,
            timeoutMs: shorter(timeLeftMs(attempt, startedAt), timeoutMs),
            launcher: 'shell',
            limits: null,
            session: null,
          });
    const end = await withCutOff(parts, attempt, dir, found);
    probe('task:ended');
    if (isEnded()) return 'killed';
    if (end === 'lost') return 'lost';
    if (end.ended === 'killed') return 'killed';
    const ceiling =
      end.ended === 'timeout' ? await reachedTimeCeiling(parts, attempt, endRecordedAt(dir)) : null;
    if (ceiling !== null) throw new TimeCeilingReached(ceiling);
    const began = statSync(fileOf(dir, files.started), { throwIfNoEntry: false })?.mtimeMs ?? startedAt;
    const { tail, lastLine, digest } = summarizeLog(logFile, parts.redactor);
    const problem = end.problem === null ? null : inWords(end.problem, end.reason);
    return {
      exitCode: problem === null ? end.exitCode : 127,
      signal: end.ended === null ? end.signal : null,
      timedOut: end.ended === 'timeout',
      outputTail: problem ?? tail,
      lastLine: problem ?? lastLine,
      outputDigest: digest,
      durationMs: elapsed(began, endRecordedAt(dir) ?? Date.now()),
      log: logFile,
    };
  };
}

/** Commands of a process that waits for them: they belong to its session and its terminal, and end with it. */
export function callerRunner({
  env: parent,
  config,
  redactor,
}: Pick<HostParts, 'env' | 'config' | 'redactor'>): RunCommand<Command & { readonly timeoutMs: number }> {
  return async ({ argv, cwd, env = {}, timeoutMs }) => {
    const startedAt = Date.now();
    const end = await runCheck({ argv, cwd, parent, names: config.env, extra: env, timeoutMs });
    const { exitCode, signal, timedOut, output } = end;
    const { tail, lastLine } = summarizeText(output, redactor);
    const isStarted = exitCode !== null || signal !== null || timedOut;
    return {
      exitCode: isStarted ? exitCode : 127,
      signal: timedOut ? null : signal,
      timedOut,
      outputTail: tail,
      lastLine,
      outputDigest: createHash('sha256').update(output).digest('hex').slice(0, 16),
      durationMs: elapsed(startedAt),
      log: null,
    };
  };
}

function elapsed(since: number, until = Date.now()): number {
  return Math.max(0, Math.round(until - since));
}

function shorter(left: number | null, own: number | undefined): number | null {
  if (own === undefined) return left;
  return left === null ? own : Math.min(left, own);
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
