import type { Activity } from '../../model/activity.ts';
import { beginsLikeCommand } from '../../model/typed-text.ts';
import {
  type Ack,
  acknowledge,
  openSpool,
  readMessage,
  type SpoolMessage,
  takeMessage,
  waitingMessages,
} from '../spool.ts';
import { FolderWatch } from '../folder-watch.ts';
import { openDialog, type Typist } from './typist.ts';

const pollMs = 250;

export interface ConversationParts {
  readonly dir: string;
  readonly typist: Typist;
  /** Null: nothing is typed at first, a person begins. */
  readonly prompt: string | null;
  readonly note: (level: 'INFO' | 'WARN', message: string) => void;
  readonly show: (activity: Activity) => void;
  readonly cancel: (reason: string) => void;
}

/** What Tutti says to an interface: the prompt once it is ready, then what is sent to it, one at a time. */
export class Conversation implements Disposable {
  readonly #parts: ConversationParts;
  readonly #spool: string;
  readonly #watch: FolderWatch;
  #busy = true;

  constructor(parts: ConversationParts) {
    this.#parts = parts;
    this.#spool = openSpool(parts.dir);
    this.#watch = new FolderWatch(this.#spool, pollMs, () => {
      void this.#look();
    });
    void this.#begin();
  }

  [Symbol.dispose](): void {
    this.#watch[Symbol.dispose]();
    this.#parts.typist.close();
    for (const name of waitingMessages(this.#spool)) {
      if (takeMessage(this.#spool, name)) this.#answer(name, refused('the session has ended'));
    }
  }

  async #begin(): Promise<void> {
    const { typist, prompt, note, show } = this.#parts;
    if (!(await typist.ready())) {
      note('WARN', 'The interface does not say that it is ready, so nothing was typed: attach and look');
      show({ at: 'waiting', for: 'a person at its terminal: a dialog is probably open' });
    }
    if (prompt !== null && (await typist.rest())) {
      show({ at: 'starting' });
      const ack = await typist.type(prompt);
      if (ack.delivered) note('INFO', 'The prompt was typed and taken');
      else {
        note('WARN', `The prompt was not delivered: ${ack.reason}: attach and look`);
        show({ at: 'waiting', for: `a person at its terminal: ${ack.reason}` });
      }
    }
    this.#busy = false;
    await this.#look();
  }

  async #look(): Promise<void> {
    for (const name of waitingMessages(this.#spool)) {
      const message = readMessage(this.#spool, name);
      if (message?.kind === 'cancel') {
        if (takeMessage(this.#spool, name)) this.#answer(name, { delivered: true });
        this.#parts.cancel(message.reason);
      } else if (!this.#busy && this.#mayTake(message)) {
        if (!takeMessage(this.#spool, name)) continue;
        this.#busy = true;
        this.#answer(name, await this.#deliver(message));
        this.#busy = false;
      }
    }
  }

  /** What must wait for the end of a turn stays in the spool, where its sender can withdraw it. */
  #mayTake(message: SpoolMessage | null): boolean {
    const { at } = this.#parts.typist.phase;
    return message?.kind !== 'send' || at === 'rest' || at === 'dialog';
  }

  async #deliver(message: SpoolMessage | null): Promise<Ack> {
    if (message?.kind !== 'send') {
      return refused(message === null ? 'this is not a message' : 'attach to it, and leave it from inside');
    }
    const { phase } = this.#parts.typist;
    if (phase.at === 'dialog') return refused(openDialog(phase.why));
    if (beginsLikeCommand(message.text)) {
      return refused('it begins like a command of the interface: attach and type it, or begin with a word');
    }
    return this.#parts.typist.type(message.text);
  }

  #answer(name: string, ack: Ack): void {
    acknowledge(this.#spool, name, ack);
  }
}

function refused(reason: string): Ack {
  return { delivered: false, reason };
}
