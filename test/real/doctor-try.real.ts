import { execFile } from 'node:child_process';
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Asked, ModelStep } from '../rig/model-brain.ts';
import { geminiServer } from '../rig/gemini-server.ts';
import { modelServer } from '../rig/model-server.ts';
import { openaiChatServer } from '../rig/openai-chat-server.ts';
import { openaiServer } from '../rig/openai-server.ts';
import { repository } from '../rig/repository.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { programOf } from './program-of.ts';

/*
 * `tutti doctor --try` with the real CLIs. The scripted model does the steps that the prompt names, one tool at a time, with the
 * tools that it is offered, and goes on where one was refused.
 */

type CliName = 'claude' | 'codex' | 'gemini' | 'opencode';
/** Each API has its own form of an error: one server reads `message`, another `error`. */
type Step = Pick<ModelStep, 'text' | 'tools' | 'status' | 'message'> & { readonly error?: object };
type Brain = (asked: Asked) => Step;

interface Call {
  readonly name: string;
  readonly input: object;
}

interface Tools {
  readonly read: (path: string) => Call;
  readonly write: (path: string, content: string) => Call;
  readonly shell: (command: string) => Call;
}

const tools: Readonly<Record<CliName, Tools>> = {
  claude: {
    read: (path) => ({ name: 'Read', input: { file_path: path } }),
    write: (path, content) => ({ name: 'Write', input: { file_path: path, content } }),
    shell: (command) => ({ name: 'Bash', input: { command, description: 'run it' } }),
  },
  // Everything is a command there.
  codex: {
    read: (path) => ({ name: 'exec_command', input: { cmd: `cat ${path}` } }),
    write: (path, content) => ({
      name: 'exec_command',
      input: { cmd: `printf '%s\\n' '${content}' > ${path}` },
    }),
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

/** Does what it is asked, in order; what a tool answered is where the word and the line come from. */
function obedient({ read, write, shell }: Tools): Brain {
  return ({ prompt, said, system, done, results, tools: offered }) => {
    const all = [system, ...said].join('\n');
    const word = /\b[0-9a-f]{12}\b/.exec(results[0] ?? '')?.[0] ?? 'unknown';
    const ran = results.find((text) => text.includes(`ran-${word}`)) !== undefined;
    if (!prompt.includes('word.txt')) return { text: 'I have nothing to do.' };
    if (done === 0) return { tools: [read('word.txt')] };
    if (done === 1) return { tools: [write('written.txt', word)] };
    if (done === 2) return { tools: [shell('sh run-me.sh')] };
    if (done > 3) return { text: 'done' };
    const result = {
      status: ran ? 'success' : 'failed',
      summary: ran ? `ran-${word}` : 'a step was not possible',
    };
    if (offered.includes('StructuredOutput')) return { tools: [{ name: 'StructuredOutput', input: result }] };
    const path = /(\/[^\s`"']+\/result[^\s`"']*\.json)/.exec(all)?.[1] ?? '"$TUTTI_RESULT"';
    return { tools: [shell(`printf '%s' '${JSON.stringify(result)}' > ${path}`)] };
  };
}

function refusing(status: number, message: string): Step {
  return { status, message, error: { message, type: 'invalid_request_error' } };
}

interface World extends AsyncDisposable {
  /** What is added to the environment of the person. */
  readonly env: Readonly<Record<string, string>>;
  /** The variable that holds the key. */
  readonly key: string;
}

/** A home in which the CLI uses a model on the loopback. */
const worlds: Readonly<Record<CliName, (home: string, brain: Brain) => Promise<World>>> = {
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

interface Tried {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

interface TrialOptions {
  readonly brain?: Brain;
  readonly withoutKey?: boolean;
  /** Front matter of the executor; absent: the built-in agent. */
  readonly agentTools?: string;
}

async function tryOut(
  cli: CliName,
  { brain, withoutKey = false, agentTools }: TrialOptions = {},
): Promise<Tried> {
  const { program } = await programOf(cli);
  using root = tempFolder();
  const at = (name: string): string => join(realpathSync(root.path), name);
  for (const name of ['bin', 'home', 'project', 'tmp']) mkdirSync(at(name));
  symlinkSync(program, join(at('bin'), cli));
  await using world = await worlds[cli](at('home'), brain ?? obedient(tools[cli]));
  writeFileSync(
    join(at('project'), 'tutti.yaml'),
    `driver: ${cli}\ndrivers: {${cli}: ${{ claude: '{type: claude, allowed_tools: [Bash, Read, Write]}', codex: '{type: codex}', gemini: '{type: acp, preset: gemini, permissions: allow}', opencode: '{type: acp, preset: opencode, permissions: allow}' }[cli]}}\nenv: [ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY, GOOGLE_GEMINI_BASE_URL, CLAUDE_CODE_MAX_RETRIES]\n`,
  );
  if (agentTools !== undefined) {
    mkdirSync(join(at('project'), 'agents'));
    const text = `---\ndescription: Executes\ntools: ${agentTools}\nallow: [code]\n---\nYou carry out one task.\n`;
    writeFileSync(join(at('project'), 'agents/task-executor.md'), text);
  }
  const { [world.key]: key, ...rest } = world.env;
  const env = {
    PATH: [at('bin'), dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
    HOME: at('home'),
    TMPDIR: at('tmp'),
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    ...rest,
    ...(withoutKey || key === undefined ? {} : { [world.key]: key }),
  };
  return await new Promise((resolve) => {
    const args = [repository('bin/tutti.js'), 'doctor', '--try'];
    execFile(process.execPath, args, { cwd: at('project'), env }, (error, out, err) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err });
    });
  });
}

const names = ['claude', 'codex', 'gemini', 'opencode'] as const;
const limit = { timeout: 180_000 };

test.for(names)(
  'doctor --try with %s says what it costs and proves read, write, command and result',
  limit,
  async (cli) => {
    const { code, out, err } = await tryOut(cli);
    expect(err).toMatch(
      new RegExp(`^This runs one small turn with ${cli}: .* tokens, at most [\\d,]+\\.\n$`),
    );
    expect(out, err).toMatch(
      /^✔ read .*\n✔ write .*\n✔ command .*\n✔ result .*\nmodel .*\n\w+ works here\n$/,
    );
    expect(code).toBe(0);
  },
);

test.for(names)('doctor --try with %s and without a key names what is missing', limit, async (cli) => {
  // A server that sees no key says so, where the CLI asks it without one.
  const { code, out } = await tryOut(cli, { withoutKey: true, brain: () => refusing(401, 'no key') });
  expect(out).toMatch(/^✘ read /);
  expect(out).toMatch(
    /does not work here: .*(?:none of [A-Z_, ]+ is set|needs [A-Z_]+|[A-Z_]+ is not set).*\n {2}→ (?:sign in: |export )/,
  );
  expect(code).toBe(69);
});

test.for(names)('doctor --try with %s and a key that is refused says so', limit, async (cli) => {
  const { code, out } = await tryOut(cli, { brain: () => refusing(401, 'invalid x-api-key') });
  expect(out).toMatch(/^✘ read /);
  expect(out).toMatch(/does not work here: .*(?:refused|401|sign-in|key)/i);
  expect(code).toBe(69);
});

test.for(names)('doctor --try with %s and a model that does not exist says so', limit, async (cli) => {
  const { code, out } = await tryOut(cli, {
    brain: ({ model }) => refusing(404, `The model ${model} does not exist`),
  });
  expect(out).toMatch(/^✘ read /);
  expect(out).toMatch(/does not work here: the model .*is not known[\s\S]*→ name another one: .*models/i);
  expect(code).toBe(69);
});

test.for(names)(
  'doctor --try with %s and an executor without a shell says that no command ran',
  limit,
  async (cli) => {
    const { code, out } = await tryOut(cli, { agentTools: 'Read, Write, Edit' });
    expect(out).toMatch(/✘ command /);
    expect(code).toBe(69);
  },
);

test.for(names)(
  'doctor --try with %s and a read-only executor says that it could not write',
  limit,
  async (cli) => {
    const { code, out } = await tryOut(cli, { agentTools: 'Read, Grep' });
    expect(out).toMatch(/✔ read[^\n]*\n✘ write /);
    expect(out).toContain('does not work here: the agent could not write in its workspace');
    expect(code).toBe(69);
  },
);
