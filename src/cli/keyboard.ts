import { closeSync, constants, openSync, readSync } from 'node:fs';
import { emitKeypressEvents } from 'node:readline';
import { errorCode } from '../lib/error-code.ts';
import type { Key } from './context.ts';

/** Hears each key of a terminal, which shows none of them by itself meanwhile. */
export function onKey(stdin: NodeJS.ReadStream, listener: (key: Key) => void): Disposable {
  const hear = (_text: string | undefined, key: Key): void => {
    listener(key);
  };
  emitKeypressEvents(stdin);
  stdin.setRawMode(true);
  stdin.on('keypress', hear);
  stdin.resume();
  return {
    [Symbol.dispose]: () => {
      stdin.off('keypress', hear);
      stdin.setRawMode(false);
      stdin.pause();
    },
  };
}

/** More than a terminal keeps. */
const most = 64 * 1024;

/** Throws away what was typed before now. An answer counts only if its question was there. */
export function dropTypedAhead(stdin: NodeJS.ReadStream): void {
  if (!stdin.isTTY) return;
  while (stdin.read() !== null);
  // A line that is not finished yet can only be read in raw mode.
  stdin.setRawMode(true);
  try {
    // Opened again, because only reading that does not wait may look for what is there, and standard input may be shared.
    const terminal = openSync('/dev/tty', constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    try {
      readSync(terminal, Buffer.alloc(most));
    } finally {
      closeSync(terminal);
    }
  } catch (error) {
    // Nothing was typed, or the terminal is not one that this process may open.
    if (errorCode(error) === undefined) throw error;
  } finally {
    stdin.setRawMode(false);
  }
}
