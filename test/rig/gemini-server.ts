import type { ServerResponse } from 'node:http';
import { loopbackServer, sendJson } from './loopback-server.ts';
import type { ModelRule } from './model-server.ts';

export interface ScriptedModel extends AsyncDisposable {
  readonly url: string;
  /** What was said to it, as often as it was asked with tools. */
  readonly prompts: readonly string[];
  /** The whole of those requests. */
  readonly messages: readonly string[];
}

interface Part {
  readonly text?: string;
  readonly functionResponse?: object;
}

interface Content {
  readonly role: string;
  readonly parts: readonly Part[];
}

interface Asked {
  readonly contents?: readonly Content[];
  readonly tools?: readonly object[];
}

type Step = ModelRule['steps'][number];

/** What the CLI itself adds in the person's name. */
const added = /<(session_context|system-reminder)>[\s\S]*?<\/\1>/g;

/** The Gemini API on the loopback, answering by rules: where a turn is, the request itself tells, so nothing is kept. */
export async function geminiServer(rules: readonly ModelRule[]): Promise<ScriptedModel> {
  const prompts: string[] = [];
  const messages: string[] = [];
  const server = await loopbackServer((request, response, body) => {
    const [, method = ''] = /\/models\/[^:]+:(\w+)/.exec(request.url ?? '') ?? [];
    if (method === 'countTokens') sendJson(response, 200, { totalTokens: 100 });
    else if (method.endsWith('enerateContent')) {
      const asked = JSON.parse(body) as Asked;
      const { prompt, done } = whereIs(asked.contents ?? []);
      const withTools = (asked.tools?.length ?? 0) > 0;
      if (withTools) {
        prompts.push(prompt);
        messages.push(body);
      }
      const rule = rules.find(({ match }) => match === undefined || prompt.includes(match));
      const step = rule?.steps[Math.min(done, rule.steps.length - 1)] ?? { text: 'ok' };
      // Side questions, such as which model is to answer, come without tools.
      respond(response, method, withTools ? step : { text: '{"reasoning":"none","model_choice":"flash"}' });
    } else sendJson(response, 404, { error: { code: 404, message: 'there is no such thing' } });
  });
  return {
    url: server.origin,
    prompts,
    messages,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** The last plain thing that was said, and how many answers came since. */
function whereIs(contents: readonly Content[]): { readonly prompt: string; readonly done: number } {
  const last = contents.findLastIndex((content) => content.role === 'user' && plain(content) !== '');
  const done = contents.slice(last + 1).filter(({ role }) => role === 'model').length;
  const content = contents[last];
  return { prompt: content === undefined ? '' : plain(content), done };
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

function respond(response: ServerResponse, method: string, step: Step): void {
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
