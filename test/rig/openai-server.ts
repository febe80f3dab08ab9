import type { ServerResponse } from 'node:http';
import { loopbackServer, sendJson } from './loopback-server.ts';
import {
  type Asked,
  type Brain,
  brainOf,
  measuredTokens,
  type ModelRule,
  type ModelStep,
} from './model-brain.ts';

/** What the scripted model answers at one point of a turn. */
interface OpenaiStep extends Pick<ModelStep, 'text' | 'tools' | 'status' | 'headers'> {
  readonly error?: object;
  /** `hang`: the answer begins and nothing more comes. `torn`: it breaks off in the middle of an event. */
  readonly broken?: 'hang' | 'torn' | 'garbage';
}

/** The n-th step is given after n results of tools. */
export type OpenaiRule = ModelRule<OpenaiStep>;

/** What it was asked, once for each request. */
interface OpenaiRequest {
  readonly prompt: string;
  readonly model: string;
  /** Everything that was said to it by others than the person. */
  readonly system: string;
  /** The whole body. */
  readonly body: string;
  /** Measured from its bytes. */
  readonly tokens: number;
}

export interface OpenaiServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly OpenaiRequest[];
}

interface Item {
  readonly type: string;
  readonly role?: string;
  readonly content?: string | readonly { readonly text?: string }[];
  /** Of a tool that was run. */
  readonly output?: unknown;
}

interface Request {
  readonly model: string;
  readonly instructions?: string;
  readonly input: readonly Item[];
  readonly tools?: readonly { readonly name?: string }[];
  readonly text?: { readonly format?: { readonly type: string } };
}

/** The Responses API on the loopback. Where a turn is, the request itself tells, so nothing is kept. */
export async function openaiServer(script: Brain<OpenaiStep> | readonly OpenaiRule[]): Promise<OpenaiServer> {
  const brain = brainOf(script);
  const requests: OpenaiRequest[] = [];
  const server = await loopbackServer((request, response, body) => {
    if (request.method !== 'POST' || request.url?.split('?')[0] !== '/v1/responses') {
      sendJson(response, 404, { error: { message: 'there is no such thing' } });
      return;
    }
    const asked = askedIn(JSON.parse(body) as Request);
    const { prompt, model, system } = asked;
    requests.push({ prompt, model, system, body, tokens: measuredTokens(body) });
    respond(response, model, brain(asked));
  });
  return {
    url: `${server.origin}/v1`,
    requests,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function askedIn({ input, instructions = '', tools = [], model, text }: Request): Asked {
  const last = input.findLastIndex((item) => item.role === 'user' && plain(item) !== '');
  const results = input.slice(last + 1).filter(({ type }) => type.endsWith('_output'));
  const said = input.filter(({ role }) => role === 'user').map(plain);
  return {
    prompt: last < 0 ? '' : plain(input[last] as Item),
    said: said.filter((one) => one !== ''),
    system: [instructions, ...input.filter(({ role }) => role !== 'user').map(textOf)].join('\n'),
    done: results.length,
    results: results.map(({ output }) => (typeof output === 'string' ? output : JSON.stringify(output))),
    tools: tools.map(({ name = '' }) => name),
    model,
    schema: text?.format?.type === 'json_schema',
  };
}

/** Without what the CLI itself adds in the person's name. */
function plain(item: Item): string {
  return textOf(item)
    .replaceAll(/<(environment_context|user_instructions|INSTRUCTIONS)>[\s\S]*?<\/\1>/g, '')
    .trim();
}

function textOf({ content = '' }: Item): string {
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n');
}

let answers = 0;

function respond(response: ServerResponse, model: string, step: OpenaiStep): void {
  if (step.status !== undefined) {
    const error = step.error ?? { message: 'scripted', type: 'server_error', code: String(step.status) };
    sendJson(response, step.status, { error }, step.headers);
    return;
  }
  answers += 1;
  const output = itemsOf(step);
  const usage = {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 30 },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 5 },
    total_tokens: 120,
  };
  const whole = { id: `resp_${answers}`, object: 'response', created_at: 1, model };
  response.writeHead(200, { 'content-type': 'text/event-stream', ...step.headers });
  const send = (type: string, more: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`);
  };
  send('response.created', { response: { ...whole, status: 'in_progress', output: [], usage: null } });
  if (step.broken !== undefined) {
    breakOff(response, step.broken);
    return;
  }
  for (const [at, item] of output.entries()) {
    send('response.output_item.added', { output_index: at, item: { ...item, status: 'in_progress' } });
    send('response.output_item.done', { output_index: at, item });
  }
  send('response.completed', { response: { ...whole, status: 'completed', output, usage } });
  response.end();
}

function itemsOf({ text, tools = [] }: OpenaiStep): readonly object[] {
  const content = [{ type: 'output_text', text, annotations: [] }];
  const message = { type: 'message', id: `msg_${answers}`, role: 'assistant', status: 'completed', content };
  const calls = tools.map(({ name, input }, at) => {
    const call = { id: `fc_${answers}_${at}`, call_id: `call_${answers}_${at}`, name, status: 'completed' };
    return typeof input === 'string'
      ? { type: 'custom_tool_call', ...call, input }
      : { type: 'function_call', ...call, arguments: JSON.stringify(input) };
  });
  return text === undefined ? calls : [message, ...calls];
}

function breakOff(response: ServerResponse, how: 'hang' | 'torn' | 'garbage'): void {
  if (how === 'hang') return;
  if (how === 'garbage') {
    response.end(
      'event: response.output_item.done\ndata: {"type":"response.output_item.done","item":\n\n<html>\n\n',
    );
    return;
  }
  response.write('event: response.output_item.done\ndata: {"type":"resp');
  setImmediate(() => response.destroy());
}
