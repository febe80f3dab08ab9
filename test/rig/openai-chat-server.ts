import type { ServerResponse } from 'node:http';
import type { ScriptedModel } from './gemini-server.ts';
import { loopbackServer, sendJson } from './loopback-server.ts';
import {
  type Asked,
  type Brain,
  brainOf,
  measuredTokens,
  type ModelRule,
  type ModelStep,
} from './model-brain.ts';

interface Message {
  readonly role: string;
  readonly content?: string | readonly { readonly text?: string }[] | null;
}

interface Request {
  readonly model: string;
  readonly stream?: boolean;
  readonly tools?: readonly { readonly function?: { readonly name: string } }[];
  readonly messages: readonly Message[];
}

/** The chat completions of OpenAI on the loopback. Where a turn is, the request itself tells. */
export async function openaiChatServer(script: Brain | readonly ModelRule[]): Promise<ScriptedModel> {
  const brain = brainOf(script);
  const tokens: number[] = [];
  const prompts: string[] = [];
  const messages: string[] = [];
  const server = await loopbackServer((request, response, body) => {
    if (request.method !== 'POST' || request.url?.split('?')[0] !== '/v1/chat/completions') {
      sendJson(response, 404, { error: { message: 'there is no such thing' } });
      return;
    }
    const sent = JSON.parse(body) as Request;
    // Titles are asked for without tools.
    if ((sent.tools?.length ?? 0) === 0) {
      respond(response, sent, { text: 'a title' });
      return;
    }
    const asked = askedIn(sent);
    prompts.push(asked.prompt);
    messages.push(body);
    tokens.push(measuredTokens(body));
    respond(response, sent, brain(asked));
  });
  return {
    url: `${server.origin}/v1`,
    prompts,
    messages,
    tokens,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function askedIn({ messages, tools = [], model }: Request): Asked {
  const last = messages.findLastIndex((message) => message.role === 'user' && textOf(message) !== '');
  const since = messages.slice(last + 1);
  const textsOf = (wanted: string, among = messages): readonly string[] =>
    among.filter(({ role }) => role === wanted).map(textOf);
  return {
    prompt: last < 0 ? '' : textOf(messages[last] as Message),
    said: textsOf('user').filter((text) => text !== ''),
    system: textsOf('system').join('\n'),
    done: textsOf('assistant', since).length,
    results: textsOf('tool', since),
    tools: tools.map((tool) => tool.function?.name ?? ''),
    model,
    schema: false,
  };
}

function textOf({ content }: Message): string {
  if (content === undefined || content === null) return '';
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n');
}

let answers = 0;

function respond(response: ServerResponse, { model, stream }: Request, step: ModelStep): void {
  if (step.hang === true) return;
  if (step.status !== undefined) {
    const error = { message: step.message ?? 'scripted', type: 'error', code: step.status };
    sendJson(response, step.status, { error }, step.headers);
    return;
  }
  answers += 1;
  const calls = (step.tools ?? []).map(({ name, input }, index) => ({
    index,
    id: `call_${answers}_${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };
  const base = { id: `chatcmpl-${answers}`, created: 1, model };
  const reason = calls.length === 0 ? 'stop' : 'tool_calls';
  if (stream !== true) {
    const message = { role: 'assistant', content: step.text ?? null, tool_calls: calls };
    const choices = [{ index: 0, message, finish_reason: reason }];
    sendJson(response, 200, { ...base, object: 'chat.completion', choices, usage });
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (step.raw !== undefined) {
    response.end(step.raw);
    return;
  }
  const send = (more: object): void => {
    response.write(`data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', ...more })}\n\n`);
  };
  const chunk = (delta: object, finish: string | null = null): void => {
    send({ choices: [{ index: 0, delta, finish_reason: finish }] });
  };
  chunk({ role: 'assistant', content: step.text ?? '' });
  if (calls.length > 0) chunk({ tool_calls: calls });
  chunk({}, reason);
  send({ choices: [], usage });
  response.end('data: [DONE]\n\n');
}
