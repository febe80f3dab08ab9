import { existsSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { replaceFile } from '../lib/atomic-file.ts';
import { isObject, type JsonObject } from '../lib/json.ts';
import type { ProcessIdentity } from '../lib/process/identity.ts';
import { readText } from '../lib/read-text.ts';
import { isTerminal, type SessionStatus } from '../model/session.ts';
import { endRecordedAt, fileOf, lastHeardAt, readStart } from './attempt-files.ts';
import type { RecordedEnd } from './recorded-end.ts';
import { type LogLevel, type LogLine, noteSessionAt, toldTheEnd } from './session-log.ts';

/** What `state.json` says about a session apart from how far it is; the launcher adds that by itself. */
export type SessionStateFile = JsonObject & { readonly session_id: string };

/** How far a running session is. */
export interface SessionProgress {
  readonly startedAt: string;
  readonly launcher: ProcessIdentity;
  readonly activity: 'working' | 'stalled';
  /** A sentence, where there is something to say. */
  readonly detail: string | null;
}

const maxBytes = 1024 * 1024;
const headFile = 'state.head';
const stateFile = 'state.json';
const endWords = { timeout: 'Timeout', killed: 'Killed', quota: 'Quota' } as const;

/** The beginning of the JSON text, up to the comma, so that a shell can complete it without understanding JSON. */
export function prepareState(dir: string, state: SessionStateFile): void {
  const text = `${JSON.stringify(state).slice(0, -1)},`;
  writeFileSync(fileOf(dir, headFile), text, { mode: 0o600 });
}

/** Is the attempt a session, with a state to keep? */
export function hasState(dir: string): boolean {
  return existsSync(fileOf(dir, headFile));
}

export function writeRunning(dir: string, { startedAt, launcher, activity, detail }: SessionProgress): void {
  write(dir, {
    status: 'RUNNING',
    started_at: startedAt,
    completed_at: null,
    exit_code: null,
    ended: null,
    ...identityFields(launcher),
    activity,
    activity_detail: detail,
  });
}

/**
 * Tells the end of a session for a launcher that could not, or could only in part. Does nothing for what is no session, or
 * where all is told: terminal states are final.
 */
export function writeTerminal(dir: string, end: RecordedEnd | 'lost'): void {
  if (!hasState(dir)) return;
  const status = terminalStatus(end);
  const exitCode = end === 'lost' ? null : shellCode(end);
  const start = readStart(dir);
  const launcher = start.kind === 'started' ? start.launcher : null;
  const from = launcher === null ? 'CREATED' : 'RUNNING';
  const endedAt = endRecordedAt(dir) ?? lastHeardAt(dir) ?? Date.now();
  if (!toldTheEnd(dir)) noteSessionAt(dir, endedAt, ...endLines(end, { from, status, exitCode }));
  const before = readState(dir);
  if (before !== null && isTerminal(before.status)) return;
  write(dir, {
    status,
    started_at: before?.startedAt ?? null,
    completed_at: new Date(endedAt).toISOString(),
    exit_code: exitCode,
    ended: end === 'lost' ? 'lost' : end.ended,
    ...identityFields(launcher),
    activity: 'finished',
    activity_detail: null,
  });
}

export function terminalStatus(end: RecordedEnd | 'lost'): 'COMPLETED' | 'FAILED' | 'KILLED' {
  if (end === 'lost') return 'FAILED';
  // Filling the disk is a failure of the agent's own; the other two were decided about it.
  if (end.ended === 'quota') return 'FAILED';
  if (end.ended !== null) return 'KILLED';
  return end.exitCode === 0 ? 'COMPLETED' : 'FAILED';
}

/** One number for people and scripts, as a shell would give it. */
export function shellCode(end: RecordedEnd): number | null {
  if (end.signal === null) return end.exitCode;
  const signals: Readonly<Record<string, number>> = constants.signals;
  return 128 + (signals[end.signal] ?? 0);
}

interface EndFacts {
  readonly from: Extract<SessionStatus, 'CREATED' | 'RUNNING'>;
  readonly status: SessionStatus;
  readonly exitCode: number | null;
}

/** Lines of `session.log` about an end; the shell launcher writes the same lines. */
function endLines(end: RecordedEnd | 'lost', { from, status, exitCode }: EndFacts): readonly LogLine[] {
  const level = status === 'COMPLETED' ? 'INFO' : status === 'KILLED' ? 'WARN' : 'ERROR';
  return [
    ...endReason(end, level),
    ['INFO', `Exit code: ${exitCode ?? 'none'}`],
    [level, `Status: ${from} → ${status}`],
  ];
}

function endReason(end: RecordedEnd | 'lost', level: LogLevel): readonly LogLine[] {
  if (end === 'lost') return [[level, 'Lost: its launcher ended without a word']];
  if (end.ended !== null) return [[level, `${endWords[end.ended]}: ${end.reason ?? 'no reason was given'}`]];
  if (end.problem !== null) return [[level, `Not started: ${end.reason ?? end.problem}`]];
  return [];
}

function identityFields(launcher: ProcessIdentity | null): JsonObject {
  return {
    pid: launcher?.pid ?? null,
    start_time: launcher?.startTime ?? null,
    boot_id: launcher?.bootId ?? null,
  };
}

function write(dir: string, progress: JsonObject): void {
  try {
    const head = read(dir, headFile);
    if (head === null) return;
    replaceFile(fileOf(dir, stateFile), `${head}${JSON.stringify(progress).slice(1)}\n`);
  } catch {
    // A view: what it shows is recorded elsewhere, and nobody's work ends for it.
  }
}

function readState(dir: string): { status: SessionStatus; startedAt: string | null } | null {
  try {
    const state: unknown = JSON.parse(read(dir, stateFile) ?? '');
    if (!isObject(state) || !isStatus(state['status'])) return null;
    const startedAt = state['started_at'];
    return { status: state['status'], startedAt: typeof startedAt === 'string' ? startedAt : null };
  } catch {
    return null;
  }
}

function isStatus(value: unknown): value is SessionStatus {
  return typeof value === 'string' && ['CREATED', 'RUNNING', 'COMPLETED', 'FAILED', 'KILLED'].includes(value);
}

function read(dir: string, name: string): string | null {
  const text = readText(fileOf(dir, name), { maxBytes, links: 'refuse' });
  return text.ok ? text.value : null;
}
