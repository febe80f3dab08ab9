import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, readSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parsed } from '../../lib/json.ts';
import { monotonicMs } from '../../lib/process/monotonic.ts';
import { readText } from '../../lib/read-text.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import {
  answerFiles,
  answersVariable,
  checkAnswer,
  type RelayAnswer,
  relayedVariables,
  relayLimits,
  type RelayRequest,
  requestFile,
  requestsFolder,
} from '../../model/command-relay.ts';
import { refusal, type Refusal } from '../refusal.ts';
import type { Variables } from '../state-folder.ts';

/** The way out of a sandbox, as a program inside sees it. */
export interface Channel {
  readonly session: string;
  readonly sessionDir: string;
  readonly requests: string;
  readonly answers: string;
}

/** Null: this process is in no sandbox of Tutti. */
export function findChannel(env: Variables): Channel | null {
  const [answers, sessionDir] = [env[answersVariable] ?? '', env['TUTTI_SESSION_DIR'] ?? ''];
  if (!isAbsolute(answers) || !isAbsolute(sessionDir)) return null;
  const session = env['TUTTI_SESSION_ID'] ?? '';
  return { session, sessionDir, requests: join(sessionDir, requestsFolder), answers };
}

export function newRequestId(): string {
  return randomBytes(16).toString('hex');
}

export interface HandedOver {
  readonly id: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Variables;
  readonly stdin: string | null;
}

export interface HandOverEvents {
  readonly onOut: (text: string) => void;
  readonly onErr: (text: string) => void;
  /** Called with what passes a signal on, once there is a command that can get it. */
  readonly onBegin: (signal: (signal: 'SIGINT' | 'SIGTERM') => void) => void;
}

/** A relay takes a request at once; one that does not is gone. */
const takenMs = 60_000;
const firstPollMs = 10;
const slowestPollMs = 100;

/** Asks the relay of this session to carry out a command, and passes on what it prints. Resolves with its exit code. */
export async function handOver(
  channel: Channel,
  { id, argv, cwd, env, stdin }: HandedOver,
  { onOut, onErr, onBegin }: HandOverEvents,
): Promise<Result<number, Refusal>> {
  const named = relayedVariables.flatMap((name) =>
    env[name] === undefined ? [] : [[name, env[name]] as const],
  );
  const { session } = channel;
  const posted = post(channel, id, {
    kind: 'command',
    session,
    argv,
    cwd,
    env: Object.fromEntries(named),
    stdin,
  });
  if (posted !== null) return err(posted);
  onBegin((signal) => {
    post(channel, newRequestId(), { kind: 'signal', session, of: id, signal });
  });
  const files = answerFiles(id);
  using out = new GrowingText(join(channel.answers, files.out), onOut);
  using error = new GrowingText(join(channel.answers, files.err), onErr);
  const answer = await waitForAnswer(channel, id, () => {
    out.read();
    error.read();
  });
  if (!answer.ok) return answer;
  if ('exitCode' in answer.value) return ok(answer.value.exitCode);
  return err(refusal('USAGE', answer.value.refused, 'see what a sandbox allows: tutti help sandbox'));
}

async function waitForAnswer(
  { requests, answers }: Channel,
  id: string,
  onLook: () => void,
): Promise<Result<RelayAnswer, Refusal>> {
  const files = answerFiles(id);
  const path = join(requests, requestFile(id));
  const deadline = monotonicMs() + takenMs;
  for (let pollMs = firstPollMs; ; pollMs = Math.min(slowestPollMs, pollMs * 1.5)) {
    const waits = existsSync(path);
    const taken = existsSync(join(answers, files.out));
    const text = readText(join(answers, files.end), { maxBytes: relayLimits.requestBytes, links: 'refuse' });
    onLook();
    const answer = text.ok ? checkAnswer(parsed(text.value)) : null;
    if (answer !== null) return ok(answer);
    // Neither asked nor answered: the relay dropped it.
    if (!waits && !taken) return err(unanswered('its answer is gone'));
    if (waits && !taken && monotonicMs() > deadline && withdraw(path)) {
      return err(unanswered('no process outside the sandbox took it'));
    }
    await pause(pollMs);
  }
}

/** False: the relay was faster. */
function withdraw(path: string): boolean {
  try {
    rmSync(path);
    return true;
  } catch {
    return false;
  }
}

function unanswered(why: string): Refusal {
  return refusal(
    'UNAVAILABLE',
    `this command was handed over, and ${why}`,
    'see what came of it: tutti status',
  );
}

/** Whole or not at all. Null: it was written. */
function post({ requests }: Channel, id: string, request: RelayRequest): Refusal | null {
  const text = JSON.stringify(request);
  if (Buffer.byteLength(text) > relayLimits.requestBytes) {
    const message = `a command in a sandbox may have at most ${relayLimits.requestBytes} bytes of arguments and input`;
    return refusal('USAGE', message, 'put the text into a file of the workspace');
  }
  const temporary = join(requests, `.${id}.tmp`);
  try {
    writeFileSync(temporary, text, { mode: 0o600 });
    renameSync(temporary, join(requests, requestFile(id)));
    return null;
  } catch (error) {
    const message = `this command could not be handed over: ${error instanceof Error ? error.message : String(error)}`;
    return refusal('UNAVAILABLE', message, 'continue without this command; Tutti checks the work itself');
  }
}

/** A file that another process appends to. */
class GrowingText implements Disposable {
  readonly #path: string;
  readonly #onText: (text: string) => void;
  readonly #decoder = new TextDecoder();
  readonly #buffer = Buffer.alloc(64 * 1024);
  #descriptor: number | null = null;

  constructor(path: string, onText: (text: string) => void) {
    this.#path = path;
    this.#onText = onText;
  }

  read(): void {
    if (this.#descriptor === null && !existsSync(this.#path)) return;
    this.#descriptor ??= openSync(this.#path, 'r');
    for (;;) {
      const length = readSync(this.#descriptor, this.#buffer);
      if (length === 0) return;
      this.#onText(this.#decoder.decode(this.#buffer.subarray(0, length), { stream: true }));
    }
  }

  [Symbol.dispose](): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
  }
}
