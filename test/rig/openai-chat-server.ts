import type { ServerResponse } from 'node:http';
import type { ScriptedModel } from './gemini-server.ts';
import { loopbackServer, sendJson } from './loopback-server.ts';
import type { ModelRule } from './model-server.ts';

interface Message {
  readonly role: string;
  readonly content?: string | readonly { readonly text?: string }[] | null;
}

interface Asked {
  readonly model: string;
  readonly stream?: boolean;
  readonly tools?: readonly object[];
  readonly messages: readonly Message[];
}

type Step = ModelRule['steps'][number];

/** The chat completions of OpenAI on the loopback, answering by rules: where a turn is, the request itself tells. */
export async function openaiChatServer(rules: readonly ModelRule[]): Promise<ScriptedModel> {
  const prompts: string[] = [];
  const messages: string[] = [];
  const server = await loopbackServer((request, response, body) => {
    if (request.method !== 'POST' || request.url?.split('?')[0] !== '/v1/chat/completions') {
      sendJson(response, 404, { error: { message: 'there is no such thing' } });
      return;
    }
    const asked = JSON.parse(body) as Asked;
    const { prompt, done } = whereIs(asked.messages);
    const withTools = (asked.tools?.length ?? 0) > 0;
    if (withTools) {
      prompts.push(prompt);
      messages.push(body);
    }
    const rule = rules.find(({ match }) => match === undefined || prompt.includes(match));
    const step = rule?.steps[Math.min(done, rule.steps.length - 1)] ?? { text: 'ok' };
    // Titles are asked for without tools.
    respond(response, asked, withTools ? step : { text: 'a title' });
  });
  return {
    url: `${server.origin}/v1`,
    prompts,
    messages,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** The last thing that was said, and how many answers came since. */
function whereIs(messages: readonly Message[]): { readonly prompt: string; readonly done: number } {
  const last = messages.findLastIndex((message) => message.role === 'user' && textOf(message) !== '');
  const done = messages.slice(last + 1).filter(({ role }) => role === 'assistant').length;
  const message = messages[last];
  return { prompt: message === undefined ? '' : textOf(message), done };
}

function textOf({ content }: Message): string {
  if (content === undefined || content === null) return '';
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n');
}

let answers = 0;

function respond(response: ServerResponse, { model, stream }: Asked, step: Step): void {
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
