import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { shellWord } from '../../src/lib/shell-word.ts';
import { geminiServer } from '../rig/gemini-server.ts';
import type { Asked, ModelStep } from '../rig/model-brain.ts';
import { modelServer } from '../rig/model-server.ts';
import { openaiChatServer } from '../rig/openai-chat-server.ts';
import { openaiServer } from '../rig/openai-server.ts';

export type CliName = 'claude' | 'codex' | 'gemini' | 'opencode';

/** Each API has its own form of an error: one server reads `message`, another `error`. */
export type CliStep = Pick<ModelStep, 'text' | 'tools' | 'status' | 'message'> & { readonly error?: object };
export type CliBrain = (asked: Asked) => CliStep;

interface Call {
  readonly name: string;
  readonly input: object;
}

export interface CliTools {
  readonly read: (path: string) => Call;
  readonly write: (path: string, content: string) => Call;
  readonly shell: (command: string) => Call;
}

/** How a model reads, writes and runs commands through each CLI. */
export const cliTools: Readonly<Record<CliName, CliTools>> = {
  claude: {
    read: (path) => ({ name: 'Read', input: { file_path: path } }),
    write: (path, content) => ({ name: 'Write', input: { file_path: path, content } }),
    shell: (command) => ({ name: 'Bash', input: { command, description: 'run it' } }),
  },
  // Everything is a command there.
  codex: {
    read: (path) => ({ name: 'exec_command', input: { cmd: `cat ${shellWord(path)}` } }),
    write: (path, content) => {
      const [folder, file] = [dirname(path), path].map(shellWord);
      const cmd = `mkdir -p ${folder} && printf '%s' ${shellWord(content)} > ${file}`;
      return { name: 'exec_command', input: { cmd } };
    },
    shell: (command) => ({ name: 'exec_command', input: { cmd: command } }),
  },
  gemini: {
    read: (path) => ({ name: 'read_file', input: { file_path: path, absolute_path: path } }),
    write: (path, content) => ({ name: 'write_file', input: { file_path: path, content } }),
    shell: (command) => ({ name: 'run_shell_command', input: { command } }),
  },
  opencode: {
    read: (path) => ({ name: 'read', input: { filePath: path } }),
    write: (path, content) => ({ name: 'write', input: { filePath: path, content } }),
    shell: (command) => ({ name: 'bash', input: { command, description: 'run it' } }),
  },
};

export interface CliWorld extends AsyncDisposable {
  /** What is added to the environment of the person. */
  readonly env: Readonly<Record<string, string>>;
  /** The variable that holds the key. */
  readonly key: string;
}

/** A home in which the CLI uses a model on the loopback. */
export const cliWorlds: Readonly<Record<CliName, (home: string, brain: CliBrain) => Promise<CliWorld>>> = {
  claude: async (_home, brain) => {
    const server = await modelServer(brain);
    const env = {
      ANTHROPIC_BASE_URL: server.url,
      ANTHROPIC_API_KEY: `sk-fake-${'0123456789'.repeat(4)}`,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      CLAUDE_CODE_MAX_RETRIES: '0',
    };
    return { env, key: 'ANTHROPIC_API_KEY', [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
  },
  codex: async (home, brain) => {
    const server = await openaiServer(brain);
    const lines = [
      'model = "gpt-5.5"',
      'model_provider = "fake"',
      '[features]',
      'plugins = false',
      '[model_providers.fake]',
      'name = "fake"',
      `base_url = "${server.url}"`,
      'env_key = "OPENAI_API_KEY"',
      'wire_api = "responses"',
      'request_max_retries = 0',
      'stream_max_retries = 0',
    ];
    mkdirSync(join(home, '.codex'));
    writeFileSync(join(home, '.codex/config.toml'), lines.join('\n'));
    return {
      env: { OPENAI_API_KEY: 'x' },
      key: 'OPENAI_API_KEY',
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  },
  gemini: async (home, brain) => {
    const server = await geminiServer(brain);
    const settings = { security: { auth: { selectedType: 'gemini-api-key' } } };
    mkdirSync(join(home, '.gemini'));
    writeFileSync(join(home, '.gemini/settings.json'), JSON.stringify(settings));
    const env = { GEMINI_API_KEY: 'x', GOOGLE_GEMINI_BASE_URL: server.url };
    return { env, key: 'GEMINI_API_KEY', [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
  },
  opencode: async (home, brain) => {
    const server = await openaiChatServer(brain);
    const models = { scripted: { name: 'Scripted', limit: { context: 1_000_000, output: 8192 } } };
    const options = { baseURL: server.url, apiKey: '{env:OPENAI_API_KEY}' };
    const provider = { fake: { npm: '@ai-sdk/openai-compatible', options, models } };
    const settings = { provider, model: 'fake/scripted', small_model: 'fake/scripted' };
    mkdirSync(join(home, '.config/opencode'), { recursive: true });
    writeFileSync(join(home, '.config/opencode/opencode.json'), JSON.stringify(settings));
    return {
      env: { OPENAI_API_KEY: 'x', OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' },
      key: 'OPENAI_API_KEY',
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  },
};
