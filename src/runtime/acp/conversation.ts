import { setImmediate as eventLoopTurn, setTimeout as pause } from 'node:timers/promises';
import { amount } from '../../lib/amount.ts';
import { isObject, type Json, type JsonObject, textMember } from '../../lib/json.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { AcpEnd, AcpSpec } from '../../model/acp.ts';
import type { DriverEvent } from '../../model/driver.ts';
import { isPermitted } from '../../model/permission.ts';
import type { Usage } from '../../model/usage.ts';
import { readFileIn, writeFileIn } from './files.ts';
import { choose } from './choices.ts';
import { outcomeFor, Permissions } from './permissions.ts';
import { Ended, type Peer, type PeerHandlers, RpcError } from './peer.ts';
import { wordsOf } from './trouble.ts';
import { failureCapability, failureIn, turnFailedCode } from './turn-failure.ts';
import { Updates } from './updates.ts';

const protocolVersion = 1;
/** Lines that are no messages are told, but an agent that logs to its output must not fill ours. */
const mostNoise = 20;
const retoldMs = 300;
const longestRetoldMs = 5000;

interface Tokens {
  readonly input: number | null;
  readonly output: number | null;
}

/** One turn with one agent over the protocol, from the first request to how it ended. */
export class Conversation implements PeerHandlers {
  readonly #spec: AcpSpec;
  readonly #emit: (event: DriverEvent) => void;
  readonly #closeInput: () => void;
  readonly #updates: Updates;
  readonly #permissions: Permissions;
  readonly #said: string[] = [];
  #sessionId = '';
  #prompting = false;
  #noise = 0;
  #tokens: Tokens | null = null;

  /** `closeInput`: after it, a message from outside is refused where it is written. */
  constructor(spec: AcpSpec, emit: (event: DriverEvent) => void, closeInput: () => void) {
    this.#spec = spec;
    this.#emit = emit;
    this.#closeInput = closeInput;
    this.#updates = new Updates(emit);
    this.#permissions = new Permissions(spec, emit);
  }

  /** Whether silence is no sign of trouble: a person is asked, or a tool is at work. */
  get excused(): boolean {
    return this.#permissions.waits || this.#updates.working;
  }

