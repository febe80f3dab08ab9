import type { IncomingMessage, ServerResponse } from 'node:http';
import { loopbackServer, sendJson } from './loopback-server.ts';

/** What the stand-in for a model answers at one point of a turn. */
interface ModelStep {
  readonly text?: string;
  /** A text is the input of a free-form tool, which some models have. */
  readonly tools?: readonly { readonly name: string; readonly input: object | string }[];
  /** An error of the API instead of an answer. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly message?: string;
  /** It never answers. */
  readonly hang?: boolean;
  /** Sent as the whole answer, as it is. */
  readonly raw?: string;
}

export interface ModelRule {
  /** Part of the last thing the person said; absent fits everything. */
  readonly match?: string;
  /** The n-th is given after n answers to that. */
  readonly steps: readonly ModelStep[];
}

export interface ModelServer extends AsyncDisposable {
  readonly url: string;
  /** What was said to it, as often as it was asked with tools. */
  readonly prompts: readonly string[];
  readonly systems: readonly string[];
  readonly models: readonly string[];
  /** The whole conversation each time, as text. */
  readonly messages: readonly string[];
}

interface Block {
  readonly type: string;
  readonly text?: string;
}

interface Message {
  readonly role: string;
  readonly content: string | readonly Block[];
}

interface Asked {
  readonly model: string;
  readonly stream?: boolean;
  readonly tools?: readonly object[];
  readonly system?: string | readonly Block[];
  readonly messages: readonly Message[];
}

/** The Messages API on the loopback, answering by rules: where a turn is, the request itself tells, so nothing is kept. */
export async function modelServer(rules: readonly ModelRule[], host = '127.0.0.1'): Promise<ModelServer> {
  const prompts: string[] = [];
  const systems: string[] = [];
  const models: string[] = [];
  const messages: string[] = [];
  const server = await loopbackServer((request, response, body) => {
    const asked = askedIn(request, body);
    if (asked === null) {
      answer(response, request.method === 'HEAD' ? 200 : 404, { type: 'error' });
      return;
    }
    const { prompt, done } = whereIs(asked.messages);
    const withTools = (asked.tools?.length ?? 0) > 0;
    if (withTools) {
      prompts.push(prompt);
      systems.push(textOf(asked.system ?? ''));
      models.push(asked.model);
      messages.push(asked.messages.map(({ content }) => textOf(content)).join('\n'));
    }
    const rule = rules.find(({ match }) => match === undefined || prompt.includes(match));
    const step = rule?.steps[Math.min(done, rule.steps.length - 1)] ?? { text: 'ok' };
    // Titles and suggestions are asked for without tools.
    if (withTools && step.hang === true) return;
    respond(response, asked, withTools ? step : { text: 'a title' });
  }, host);
  return {
    url: server.origin,
    prompts,
    systems,
    models,
    messages,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function askedIn(request: IncomingMessage, body: string): Asked | null {
  const path = request.url?.split('?')[0];
  return request.method === 'POST' && path === '/v1/messages' ? (JSON.parse(body) as Asked) : null;
}

/** The last plain thing that was said, and how many answers came since. */
function whereIs(messages: readonly Message[]): { readonly prompt: string; readonly done: number } {
  const last = messages.findLastIndex((message) => message.role === 'user' && plain(message) !== '');
  const done = messages.slice(last + 1).filter(({ role }) => role === 'assistant').length;
  const message = messages[last];
  return { prompt: message === undefined ? '' : plain(message), done };
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

function respond(response: ServerResponse, { model, stream }: Asked, step: ModelStep): void {
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
