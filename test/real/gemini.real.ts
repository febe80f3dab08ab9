import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { geminiServer } from '../rig/gemini-server.ts';
import { acpCells } from './acp-cells.ts';

acpCells({
  cli: 'gemini',
  model: 'gemini-2.5-flash',
  serve: geminiServer,
  settle: ({ home }, { url }) => {
    // It would try ten times, for minutes.
    const general = { maxAttempts: 1 };
    const settings = { general, security: { auth: { selectedType: 'gemini-api-key' } } };
    mkdirSync(join(home, '.gemini'), { recursive: true });
    writeFileSync(join(home, '.gemini/settings.json'), JSON.stringify(settings));
    return { GEMINI_API_KEY: 'not-a-key', GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_TRUST_WORKSPACE: 'true' };
  },
  // It names the file of a conversation by the minute and the first part of its id, and begins by emptying the file of that
  // name: a conversation that goes on within the minute in which it began is lost.
  later: ({ home }) => {
    const chats = join(home, '.gemini/tmp/work/chats');
    for (const name of readdirSync(chats)) {
      renameSync(
        join(chats, name),
        join(chats, name.replace(/session-[\dT-]{16}/, 'session-2026-01-01T00-00')),
      );
    }
  },
  write: (path, content) => ({ name: 'write_file', input: { file_path: path, content } }),
  run: (command) => ({ name: 'run_shell_command', input: { command } }),
  others: (prompt) => [
    { name: 'google_web_search', input: { query: prompt } },
    { name: 'web_fetch', input: { prompt: `${prompt} http://127.0.0.1:9/` } },
    { name: 'list_background_processes', input: {} },
    { name: 'invoke_agent', input: { agent_name: 'codebase_investigator', prompt } },
  ],
  runBehind: (command) => ({ name: 'run_shell_command', input: { command, is_background: true } }),
  usage: { inputTokens: 400, outputTokens: 80, costUsd: null },
  quietMs: () => 45_000,
  sigterm: 'timeout',
  signIn: 'set GEMINI_API_KEY',
  troubles: {
    'limit-429': ['limit', /429/],
    'api-500': ['failed', /500/],
    'overload-529': ['limit', /529/],
    malformed: ['failed', /Unexpected token/],
  },
});
