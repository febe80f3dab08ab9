import { opendirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { errorCode } from '../../lib/error-code.ts';
import { isMachineTrouble } from '../../lib/machine-trouble.ts';
import {
  type checkRequest,
  relayLimits,
  requestFile,
  requestId,
  type RelayRequest,
} from '../../model/command-relay.ts';
import { FolderWatch } from '../folder-watch.ts';
import { readJson } from '../read-json.ts';
import { noteSession } from '../session-log.ts';
import { Answers } from './answers.ts';
import { type CarriedCommand, carryOut, type RelayProgram } from './carry-out.ts';

export interface RelayParts {
  readonly session: string;
  readonly sessionDir: string;
  /** The agent writes here. Nothing is ever written here by the relay. */
  readonly requests: string;
  /** Only the relay writes here, so that no agent can put a link where an answer goes. */
  readonly answers: string;
  readonly program: RelayProgram;
  readonly check: typeof checkRequest;
}

interface WaitingCommand {
  readonly id: string;
  readonly command: Extract<RelayRequest, { kind: 'command' }>;
}

const pollMs = 250;
/** Events of a folder come in swarms. */
const gatherMs = 5;
/** Names looked at in one go. What the agent leaves there besides requests costs the agent its own turn. */
const namesAtOnce = 1000;
/** How long a command may go on when its agent has ended, and how long after the TERM. */
const farewellMs = 15_000;
const killMs = 5000;
const mostNotes = 50;

/**
 * Carries out what the agent of one session asks for, outside its sandbox and as that session: its environment, control group
 * and parents are those of the agent. Each request is carried out at most once. It is taken by creating the file of its answer,
 * which the agent cannot remove, before the request is deleted and before anything starts.
 */
export class Relay implements AsyncDisposable {
  readonly #parts: RelayParts;
  readonly #answers: Answers;
  readonly #watch: FolderWatch;
  readonly #seen = new Set<string>();
  readonly #waiting: WaitingCommand[] = [];
  readonly #running = new Map<string, CarriedCommand>();
  #look: NodeJS.Timeout | null = null;
  #notes = 0;

  constructor(parts: RelayParts) {
    this.#parts = parts;
    this.#answers = new Answers(parts.answers);
    this.#watch = new FolderWatch(parts.requests, pollMs, () => {
      this.#look ??= setTimeout(() => {
        this.#look = null;
        this.#lookNow();
      }, gatherMs);
    });
  }

  /** The agent has ended: nothing more is taken, and what runs may finish, for a while. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#watch[Symbol.dispose]();
    if (this.#look !== null) clearTimeout(this.#look);
    this.#waiting.length = 0;
    await this.#emptied(farewellMs);
    for (const command of this.#running.values()) command.kill('SIGTERM');
    await this.#emptied(killMs);
    for (const command of this.#running.values()) command.kill('SIGKILL');
    this.#answers.removeAll();
  }

  async #emptied(limitMs: number): Promise<void> {
    const all = [...this.#running.values()].map(({ ended }) => ended);
    if (all.length > 0) await Promise.race([Promise.all(all), pause(limitMs, undefined, { ref: false })]);
  }

  #lookNow(): void {
    this.#answers.retry();
    try {
      for (const id of listRequests(this.#parts.requests)) this.#take(id);
    } catch (error) {
      // Without a folder or a descriptor there is nothing to take now; the next look tries again.
      if (!isMachineTrouble(error)) this.#note(`Relay: ${String(error)}`);
    }
  }

  #take(id: string): void {
    const { requests, session, check } = this.#parts;
    const path = join(requests, requestFile(id));
    if (this.#seen.has(id) || this.#seen.size >= relayLimits.requests) {
      remove(path);
      return;
    }
    const value = readJson(path, relayLimits.requestBytes);
    if (!this.#answers.open(id)) return;
    this.#seen.add(id);
    // One of the two removes it: a caller that gave up has no command carried out later.
    if (!remove(path)) {
      this.#answers.close(id, { refused: 'it was withdrawn' });
      return;
    }
    const request = check(value, session);
    if (!request.ok) this.#refuse(id, request.error);
    else if (request.value.kind === 'signal') {
      this.#signal(request.value.of, request.value.signal);
      this.#answers.close(id, { exitCode: 0 });
    } else if (this.#waiting.length >= relayLimits.waiting) {
      this.#refuse(id, `${relayLimits.waiting} commands of this session wait already`);
    } else {
      this.#waiting.push({ id, command: request.value });
      this.#next();
    }
  }

  #signal(of: string, signal: NodeJS.Signals): void {
    this.#running.get(of)?.kill(signal);
    const at = this.#waiting.findIndex(({ id }) => id === of);
    if (at < 0) return;
    this.#waiting.splice(at, 1);
    this.#answers.close(of, { refused: `it was ended by ${signal} before it began` });
  }

  #next(): void {
    while (this.#running.size < relayLimits.running) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#start(next);
    }
  }

  #start({ id, command }: WaitingCommand): void {
    const started = carryOut(command, this.#parts.program, (stream, bytes) => {
      this.#answers.write(id, stream, bytes);
    });
    if (!started.ok) {
      this.#refuse(id, started.error);
      return;
    }
    this.#running.set(id, started.value);
    void started.value.ended.then((answer) => {
      this.#running.delete(id);
      this.#answers.close(id, answer);
      this.#next();
    });
  }

  #refuse(id: string, why: string): void {
    this.#note(`Relay: refused a command: ${why}`);
    this.#answers.close(id, { refused: why });
  }

  /** A few are enough to know what the agent tried. */
  #note(text: string): void {
    this.#notes += 1;
    if (this.#notes > mostNotes) return;
    noteSession(this.#parts.sessionDir, ['WARN', text.replaceAll(/[^\x20-\x7e]+/g, ' ')]);
  }
}

function listRequests(folder: string): readonly string[] {
  const found: string[] = [];
  const entries = opendirSync(folder);
  try {
    for (let count = 0; count < namesAtOnce; count += 1) {
      const entry = entries.readSync();
      if (entry === null) break;
      const id = requestId(entry.name);
      if (id !== null) found.push(id);
    }
  } finally {
    entries.closeSync();
  }
  return found;
}

/** False: its caller has withdrawn it. A folder of that name stays; its id is known, so it is not looked at again. */
function remove(path: string): boolean {
  try {
    rmSync(path);
    return true;
  } catch (error) {
    return errorCode(error) !== 'ENOENT';
  }
}
