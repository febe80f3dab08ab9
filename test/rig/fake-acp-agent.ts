/*
 * An agent that speaks the Agent Client Protocol and does what a script tells it: `node fake-acp-agent.ts <script as JSON>`.
 * What is said to it is kept in `heard.jsonl` beside where it works.
 */
import { spawn } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export type FakeStep =
  | { readonly say: string }
  /** A tool call, as it is told. */
  | { readonly tool: object }
  /** Asks before a tool, and tells the tool's end by the answer. */
  | { readonly ask: FakeAsk }
  /** The same for several at once. */
  | { readonly asks: readonly FakeAsk[] }
  /** A request to the client; what comes back is kept as an answer. */
  | { readonly request: readonly [string, object] }
  | { readonly update: object }
  | { readonly complain: string }
  | { readonly wait: number }
  | { readonly raw: string }
  | { readonly huge: number }
  /** Starts a process that outlives it, and says its pid. */
  | { readonly child: true }
  | { readonly crash: number }
  | { readonly hang: 'listening' | 'deaf' }
  | { readonly error: object }
  | { readonly stop: string; readonly more?: object };

interface FakeAsk {
  readonly kind: string;
  readonly title: string;
  readonly path?: string;
  readonly input?: object;
}

export interface FakeScript {
  readonly version?: number;
  readonly load?: 'yes' | 'fails' | 'no';
  /** Instead of a session. */
  readonly newError?: object;
  readonly session?: object;
  /** For each prompt. */
  readonly prompts: readonly (readonly FakeStep[])[];
}

export const fakeAgent = fileURLToPath(import.meta.url);

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly sessionId?: string };
  readonly result?: { readonly outcome?: { readonly optionId?: string } };
  readonly error?: object;
}

const options = [
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];

class FakeAgent {
  readonly #script: FakeScript;
  readonly #answers = new Map<number, (message: Message) => void>();
  #asked = 100;
  #turns = 0;
  #cancel: (() => void) | null = null;

  constructor(script: FakeScript) {
    this.#script = script;
  }

  async hear(message: Message): Promise<void> {
    appendFileSync('heard.jsonl', `${JSON.stringify(message)}\n`);
    const { id = 0, method, params } = message;
    const { version = 1, load = 'yes', newError, session = {}, prompts } = this.#script;
    switch (method) {
      case undefined:
        this.#answers.get(id)?.(message);
        break;
      case 'initialize':
        send({ id, result: { protocolVersion: version, agentCapabilities: { loadSession: load !== 'no' } } });
        break;
      case 'session/new':
        send(
          newError === undefined
            ? { id, result: { sessionId: 'new-1', ...session } }
            : { id, error: newError },
        );
        break;
      case 'session/load':
        this.#retell();
        send(
          load === 'fails' ? { id, error: { code: -32_602, message: 'not found' } } : { id, result: session },
        );
        // As one of the real ones does, also after it has answered.
        setTimeout(() => {
          this.#retell();
        }, 100);
        break;
      case 'session/prompt':
        this.#turns += 1;
        await this.#play(id, prompts[this.#turns - 1] ?? []);
        break;
      case 'session/cancel':
        this.#cancel?.();
        break;
      default:
        send({ id, result: params ?? {} });
    }
  }

  update(update: object): void {
    send({ method: 'session/update', params: { sessionId: 'new-1', update } });
  }

  #retell(): void {
    this.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'of old' } });
  }

  async #play(id: number, steps: readonly FakeStep[]): Promise<void> {
    let stop: { readonly stop: string; readonly more?: object } = { stop: 'end_turn' };
    for (const step of steps) {
      if ('stop' in step) stop = step;
      else if ('error' in step) {
        send({ id, error: step.error });
        return;
      } else if ('hang' in step) {
        await new Promise<void>((resolve) => {
          if (step.hang === 'listening') this.#cancel = resolve;
        });
        stop = { stop: 'cancelled' };
      } else await this.#do(step);
    }
    send({ id, result: { stopReason: stop.stop, ...stop.more } });
  }

  async #do(step: Exclude<FakeStep, { stop: string } | { error: object } | { hang: string }>): Promise<void> {
    if ('say' in step) {
      this.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: step.say } });
    } else if ('tool' in step) this.update({ sessionUpdate: 'tool_call', ...step.tool });
    else if ('update' in step) this.update(step.update);
    else if ('wait' in step) await pause(step.wait);
    else if ('complain' in step) process.stderr.write(`${step.complain}\n`);
    else if ('raw' in step) process.stdout.write(`${step.raw}\n`);
    else if ('huge' in step) process.stdout.write(`{"jsonrpc":"2.0","x":"${'x'.repeat(step.huge)}"}\n`);
    else if ('child' in step) {
      const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1e6)'], {
        detached: true,
        stdio: 'ignore',
      });
      writeFileSync('child.pid', String(child.pid));
    } else if ('crash' in step) {
      process.stderr.write('out of luck\n');
      process.exit(step.crash);
    } else if ('request' in step) await this.#request(...step.request);
    else if ('asks' in step) await Promise.all(step.asks.map((ask) => this.#ask(ask)));
    else await this.#ask(step.ask);
  }

  async #ask({ kind, title, path, input }: FakeAsk): Promise<void> {
    const toolCallId = `call-${this.#asked}`;
    const locations = path === undefined ? [] : [{ path }];
    this.update({ sessionUpdate: 'tool_call', toolCallId, kind, title, status: 'pending' });
    const toolCall = { toolCallId, kind, title, locations, rawInput: input };
    const { result } = await this.#request('session/request_permission', { toolCall, options });
    const chosen = result?.outcome?.optionId;
    const status = chosen === 'yes' || chosen === 'always' ? 'completed' : 'failed';
    appendFileSync('answers.txt', `${title.slice(0, 40)}: ${chosen ?? 'cancelled'}\n`);
    this.update({ sessionUpdate: 'tool_call_update', toolCallId, status });
  }

  #request(method: string, params: object): Promise<Message> {
    this.#asked += 1;
    const id = this.#asked;
    return new Promise((resolve) => {
      this.#answers.set(id, resolve);
      send({ id, method, params: { sessionId: 'new-1', ...params } });
    });
  }
}

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function run(script: FakeScript): void {
  const agent = new FakeAgent(script);
  writeFileSync('client.pid', String(process.ppid));
  let rest = '';
  process.stdin.setEncoding('utf8').on('data', (text: string) => {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) void agent.hear(JSON.parse(line) as Message);
  });
  // As one of the real ones: it hears that it is to go, and stays.
  if (process.argv.includes('--stays'))
    process.on('SIGTERM', () => undefined).stdin.on('end', () => setInterval(() => undefined, 1e6));
}

if (process.argv[1] === fakeAgent) run(JSON.parse(process.argv[2] ?? '{}') as FakeScript);
