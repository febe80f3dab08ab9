import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recorded } from '../../lib/json.ts';
import type { TmuxConfig } from '../../model/config.ts';
import type { TypistTimes } from './typist.ts';

/** What a terminal relay is told, once. */
export interface Handover {
  /** The complete environment of the interface. */
  readonly env: Readonly<Record<string, string>>;
  readonly tmux: TmuxConfig;
  readonly tmuxEnv: Readonly<Record<string, string>>;
  readonly pane: string;
  readonly times: TypistTimes;
}

export interface Offer extends Disposable {
  readonly address: string;
}

/** The system's limit for the path of a socket is 104 bytes where it is smallest. */
const longestFolder = 80;
const patienceMs = 30_000;

/**
 * A process in a pane is started by the tmux server, so it inherits nothing of ours. What it must know holds secrets:
 * not for arguments (`ps`), not for tmux (`show-environment`), and not for a file, which would stay behind if we died
 * before it was read. A socket in a folder of its owner's is gone with us. It is given to the first who asks, and to
 * nobody after.
 */
export async function offerHandover(handover: Handover): Promise<Offer> {
  const base = tmpdir().length <= longestFolder ? tmpdir() : '/tmp';
  const folder = mkdtempSync(join(base, 'tutti-'));
  const address = join(folder, 's');
  const server = createServer((socket) => {
    server.close();
    socket.on('error', () => undefined);
    socket.end(JSON.stringify(handover));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, resolve);
  });
  return {
    address,
    [Symbol.dispose]: () => {
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Null: whoever offered it is gone, or another process has it. */
export function takeHandover(address: string): Promise<Handover | null> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(address);
    socket.setTimeout(patienceMs, () => socket.destroy());
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    socket.on('error', () => undefined);
    socket.once('close', () => {
      resolve(parsedHandover(text));
    });
  });
}

function parsedHandover(text: string): Handover | null {
  try {
    return recorded<Handover>(JSON.parse(text));
  } catch {
    return null;
  }
}
