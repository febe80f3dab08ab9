import { emitKeypressEvents } from 'node:readline';
import type { Key } from '../context.ts';

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
