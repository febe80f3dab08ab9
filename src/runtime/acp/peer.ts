import type { Readable, Writable } from 'node:stream';
import { isObject, type Json, type JsonObject, textMember } from '../../lib/json.ts';
import type { AcpEnd } from '../../model/acp.ts';
import { parseJson } from '../../model/schemas/json-text.ts';

/** An agent may send a whole file in one message; nothing that it sends is allowed to fill the memory. */
const maxLine = 32 * 1024 * 1024;

/** The conversation is over, and this is how. */
export class Ended extends Error {
  readonly end: AcpEnd;

  constructor(end: AcpEnd, message: string) {
    super(message);
    this.end = end;
  }
}

/** The other side answered a request with an error. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: Json;

  constructor(code: number, message: string, data: Json = null) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export interface PeerHandlers {
  /** What it throws is the answer too. */
  request(method: string, params: JsonObject): Promise<Json>;
  notified(method: string, params: JsonObject): void;
  /** A line that is no message. */
  noise(line: string): void;
}

/** JSON-RPC with one message a line, both ways. */
export class Peer {
  readonly #output: Writable;
  readonly #handlers: PeerHandlers;
  readonly #waiting = new Map<number, { resolve(value: Json): void; reject(error: Error): void }>();
  #asked = 0;
  #parts: string[] = [];
  #length = 0;
  #closed: Error | null = null;
  /** When the other side last sent something, on the clock of `performance`. */
  heardAt = performance.now();

  constructor(input: Readable, output: Writable, handlers: PeerHandlers) {
    this.#output = output;
    this.#handlers = handlers;
    // Whoever does not read any more is about to end, and its end tells more.
    output.on('error', () => undefined);
    input.setEncoding('utf8');
    input.on('data', (chunk: string) => {
      this.heardAt = performance.now();
      this.#take(chunk);
    });
  }

  request(method: string, params: Json): Promise<Json> {
    if (this.#closed !== null) return Promise.reject(this.#closed);
    this.#asked += 1;
    const id = this.#asked;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#send({ id, method, params });
    });
  }

  notify(method: string, params: Json): void {
    this.#send({ method, params });
  }

  /** Everybody who waits for an answer gets this instead; nothing more is read. */
  close(reason: Error): void {
    this.#closed ??= reason;
    for (const waiting of this.#waiting.values()) waiting.reject(reason);
    this.#waiting.clear();
  }

  #send(message: JsonObject): void {
    if (this.#output.writable) this.#output.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #take(chunk: string): void {
    const [first = '', ...others] = chunk.split('\n');
    this.#add(first);
    for (const next of others) {
      const line = this.#parts.join('');
      this.#parts = [];
      this.#length = 0;
      if (line.trim() !== '' && this.#closed === null) this.#line(line);
      this.#add(next);
    }
  }

  #add(part: string): void {
    this.#length += part.length;
    if (this.#length > maxLine) {
      this.close(new Ended('protocol', `the agent sent a message of more than ${maxLine} characters`));
      this.#parts = [];
      this.#length = 0;
    } else if (this.#closed === null) this.#parts.push(part);
  }

  #line(line: string): void {
    const message = messageOf(line);
    if (message === null) {
      this.#handlers.noise(line);
      return;
    }
    const { id, method } = message;
    const params = isObject(message['params']) ? message['params'] : {};
    if (typeof method !== 'string') this.#answered(message);
    else if (id === undefined) this.#handlers.notified(method, params);
    else void this.#serve(id, method, params);
  }

  #answered({ id, result, error }: JsonObject): void {
    const waiting = typeof id === 'number' ? this.#waiting.get(id) : undefined;
    if (typeof id !== 'number' || waiting === undefined) return;
    this.#waiting.delete(id);
    if (!isObject(error)) waiting.resolve(result ?? null);
    else {
      const code = typeof error['code'] === 'number' ? error['code'] : 0;
      waiting.reject(new RpcError(code, textMember(error, 'message'), error['data'] ?? null));
    }
  }

  async #serve(id: Json, method: string, params: JsonObject): Promise<void> {
    try {
      this.#send({ id, result: await this.#handlers.request(method, params) });
    } catch (error) {
      const code = error instanceof RpcError ? error.code : -32_603;
      const message = error instanceof Error ? error.message : String(error);
      this.#send({ id, error: { code, message } });
    }
  }
}

function messageOf(line: string): JsonObject | null {
  const json = parseJson(line);
  if (!json.ok || !isObject(json.value)) return null;
  return 'method' in json.value || 'id' in json.value ? json.value : null;
}
