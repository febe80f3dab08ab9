import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelRule } from '../rig/model-brain.ts';
import { type OpenaiRule, openaiServer } from '../rig/openai-server.ts';
import { acpCells } from './acp-cells.ts';

/** The same in the words of the other server. */
function ruleOf({ steps, ...rule }: ModelRule): OpenaiRule {
  return { ...rule, steps: steps.map(stepOf) };
}

function stepOf({ hang, raw, message, ...step }: ModelRule['steps'][number]): OpenaiRule['steps'][number] {
  if (hang === true) return { broken: 'hang' };
  if (raw !== undefined) return { broken: 'garbage' };
  return message === undefined ? step : { ...step, error: { message, type: 'error', code: 'scripted' } };
}

acpCells({
  cli: 'codex-acp',
  model: 'gpt-5.5',
  serve: async (rules) => {
    const server = await openaiServer(rules.map(ruleOf));
    return {
      url: server.url,
      get prompts() {
        return server.requests.map(({ prompt }) => prompt);
      },
      get messages() {
        return server.requests.map(({ body }) => body);
      },
      get tokens() {
        return server.requests.map(({ tokens }) => tokens);
      },
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  },
  settle: ({ home }, { url }) => {
    mkdirSync(join(home, '.codex'), { recursive: true });
    const lines = [
      'model_provider = "fake"',
      'model = "gpt-5.5"',
      '[model_providers.fake]',
      'name = "fake"',
      `base_url = "${url}"`,
      'env_key = "FAKE_KEY"',
      'wire_api = "responses"',
      'request_max_retries = 0',
      'stream_max_retries = 0',
      '[features]',
      'plugins = false',
    ];
    writeFileSync(join(home, '.codex/config.toml'), `${lines.join('\n')}\n`);
    return { FAKE_KEY: 'sk-fake' };
  },
  write: (path, content) => ({
    name: 'apply_patch',
    input: `*** Begin Patch\n*** Add File: ${path}\n+${content}\n*** End Patch\n`,
  }),
  run: (cmd) => ({ name: 'exec_command', input: { cmd } }),
  runAsking: (cmd) => ({
    name: 'exec_command',
    input: { cmd, sandbox_permissions: 'require_escalated', justification: 'may I?' },
  }),
  deniedEditEnds: true,
  // 4 answers of 100 and 20 tokens; 30 of the hundred are told as cached, beside the others.
  usage: { inputTokens: 280, outputTokens: 80 },
  quietMs: () => 30_000,
  sigterm: 'failed',
  signIn: '`codex login`',
  troubles: {
    'limit-429': ['limit', /429/],
    'api-500': ['failed', /high demand/],
    'overload-529': ['limit', /529/],
    malformed: ['failed', /stream disconnected/],
  },
});
