import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { makePrivateFolder, replaceFile } from '../lib/atomic-file.ts';
import { isObject } from '../lib/json.ts';
import { isMachineTrouble } from '../lib/machine-trouble.ts';
import { isAlive } from '../lib/process/identity.ts';
import { monotonicMs } from '../lib/process/monotonic.ts';
import { readEnd, readStart } from './attempt-files.ts';
import { readJson } from './read-json.ts';

/** What may be said to a living session. */
export type SpoolMessage =
  /** Written to its standard input, with a newline. */
  | { readonly kind: 'send'; readonly text: string }
  /** Ends its standard input. */
  | { readonly kind: 'close' }
  /** Ends its whole tree. Overtakes messages that it does not read. */
  | { readonly kind: 'cancel'; readonly reason: string };

export type Ack = { readonly delivered: true } | { readonly delivered: false; readonly reason: string };

const pollMs = 25;
/** A message is typed or pasted by somebody. */
const maxBytes = 4 * 1024 * 1024;
let posted = 0;

/** Puts a message into the session's spool and waits until it was delivered; on failure it never will be, except where
 * the reason says that it was taken. */
export async function postMessage(dir: string, message: SpoolMessage, timeoutMs = 10_000): Promise<Ack> {
  const spool = openSpool(dir);
  posted += 1;
  const order = `${String(Date.now()).padStart(15, '0')}-${String(posted).padStart(6, '0')}-${process.pid}`;
  const name = `${order}.json`;
  replaceFile(join(spool, name), JSON.stringify(message));
  const deadline = monotonicMs() + timeoutMs;
  for (;;) {
    const ack = readAck(spool, name);
    if (ack !== null) return ack;
    const reason = hasEnded(dir)
      ? 'the session has ended'
      : monotonicMs() > deadline
        ? 'not read in time'
        : null;
    if (reason !== null) {
      // Whoever moves the file first decides: what was withdrawn can no longer be read.
      if (withdraw(join(spool, name))) return { delivered: false, reason };
      return readAck(spool, name) ?? { delivered: false, reason: `it was taken, but ${reason}` };
    }
    await pause(pollMs);
  }
}

export function openSpool(dir: string): string {
  const spool = join(dir, 'spool');
  makePrivateFolder(spool);
  return spool;
}

/** Names of the messages that nobody has taken yet, oldest first. */
export function waitingMessages(spool: string): readonly string[] {
  return readdirSync(spool)
    .filter((name) => /^[^.].*\.json$/.test(name))
    .toSorted();
}

/** Null for what is no message. */
export function readMessage(spool: string, name: string): SpoolMessage | null {
  const value = readJson(join(spool, name), maxBytes);
  if (!isObject(value)) return null;
  const { kind, text, reason } = value;
  if (kind === 'send' && typeof text === 'string') return { kind, text };
  if (kind === 'cancel' && typeof reason === 'string') return { kind, reason };
  return kind === 'close' ? { kind } : null;
}

/** False: the sender has withdrawn it. */
export function takeMessage(spool: string, name: string): boolean {
  return move(join(spool, name), join(spool, `${name}.taken`));
}

export function acknowledge(spool: string, name: string, ack: Ack): void {
  if (ack.delivered) {
    move(join(spool, `${name}.taken`), join(spool, `${name}.done`));
    return;
  }
  try {
    replaceFile(join(spool, `${name}.failed`), JSON.stringify({ reason: ack.reason }));
  } catch (error) {
    // Without an answer the sender finds out by itself; no session ends for it.
    if (!isMachineTrouble(error)) throw error;
  }
  rmSync(join(spool, `${name}.taken`), { force: true });
}

function readAck(spool: string, name: string): Ack | null {
  if (existsSync(join(spool, `${name}.done`))) return { delivered: true };
  if (!existsSync(join(spool, `${name}.failed`))) return null;
  const value = readJson(join(spool, `${name}.failed`), maxBytes);
  const reason = isObject(value) ? value['reason'] : null;
  return { delivered: false, reason: typeof reason === 'string' ? reason : 'not delivered' };
}

function hasEnded(dir: string): boolean {
  const start = readStart(dir);
  if (start.kind === 'lost' || readEnd(dir) !== null) return true;
  return start.kind === 'started' && !isAlive(start.launcher);
}

function withdraw(path: string): boolean {
  try {
    rmSync(path);
    return true;
  } catch {
    return false;
  }
}

function move(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch {
    return false;
  }
}
