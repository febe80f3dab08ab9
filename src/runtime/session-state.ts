import { existsSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { replaceFile } from '../lib/atomic-file.ts';
import { isObject, type JsonObject } from '../lib/json.ts';
import { readText } from '../lib/read-text.ts';
import { isTerminal, type SessionStatus } from '../model/session.ts';
import { fileOf } from './attempt-files.ts';
import type { RecordedEnd } from './recorded-end.ts';

/** What `state.json` says about a session apart from how far it is; the launcher adds that by itself. */
export type SessionStateFile = JsonObject & { readonly session_id: string };

const maxBytes = 1024 * 1024;
const headFile = 'state.head';
const stateFile = 'state.json';

/** The beginning of the JSON text, up to the comma, so that a shell can complete it without understanding JSON. */
export function prepareState(dir: string, state: SessionStateFile): void {
  const text = `${JSON.stringify(state).slice(0, -1)},`;
  writeFileSync(fileOf(dir, headFile), text, { mode: 0o600 });
}

export function writeRunning(dir: string, startedAt: string): void {
  write(dir, { status: 'RUNNING', started_at: startedAt, completed_at: null, exit_code: null, ended: null });
}

/** Does nothing for what is no session, or when the launcher has already written it: terminal states are final. */
export function writeTerminal(dir: string, end: RecordedEnd | 'lost'): void {
  if (!existsSync(fileOf(dir, headFile))) return;
  const before = readState(dir);
  if (before !== null && isTerminal(before.status)) return;
  write(dir, {
    status: terminalStatus(end),
    started_at: before?.startedAt ?? null,
    completed_at: new Date().toISOString(),
    exit_code: end === 'lost' ? null : shellCode(end),
    ended: end === 'lost' ? 'lost' : end.ended,
  });
}

export function terminalStatus(end: RecordedEnd | 'lost'): SessionStatus {
  if (end === 'lost') return 'FAILED';
  // Filling the disk is a failure of the agent's own; the other two were decided about it.
  if (end.ended === 'quota') return 'FAILED';
  if (end.ended !== null) return 'KILLED';
  return end.exitCode === 0 ? 'COMPLETED' : 'FAILED';
}

/** One number for people and scripts, as a shell would give it. */
function shellCode(end: RecordedEnd): number | null {
  if (end.signal === null) return end.exitCode;
  const signals: Readonly<Record<string, number>> = constants.signals;
  return 128 + (signals[end.signal] ?? 0);
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
