import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { geminiServer } from '../rig/gemini-server.ts';
import type { Brain, ModelStep } from '../rig/model-brain.ts';
import { modelServer } from '../rig/model-server.ts';
import { openaiChatServer } from '../rig/openai-chat-server.ts';
import { openaiServer } from '../rig/openai-server.ts';
import { claudeHome } from './claude-home.ts';

type ToolCall = NonNullable<ModelStep['tools']>[number];

/** A person who has installed one agent CLI, is signed in, and has configured nothing else. */
export interface Person extends AsyncDisposable {
  /** The person's shell: the CLI is on PATH, its settings are in HOME. */
  readonly env: Readonly<Record<string, string>>;
  readonly home: string;
  /** What was said to the model each time it was asked for an answer. */
  readonly prompts: () => readonly string[];
  /** Measured tokens of each of those requests. */
  readonly tokens: () => readonly number[];
}

export type PersonCli = keyof typeof people;

/** The CLI's own name for "run this in a shell". */
export const shellCalls: Readonly<Record<PersonCli, (command: string) => ToolCall>> = {
  claude: (command) => ({ name: 'Bash', input: { command, description: 'work' } }),
  codex: (cmd) => ({ name: 'exec_command', input: { cmd } }),
  gemini: (command) => ({ name: 'run_shell_command', input: { command } }),
  opencode: (command) => ({ name: 'bash', input: { command, description: 'work' } }),
};

interface Settled {
  readonly env: Readonly<Record<string, string>>;
  readonly server: AsyncDisposable;
  readonly prompts: () => readonly string[];
  readonly tokens: () => readonly number[];
}

const people = {
  claude: async (folder: string, brain: Brain): Promise<Settled> => {
    const server = await modelServer(brain);
    const { PATH: _path, HOME: _home, TMPDIR: _tmp, ...env } = claudeHome(folder, folder, server);
    return { env, server, prompts: () => server.prompts, tokens: () => server.tokens };
  },
  codex: async (folder: string, brain: Brain): Promise<Settled> => {
    const server = await openaiServer(brain);
    const lines = [
      'model_provider = "scripted"',
      '[model_providers.scripted]',
      'name = "scripted"',
      `base_url = "${server.url}"`,
      'env_key = "OPENAI_API_KEY"',
      'wire_api = "responses"',
      'request_max_retries = 0',
      'stream_max_retries = 0',
      '[features]',
      'plugins = false',
    ];
    writeSettings(join(folder, 'home/.codex/config.toml'), `${lines.join('\n')}\n`);
    return {
      env: { OPENAI_API_KEY: 'sk-scripted' },
      server,
      prompts: () => server.requests.map(({ prompt }) => prompt),
      tokens: () => server.requests.map(({ tokens }) => tokens),
    };
  },
  gemini: async (folder: string, brain: Brain): Promise<Settled> => {
    const server = await geminiServer(brain);
    const settings = {
      general: { maxAttempts: 1 },
      security: { auth: { selectedType: 'gemini-api-key' } },
    };
    writeSettings(join(folder, 'home/.gemini/settings.json'), JSON.stringify(settings));
    return {
      env: { GEMINI_API_KEY: 'scripted', GOOGLE_GEMINI_BASE_URL: server.url },
      server,
      prompts: () => server.prompts,
      tokens: () => server.tokens,
    };
  },
  opencode: async (folder: string, brain: Brain): Promise<Settled> => {
    const server = await openaiChatServer(brain);
    const options = { baseURL: server.url, apiKey: 'scripted' };
    const models = { scripted: { name: 'Scripted', limit: { context: 1_000_000, output: 8192 } } };
    const provider = { scripted: { npm: '@ai-sdk/openai-compatible', options, models } };
    const settings = { provider, model: 'scripted/scripted', small_model: 'scripted/scripted' };
    writeSettings(join(folder, 'home/.config/opencode/opencode.json'), JSON.stringify(settings));
    return {
      env: { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' },
      server,
      prompts: () => server.prompts,
      tokens: () => server.tokens,
    };
  },
} as const;

/** `program` is the CLI itself; it is found on PATH under its own name, as after an install. */
export async function personWith(
  cli: PersonCli,
  program: string,
  folder: string,
  brain: Brain,
): Promise<Person> {
  const [home, bin, tmp] = [join(folder, 'home'), join(folder, 'bin'), join(folder, 'tmp')];
  for (const path of [home, bin, tmp]) mkdirSync(path, { recursive: true });
  symlinkSync(program, join(bin, cli));
  const { env, server, ...seen } = await people[cli](folder, brain);
  const path = [bin, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':');
  return {
    home,
    env: { PATH: path, HOME: home, TMPDIR: tmp, LANG: 'C.UTF-8', TERM: 'dumb', ...env },
    ...seen,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function writeSettings(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