  /** A line from outside: the answer to a question, or a part of what is said next. */
  say(line: string): void {
    if (!this.#permissions.answer(line)) this.#said.push(line);
  }

  /** Nobody will say anything any more. */
  mute(): void {
    this.#permissions.giveUp();
  }

  /** Asks the agent to stop what it does; `run` then ends soon, unless the agent does not listen. */
  cancel(peer: Peer): void {
    if (this.#prompting) peer.notify('session/cancel', { sessionId: this.#sessionId });
    this.#permissions.giveUp();
  }

  flush(): void {
    this.#updates.flush();
  }

  async run(peer: Peer): Promise<AcpEnd> {
    const resumed = await this.#open(peer);
    let prompt = resumed ? this.#spec.nextPrompt : this.#spec.prompt;
    for (;;) {
      this.#prompting = true;
      const block = { type: 'text', text: prompt };
      const answer = await peer.request('session/prompt', { sessionId: this.#sessionId, prompt: [block] });
      this.#prompting = false;
      this.#updates.endTurn();
      const failed = failureIn(answer);
      const stop = textMember(answer, 'stopReason');
      const end = stopNames.find((name) => name === stop);
      // Reads what was written before the agent answered. Nothing is lost then if the input closes before the end is told.
      await eventLoopTurn();
      if (failed !== null || end !== 'end_turn' || this.#said.length === 0) this.#closeInput();
      this.#tellUsage(answer);
      if (failed !== null) throw new RpcError(turnFailedCode, failed);
      if (end === undefined)
        throw new Ended('protocol', `it stopped for a reason that is not known: ${stop}`);
      if (end !== 'end_turn') throw new Ended(end, stopWords[end]);
      if (this.#said.length === 0) break;
      prompt = this.#said.splice(0).join('\n');
    }
    // Some agents call it the end of a turn when the model's answer could not be read.
    if (!this.#updates.active)
      throw new Ended('empty', 'it ended its turn without having said or done anything');
    return 'end_turn';
  }

  async request(method: string, params: JsonObject): Promise<Json> {
    switch (method) {
      case 'session/request_permission': {
        const call = isObject(params['toolCall']) ? params['toolCall'] : {};
        const wanted = this.#updates.asked(call);
        const { options } = params;
        const answer = await this.#permissions.decide(wanted, { by: 'agent', options });
        if (!isPermitted(answer)) this.#updates.denied(call);
        return outcomeFor(answer, options);
      }
      case 'fs/read_text_file':
        return this.#read(params);
      case 'fs/write_text_file':
        return this.#write(params);
      default:
        throw new RpcError(-32_601, `this client has no ${method}`);
    }
  }

  notified(method: string, params: JsonObject): void {
    const update = params['update'];
    if (method === 'session/update' && isObject(update)) this.#updates.take(update);
  }

  noise(line: string): void {
    this.#noise += 1;
    if (this.#noise > mostNoise) return;
    this.#emit({ type: 'problem', message: `the agent sent what is no message: ${oneLine(line, 300)}` });
  }

  /** True: it goes on where an earlier conversation ended. */
  async #open(peer: Peer): Promise<boolean> {
    const { conversation, offersFiles } = this.#spec;
    const fs = { readTextFile: offersFiles, writeTextFile: offersFiles };
    const hello = await peer.request('initialize', {
      protocolVersion,
      clientCapabilities: { ...(offersFiles ? { fs } : {}), terminal: false, _meta: failureCapability },
      clientInfo: { name: 'tutti', title: 'Tutti', version: '1' },
    });
    if (!isObject(hello) || hello['protocolVersion'] !== protocolVersion) {
      throw new Ended('protocol', `it does not speak version ${protocolVersion} of the protocol`);
    }
    const loaded = conversation === null ? null : await this.#load(peer, hello, conversation);
    const opened = loaded ?? (await peer.request('session/new', this.#place(hello)));
    this.#sessionId = loaded === null ? textMember(opened, 'sessionId') : (conversation ?? '');
    if (this.#sessionId === '') throw new Ended('protocol', 'it did not say what the session is called');
    this.#emit({ type: 'conversation', id: this.#sessionId });
    await choose(peer, this.#sessionId, opened, this.#spec);
    return loaded !== null;
  }

  /** Where it works. An agent with a sandbox must know the other folders too: the result goes to one of them. */
  #place({ agentCapabilities }: JsonObject): JsonObject {
    const { workspace: cwd, folders } = this.#spec;
    const session = isObject(agentCapabilities) ? agentCapabilities['sessionCapabilities'] : null;
    const more = folders.filter((folder) => folder !== cwd);
    const takesMore = isObject(session) && isObject(session['additionalDirectories']);
    return { cwd, mcpServers: [], ...(takesMore ? { additionalDirectories: more } : {}) };
  }

  /** Null, and told, when there is nothing to go on with: the turn then begins again with the whole prompt. */
  async #load(peer: Peer, hello: JsonObject, sessionId: string): Promise<Json> {
    const can = hello['agentCapabilities'];
    const anew = 'a new conversation was begun with the whole prompt';
    if (!isObject(can) || can['loadSession'] !== true) {
      this.#emit({ type: 'problem', message: `the agent cannot load a conversation: ${anew}` });
      return null;
    }
    this.#updates.replaying = true;
    try {
      const loaded = await peer.request('session/load', { sessionId, ...this.#place(hello) });
      await this.#retold(peer);
      return loaded ?? {};
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      const why = oneLine(wordsOf(error), 300);
      this.#emit({ type: 'problem', message: `conversation ${sessionId} was not loaded (${why}): ${anew}` });
      return null;
    } finally {
      this.#updates.replaying = false;
    }
  }

  /** One agent answers that it has loaded while it still tells what was said before. */
  async #retold(peer: Peer): Promise<void> {
    const from = performance.now();
    while (performance.now() - Math.max(peer.heardAt, from) < retoldMs) {
      if (performance.now() - from > longestRetoldMs) return;
      await pause(50);
    }
  }

  async #read(params: JsonObject): Promise<Json> {
    const path = textMember(params, 'path');
    if (!(await this.#may('read', path))) {
      throw new RpcError(-32_602, `reading ${path} is denied`);
    }
    const part = { line: amount(params['line']), limit: amount(params['limit']) };
    const content = readFileIn(this.#spec.folders, path, part);
    if (!content.ok) throw new RpcError(-32_602, content.error);
    return { content: content.value };
  }

  async #write(params: JsonObject): Promise<Json> {
    const path = textMember(params, 'path');
    if (!(await this.#may('edit', path))) {
      throw new RpcError(-32_602, `writing ${path} is denied`);
    }
    const written = writeFileIn(this.#spec.writable, path, textMember(params, 'content'));
    if (!written.ok) throw new RpcError(-32_602, written.error);
    return null;
  }

  async #may(kind: 'read' | 'edit', path: string): Promise<boolean> {
    const wanted = { kind, title: path, paths: [path], input: '' };
    return isPermitted(await this.#permissions.decide(wanted, { by: 'client' }));
  }

  #tellUsage(answer: Json): void {
    this.#tokens = tokensAfter(this.#tokens, answer);
    const known = this.#spec.tellsTokens ? this.#tokens : null;
    const usage: Usage = {
      inputTokens: known?.input ?? null,
      outputTokens: known?.output ?? null,
      costUsd: this.#updates.costUsd,
    };
    this.#emit({ type: 'usage', usage });
  }
}

/**
 * All tokens of the process so far. The protocol's own member counts over the whole conversation; one agent reports those of
 * each prompt, in its own member; others report nothing.
 */
function tokensAfter(before: Tokens | null, answer: Json): Tokens | null {
  if (!isObject(answer)) return before;
  const { usage, _meta: meta } = answer;
  if (isObject(usage)) return { input: amount(usage['inputTokens']), output: amount(usage['outputTokens']) };
  const quota = isObject(meta) ? meta['quota'] : null;
  const now = isObject(quota) ? quota['token_count'] : null;
  if (!isObject(now)) return before;
  return {
    input: addCount(before?.input, amount(now['input_tokens'])),
    output: addCount(before?.output, amount(now['output_tokens'])),
  };
}

/** An unknown count is not zero. */
function addCount(before: number | null | undefined, now: number | null): number | null {
  return now === null ? (before ?? null) : (before ?? 0) + now;
}

const stopNames = ['end_turn', 'max_tokens', 'max_turn_requests', 'refusal', 'cancelled'] as const;
const stopWords: Readonly<Record<Exclude<(typeof stopNames)[number], 'end_turn'>, string>> = {
  max_tokens: 'the model had no room for its answer (max_tokens)',
  max_turn_requests: 'it asked the model as often as it may in one turn (max_turn_requests)',
  refusal: 'the agent refuses to continue (refusal)',
  cancelled: 'the turn was cancelled',
};
