import type { IncomingMessage, ServerResponse } from 'node:http';
import { loopbackServer, sendJson } from './loopback-server.ts';
import {
  type Asked,
  type Brain,
  brainOf,
  measuredTokens,
  type ModelRule,
  type ModelStep,
} from './model-brain.ts';

export interface ModelServer extends AsyncDisposable {
  readonly url: string;
  /** What was said to it, as often as it was asked with tools. */
  readonly prompts: readonly string[];
  readonly systems: readonly string[];
  readonly models: readonly string[];
  /** The whole conversation each time, as text. */
  readonly messages: readonly string[];
  /** Tokens of each of those requests, measured from its bytes. */
  readonly tokens: readonly number[];
}

interface Block {
  readonly type: string;
  readonly text?: string;
  /** Of a tool's result. */
  readonly content?: string | readonly Block[];
}

interface Message {
  readonly role: string;
  readonly content: string | readonly Block[];
}

interface Request {
  readonly model: string;
  readonly stream?: boolean;
  readonly tools?: readonly { readonly name?: string }[];
  readonly system?: string | readonly Block[];
  readonly messages: readonly Message[];
}

/** The Messages API on the loopback. Where a turn is, the request itself tells, so nothing is kept. */
export async function modelServer(
  script: Brain | readonly ModelRule[],
  host = '127.0.0.1',
): Promise<ModelServer> {
  const brain = brainOf(script);
  const tokens: number[] = [];
  const prompts: string[] = [];
  const systems: string[] = [];
  const models: string[] = [];
  const messages: string[] = [];
  const server = await loopbackServer((request, response, body) => {
    const sent = requestIn(request, body);
    if (sent === null) {
      answer(response, request.method === 'HEAD' ? 200 : 404, { type: 'error' });
      return;
    }
    // Titles and suggestions are asked for without tools.
    if ((sent.tools?.length ?? 0) === 0) {
      respond(response, sent, { text: 'a title' });
      return;
    }
    const asked = askedIn(sent);
    prompts.push(asked.prompt);
    systems.push(asked.system);
    models.push(sent.model);
    messages.push(sent.messages.map(({ content }) => textOf(content)).join('\n'));
    tokens.push(measuredTokens(body));
    const step: ModelStep = brain(asked);
    if (step.hang !== true) respond(response, sent, step);
  }, host);
  return {
    url: server.origin,
    prompts,
    systems,
    models,
    messages,
    tokens,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function requestIn(request: IncomingMessage, body: string): Request | null {
  const path = request.url?.split('?')[0];
  return request.method === 'POST' && path === '/v1/messages' ? (JSON.parse(body) as Request) : null;
}

function askedIn({ messages, system = '', tools = [], model }: Request): Asked {
  const last = messages.findLastIndex((message) => message.role === 'user' && plain(message) !== '');
  const since = messages.slice(last + 1);
  const said = messages.filter(({ role }) => role === 'user').map(plain);
  return {
    prompt: last < 0 ? '' : plain(messages[last] as Message),
    said: said.filter((text) => text !== ''),
    system: textOf(system),
    done: since.filter(({ role }) => role === 'assistant').length,
    results: since.flatMap(({ content }) => (typeof content === 'string' ? [] : content.flatMap(resultIn))),
    tools: tools.map(({ name = '' }) => name),
    model,
    schema: false,
  };
}

function resultIn({ type, content = '' }: Block): readonly string[] {
  return type === 'tool_result' ? [textOf(content)] : [];
}

/** Without what the CLI itself adds to a prompt. After a limit it may stand beside the last answer of a tool. */
function plain({ content }: Message): string {
  return textOf(content)
    .replaceAll(/<system-reminder>[\s\S]*?<\/system-reminder>/g, '')
    .trim();
}

function textOf(content: string | readonly Block[]): string {
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n');
}

function answer(
  response: ServerResponse,
  status: number,
  body: object,
  headers: ModelStep['headers'] = {},
): void {
  sendJson(response, status, body, { 'request-id': 'req_1', ...headers });
}

const errorTypes: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

/** The CLI takes two answers with the same id for one. */
let answers = 0;

function respond(response: ServerResponse, { model, stream }: Request, step: ModelStep): void {
  if (step.status !== undefined) {
    const error = { type: errorTypes[step.status] ?? 'api_error', message: step.message ?? 'scripted' };
    answer(response, step.status, { type: 'error', error }, step.headers);
    return;
  }
  if (step.raw !== undefined) {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': 'req_1' });
    response.end(step.raw);
    return;
  }
  answers += 1;
  const tools = (step.tools ?? []).map((tool, at) => ({
    type: 'tool_use',
    id: `toolu_${answers}_${at}`,
    ...tool,
  }));
  const content = [...(step.text === undefined ? [] : [{ type: 'text', text: step.text }]), ...tools];
  const reason = { stop_reason: tools.length === 0 ? 'end_turn' : 'tool_use', stop_sequence: null };
  const usage = { input_tokens: 100, output_tokens: 20 };
  const message = {
    id: `msg_${answers}`,
    type: 'message',
    role: 'assistant',
    model,
    content,
    usage,
    ...reason,
  };
  if (stream !== true) {
    answer(response, 200, message);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': 'req_1' });
  const send = (type: string, more: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`);
  };
  send('message_start', { message: { ...message, content: [], stop_reason: null } });
  for (const [index, block] of content.entries()) {
    const isText = 'text' in block;
    const empty = isText ? { type: 'text', text: '' } : { ...block, input: {} };
    const delta = isText
      ? { type: 'text_delta', text: block.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
    send('content_block_start', { index, content_block: empty });
    send('content_block_delta', { index, delta });
    send('content_block_stop', { index });
  }
  send('message_delta', { delta: reason, usage });
  send('message_stop', {});
  response.end();
}
