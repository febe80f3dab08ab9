import { closeSync, lstatSync, openSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { replaceFile } from '../lib/atomic-file.ts';
import type { ProcessIdentity } from '../lib/process/identity.ts';
import { readText } from '../lib/read-text.ts';
import type { Ending } from '../model/driver.ts';
import { endings, formatEnd, parseEnd, type RecordedEnd } from './recorded-end.ts';

/**
 * The files by which a launcher and everybody else agree, in the attempt's own place. Each ends with ` .` and a
 * newline, so that a torn one is seen; whatever does not parse counts as not written.
 */
export const files = {
  /** Created exclusively, once: by the launcher that starts, or by whoever declares the attempt lost. */
  started: 'started',
  /** How it ended; the launcher's last word. */
  exit: 'exit',
  /** Why somebody is ending it, written before the first signal. */
  ending: 'ending',
  /** Empty; where the end could not be recorded at once, as on a full disk, the time of this file is the time of the end. */
  ended: 'ended',
  /** A link that leads nowhere: its text is the end, for which a full disk often has room where it has none for a file. */
  keptEnd: 'exit.kept',
} as const;

const maxBytes = 64 * 1024;

/**
 * A file of an attempt. A place is a folder of its own; or, ending in a dot, the beginning of names in a folder it
 * shares: a thousand small commands would otherwise pay for a thousand folders.
 */
export function fileOf(place: string, name: string): string {
  return place.endsWith('.') ? `${place}${name}` : `${place}/${name}`;
}

export type Start =
  | { readonly kind: 'absent' }
  | { readonly kind: 'lost' }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'started'; readonly launcher: ProcessIdentity; readonly marker: string };

export function readStart(dir: string): Start {
  const text = read(dir, files.started);
  if (text === null) return { kind: 'absent' };
  if (text === lostText) return { kind: 'lost' };
  const [, pid, startTime, bootId, marker] = /^started (\d{1,10}) (\S+) (\S+) (.*) \.\n$/s.exec(text) ?? [];
  if (pid === undefined || startTime === undefined || bootId === undefined || marker === undefined) {
    return { kind: 'unreadable' };
  }
  return { kind: 'started', launcher: { pid: Number(pid), startTime, bootId }, marker };
}

const lostText = 'lost .\n';

/** False: a launcher was faster, and the attempt is running or has run. */
export function declareLost(dir: string): boolean {
  return createFile(dir, files.started, lostText);
}

/** Says of an attempt that it was never started here, whatever another place has written. */
export function forgetStart(dir: string): void {
  replaceFile(fileOf(dir, files.started), lostText);
}

/** False: the attempt was declared lost, or has been started before. */
export function declareStarted(dir: string, launcher: ProcessIdentity, marker: string): boolean {
  return createFile(dir, files.started, `started ${launcher.pid} ${startTail(launcher, marker)}`);
}

/** What the shell launcher, which knows its pid but nothing else cheaply, adds after pid and start time. */
export function markTail(bootId: string, marker: string): string {
  return `${bootId} ${marker} .`;
}

function startTail(launcher: ProcessIdentity, marker: string): string {
  return `${launcher.startTime} ${markTail(launcher.bootId, marker)}\n`;
}

export function readEnd(dir: string): RecordedEnd | null {
  const text = read(dir, files.exit);
  const end = text === null ? null : parseEnd(text);
  // Only a stop that met a full disk leaves a link, beside a file that it could not fill.
  return end ?? (text === null ? null : parseEnd(`${linkText(dir, files.keptEnd)}\n`));
}

/** When the launcher recorded its start. Null: it did not, or the attempt was declared lost in its place. */
export function startRecordedAt(dir: string): number | null {
  return readStart(dir).kind === 'started' ? recordedAt(dir, files.started) : null;
}

/** When the end came: it may be recorded later, and noticed much later. Null: it did not, as far as is known. */
export function endRecordedAt(dir: string): number | null {
  return recordedAt(dir, files.ended) ?? recordedAt(dir, files.exit);
}

/** When an attempt without a recorded end was heard of last. Null: never. */
export function lastHeardAt(dir: string): number | null {
  const signs = ['output.log', files.ending, files.started].flatMap((name) => recordedAt(dir, name) ?? []);
  return signs.length === 0 ? null : Math.max(...signs);
}

/** The times of these files are those of the session everywhere; the shell launcher cuts to milliseconds as well. */
export function recordedAt(dir: string, name: string): number | null {
  const facts = lstatSync(fileOf(dir, name), { throwIfNoEntry: false });
  return facts?.isFile() === true ? Math.floor(facts.mtimeMs) : null;
}

/** The first complete record stays: an end is final. */
export function recordEnd(dir: string, end: RecordedEnd): void {
  try {
    if (createFile(dir, files.exit, formatEnd(end)) || readEnd(dir) !== null) return;
    replaceFile(fileOf(dir, files.exit), formatEnd(end));
  } catch (error) {
    createFile(dir, files.ended, '');
    throw error;
  }
}

/** Records an end, also where no file can be filled: called before the launcher is killed that has it in memory. */
export function keepEnd(dir: string, end: RecordedEnd): void {
  try {
    recordEnd(dir, end);
  } catch {
    createFile(dir, files.exit, '');
    symlinkSync(formatEnd({ ...end, reason: null }).trim(), fileOf(dir, files.keptEnd));
  }
}

/** The first reason stays. */
export function announceEnding(dir: string, ending: Ending, reason: string): void {
  createFile(dir, files.ending, `${ending} ${reason.replaceAll(/\s+/g, ' ').trim()}\n`);
}

export function readEnding(dir: string): { readonly ended: Ending | null; readonly reason: string } {
  const text = read(dir, files.ending);
  if (text === null) return { ended: null, reason: '' };
  const [, word, reason] = /^(\S*) ?(.*)/.exec(text) ?? [];
  return { ended: endings.find((known) => known === word) ?? 'killed', reason: reason ?? '' };
}

/** Exclusive. False only when the file is already there. */
function createFile(dir: string, name: string, content: string): boolean {
  try {
    const descriptor = openSync(fileOf(dir, name), 'wx', 0o600);
    try {
      writeFileSync(descriptor, content);
    } finally {
      closeSync(descriptor);
    }
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function linkText(dir: string, name: string): string {
  try {
    return readlinkSync(fileOf(dir, name));
  } catch {
    return '';
  }
}

/** Agents can write here too, so nothing is followed, waited for or read without end. */
function read(dir: string, name: string): string | null {
  const text = readText(fileOf(dir, name), { maxBytes, links: 'refuse' });
  if (text.ok) return text.value;
  // Only "there is no such file" means that nobody wrote it; anything else is there and cannot be read.
  return text.error.why === 'absent' ? null : '';
}
