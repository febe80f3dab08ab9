import { createReadStream } from 'node:fs';
import type { Writable } from 'node:stream';
import { FolderWatch } from './folder-watch.ts';
import {
  type Ack,
  acknowledge,
  openSpool,
  readMessage,
  type SpoolMessage,
  takeMessage,
  waitingMessages,
} from './spool.ts';

const pollMs = 500;

/** An agent's standard input: first the prompt, then what the spool holds, in order, each once. */
export class Inlet implements Disposable {
  readonly #spool: string;
  readonly #input: Writable;
  readonly #onCancel: (reason: string) => void;
  readonly #watch: FolderWatch;
  /** Writes wait for each other, so that a slow reader holds back the next message and not memory. */
  #queue: Promise<void> = Promise.resolve();
  #failure: string | null = null;
  #ready = false;

  constructor(dir: string, input: Writable, onCancel: (reason: string) => void) {
    this.#spool = openSpool(dir);
    this.#input = input;
    this.#onCancel = onCancel;
    // The agent may stop reading or end at any time; the message that meets this is told so.
    input.on('error', (error) => {
      this.#failure ??= error.message;
    });
    this.#watch = new FolderWatch(this.#spool, pollMs, () => {
      this.#look();
    });
  }

  /** Begins with the bytes of a file. */
  open(file: string | null): void {
    this.#queue = file === null ? Promise.resolve() : this.#copy(file);
    this.#ready = true;
    this.#look();
  }

  [Symbol.dispose](): void {
    this.#watch[Symbol.dispose]();
    for (const name of waitingMessages(this.#spool)) {
      if (takeMessage(this.#spool, name)) this.#answer(name, 'the session has ended');
    }
  }

  #look(): void {
    if (!this.#ready) return;
    for (const name of waitingMessages(this.#spool)) {
      const message = readMessage(this.#spool, name);
      if (!takeMessage(this.#spool, name)) continue;
      if (message === null) this.#answer(name, 'this is not a message');
      else if (message.kind === 'cancel') {
        this.#answer(name, null);
        this.#onCancel(message.reason);
      } else this.#queue = this.#deliver(name, message, this.#queue);
    }
  }

  async #deliver(
    name: string,
    message: Exclude<SpoolMessage, { kind: 'cancel' }>,
    before: Promise<void>,
  ): Promise<void> {
    await before;
    await (message.kind === 'send' ? this.#write(`${message.text}\n`) : this.#end());
    this.#answer(name, this.#failure);
  }

  #answer(name: string, failure: string | null): void {
    const ack: Ack = failure === null ? { delivered: true } : { delivered: false, reason: failure };
    acknowledge(this.#spool, name, ack);
  }

  async #copy(file: string): Promise<void> {
    try {
      const content: AsyncIterable<Buffer> = createReadStream(file);
      for await (const chunk of content) await this.#write(chunk);
    } catch (error) {
      this.#failure ??= String(error);
      this.#input.end();
    }
  }

  async #write(bytes: Buffer | string): Promise<void> {
    if (this.#input.writableEnded) this.#failure ??= 'the input was closed before';
    if (this.#failure !== null) return;
    await new Promise<void>((resolve) => {
      this.#input.write(bytes, (error) => {
        if (error) this.#failure ??= error.message;
        resolve();
      });
    });
  }

  async #end(): Promise<void> {
    await new Promise<void>((resolve) => {
      if (this.#input.writableEnded || this.#input.destroyed) resolve();
      else this.#input.end(resolve);
    });
  }
}
