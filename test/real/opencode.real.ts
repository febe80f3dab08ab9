import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openaiChatServer } from '../rig/openai-chat-server.ts';
import { acpCells } from './acp-cells.ts';

acpCells({
  cli: 'opencode',
  model: 'fake/scripted',
  serve: openaiChatServer,
  settle: ({ home }, { url }) => {
    const limit = { context: 1_000_000, output: 8192 };
    const provider = {
      npm: '@ai-sdk/openai-compatible',
      options: { baseURL: url, apiKey: 'not-a-key' },
      models: {
        scripted: { name: 'Scripted', limit, cost: { input: 1000, output: 2000 } },
        other: { name: 'Other', limit },
      },
    };
    const settings = { provider: { fake: provider }, model: 'fake/other', small_model: 'fake/other' };
    mkdirSync(join(home, '.config/opencode'), { recursive: true });
    writeFileSync(join(home, '.config/opencode/opencode.json'), JSON.stringify(settings));
    return { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' };
  },
  write: (filePath, content) => ({ name: 'write', input: { filePath, content } }),
  run: (command) => ({ name: 'bash', input: { command, description: 'x' } }),
  others: (prompt) => [
    { name: 'task', input: { description: 'look', prompt, subagent_type: 'general' } },
    { name: 'webfetch', input: { url: 'http://127.0.0.1:9/', format: 'text' } },
    { name: 'websearch', input: { query: prompt } },
  ],
  // 4 answers of 100 and 20 tokens at 1000 and 2000 dollars the million.
  usage: { inputTokens: null, outputTokens: null, costUsd: expect.closeTo(0.56) },
  // Once as it is by default: it is given up a minute after its log first told of the limit.
  quietMs: (name) => (name === 'limit-429' ? 600_000 : 30_000),
  sigterm: 'failed',
  signIn: '`opencode auth login`',
  troubles: {
    'limit-429': ['limit', /again and again.*Rate limit reached/],
    // It tries again for ever, and tells that in its log only.
    'api-500': ['failed', /quiet_timeout.*The server had an error/],
    'overload-529': ['limit', /quiet_timeout.*Overloaded/],
    malformed: ['failed', /./],
  },
});
