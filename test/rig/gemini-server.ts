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

export interface ScriptedModel extends AsyncDisposable {
  readonly url: string;
  /** What was said to it, as often as it was asked with tools. */
  readonly prompts: readonly string[];
  /** The whole of those requests. */
  readonly messages: readonly string[];
  /** Tokens of each of them, measured from its bytes. */
  readonly tokens: readonly number[];
}

interface Part {
  readonly text?: string;
  readonly functionResponse?: { readonly response?: object };
}

interface Content {
  readonly role: string;
  readonly parts: readonly Part[];
}

interface Request {
  readonly contents?: readonly Content[];
  readonly systemInstruction?: { readonly parts?: readonly Part[] };
  readonly tools?: readonly { readonly functionDeclarations?: readonly { readonly name: string }[] }[];
}

/** What the CLI itself adds in the person's name. */
const added = /<(session_context|system-reminder)>[\s\S]*?<\/\1>/g;

/** The Gemini API on the loopback. Where a turn is, the request itself tells, so nothing is kept. */
export async function geminiServer(script: Brain | readonly ModelRule[]): Promise<ScriptedModel> {
  const brain = brainOf(script);
  const tokens: number[] = [];
  const prompts: string[] = [];
  const messages: string[] = [];
  const server = await loopbackServer((request, response, body) => {
    const [, model = '', method = ''] = /\/models\/([^:]+):(\w+)/.exec(request.url ?? '') ?? [];
    if (method === 'countTokens') sendJson(response, 200, { totalTokens: 100 });
    else if (method.endsWith('enerateContent')) {
      const sent = JSON.parse(body) as Request;
      // Side questions, such as which model is to answer, come without tools.
      if ((sent.tools?.length ?? 0) === 0) {
        respond(response, method, { text: '{"reasoning":"none","model_choice":"flash"}' });
        return;
      }
      const asked = askedIn(sent, model);
      prompts.push(asked.prompt);
      messages.push(body);
      tokens.push(measuredTokens(body));
      respond(response, method, brain(asked));
    } else sendJson(response, 404, { error: { code: 404, message: 'there is no such thing' } });
  });
  return {
    url: server.origin,
    prompts,
    messages,
    tokens,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function askedIn({ contents = [], systemInstruction, tools = [] }: Request, model: string): Asked {
  const last = contents.findLastIndex((content) => content.role === 'user' && plain(content) !== '');
  const since = contents.slice(last + 1);
  const said = contents.filter(({ role }) => role === 'user').map(plain);
  const results = since.flatMap(({ parts }) =>
    parts.flatMap(({ functionResponse }) => functionResponse ?? []),
  );
  return {
    prompt: last < 0 ? '' : plain(contents[last] as Content),
    said: said.filter((text) => text !== ''),
    system: (systemInstruction?.parts ?? []).map(({ text = '' }) => text).join('\n'),
    done: since.filter(({ role }) => role === 'model').length,
    results: results.map(({ response }) => JSON.stringify(response)),
    tools: tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name)),
    model,
    schema: false,
  };
}

function plain({ parts }: Content): string {
  if (parts.some(({ functionResponse }) => functionResponse !== undefined)) return '';
  return parts
    .map(({ text = '' }) => text)
    .join('\n')
    .replaceAll(added, '')
    .trim();
}

const statusWords: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  529: 'UNAVAILABLE',
};

function respond(response: ServerResponse, method: string, step: ModelStep): void {
  if (step.hang === true) return;
  if (step.status !== undefined) {
    const error = {
      code: step.status,
      message: step.message ?? 'scripted',
      status: statusWords[step.status],
    };
    sendJson(response, step.status, { error }, step.headers);
    return;
  }
  const stream = method === 'streamGenerateContent';
  if (stream) response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (step.raw !== undefined) {
    response.end(step.raw);
    return;
  }
  const calls = (step.tools ?? []).map(({ name, input }) => ({ functionCall: { name, args: input } }));
  const parts = [...(step.text === undefined ? [] : [{ text: step.text }]), ...calls];
  const whole = {
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 },
    modelVersion: 'scripted',
  };
  if (stream) response.end(`data: ${JSON.stringify(whole)}\n\n`);
  else sendJson(response, 200, whole);
}
