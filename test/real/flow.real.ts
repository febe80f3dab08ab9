import { chmodSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { initDemo } from '../../src/app/init/init.ts';
import { advanceRun } from '../../src/app/runs/advance-run.ts';
import { checkFlow } from '../../src/app/runs/start-flow.ts';

import { geminiServer } from '../rig/gemini-server.ts';
import type { ModelStep } from '../rig/model-brain.ts';
import { modelServer } from '../rig/model-server.ts';
import { openaiChatServer } from '../rig/openai-chat-server.ts';
import { openaiServer } from '../rig/openai-server.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { outsideTmp } from './cli-place.ts';
import { claudeHome } from './claude-home.ts';
import { ownResult, structuredAnswer } from './handed-over.ts';
import type { Cli } from './install.ts';
import { programOf } from './program-of.ts';
import { openTutti, startFlow } from '../rig/trust.ts';

const farewell = `echo 'Goodbye.' > goodbye.txt`;
const greeting = `echo 'Hello, everybody.' > hello.txt`;
const written = ownResult({ summary: 'written' });
const writeResult = `echo '${JSON.stringify(written)}' > "$TUTTI_RESULT"`;

type Tool = (command: string) => { readonly name: string; readonly input: object };
type Step = Pick<ModelStep, 'text' | 'tools'>;

/** What the agents of the example do: the greeting or the farewell, and their result as structured output or as a file. */
function rules(tool: Tool, structured: Step | null = null) {
  const steps = (work: string): readonly Step[] =>
    structured === null
      ? [{ tools: [tool(`${work} && ${writeResult}`)] }, { text: 'done' }]
      : [{ tools: [tool(work)] }, structured, { text: 'done' }];
  return [{ match: 'farewell', steps: steps(farewell) }, { steps: steps(greeting) }];
}

const agent = `prompt=$(cat)
case $prompt in
  *farewell*) ${farewell} ;;
  *) ${greeting} ;;
esac
${writeResult}
`;

interface Setup extends AsyncDisposable {
  readonly driver: object;
  readonly env: Readonly<Record<string, string>>;
}

type Make = (folder: string, home: string, program: string) => Promise<Setup>;

const nothing = async (): Promise<void> => undefined;

/** By the name of the driver in the configuration: the one line that changes. */
const setups: Readonly<Record<string, readonly [cli: Cli | null, make: Make]>> = {
  replay: [null, async () => ({ driver: {}, env: {}, [Symbol.asyncDispose]: nothing })],
  command: [
    null,
    async (folder) => {
      writeFileSync(join(folder, 'agent.sh'), agent);
      const driver = { type: 'command', command: ['sh', './agent.sh'] };
      return { driver, env: {}, [Symbol.asyncDispose]: nothing };
    },
  ],
  claude: [
    'claude',
    async (folder, home, program) => {
      const server = await modelServer(
        rules(
          (command) => ({ name: 'Bash', input: { command, description: 'work' } }),
          structuredAnswer.claude(written),
        ),
      );
      const {
        PATH: _path,
        HOME: _home,
        TMPDIR: _tmp,
        LANG: _lang,
        ...env
      } = claudeHome(dirname(home), folder, server);
      const driver = { type: 'claude', program, allowed_tools: ['Bash'] };
      return { driver, env, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
    },
  ],
  codex: [
    'codex',
    async (_folder, _home, program) => {
      const server = await openaiServer(
        rules((cmd) => ({ name: 'exec_command', input: { cmd } }), structuredAnswer.codex(written)),
      );
      const fake = { name: 'fake', base_url: server.url, env_key: 'FAKE_KEY', wire_api: 'responses' };
      const config = { model_provider: 'fake', 'model_providers.fake': fake, 'features.plugins': false };
      const driver = { type: 'codex', program, models: { medium: 'gpt-5.5' }, config };
      return { driver, env: { FAKE_KEY: 'x' }, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
    },
  ],
  gemini: [
    'gemini',
    async (_folder, home, program) => {
      const server = await geminiServer(
        rules((command) => ({ name: 'run_shell_command', input: { command } })),
      );
      const settings = { security: { auth: { selectedType: 'gemini-api-key' } } };
      mkdirSync(join(home, '.gemini'), { recursive: true });
      writeFileSync(join(home, '.gemini/settings.json'), JSON.stringify(settings));
      const driver = {
        type: 'acp',
        command: [program, '--acp', '-m', 'gemini-2.5-flash'],
        permissions: 'allow',
      };
      const env = {
        GEMINI_API_KEY: 'x',
        GOOGLE_GEMINI_BASE_URL: server.url,
        GEMINI_CLI_TRUST_WORKSPACE: 'true',
      };
      return { driver, env, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
    },
  ],
  opencode: [
    'opencode',
    async (_folder, home, program) => {
      const server = await openaiChatServer(
        rules((command) => ({ name: 'bash', input: { command, description: 'work' } })),
      );
      const options = { baseURL: server.url, apiKey: 'x' };
      const models = { scripted: { name: 'Scripted', limit: { context: 1_000_000, output: 8192 } } };
      const provider = { fake: { npm: '@ai-sdk/openai-compatible', options, models } };
      const settings = { provider, model: 'fake/scripted', small_model: 'fake/scripted' };
      mkdirSync(join(home, '.config/opencode'), { recursive: true });
      writeFileSync(join(home, '.config/opencode/opencode.json'), JSON.stringify(settings));
      const driver = { type: 'acp', command: [program, 'acp'], permissions: 'allow' };
      const env = { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' };
      return { driver, env, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
    },
  ],
};

test.each(Object.entries(setups))(
  'the example runs unchanged on %s: one line of the configuration',
  {
    timeout: 120_000,
  },
  async (name, [cli, make]) => {
    const { program } = cli === null ? { program: '' } : await programOf(cli);
    using root = tempFolder(outsideTmp);
    const [folder, home] = [join(realpathSync(root.path), 'project'), join(realpathSync(root.path), 'home')];
    for (const path of [folder, home]) mkdirSync(path);
    const made = initDemo(folder, { HOME: home });
    if (!made.ok) throw new Error(made.error.message);
    await using setup = await make(folder, home, program);
    const file = join(folder, 'tutti.yaml');
    const config = parse(readFileSync(file, 'utf8')) as { drivers: object };
    const drivers = name === 'replay' ? config.drivers : { ...config.drivers, [name]: setup.driver };
    writeFileSync(file, stringify({ ...config, driver: name, drivers, env: Object.keys(setup.env) }));
    chmodSync(file, 0o644);

    const path = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
    const tmp = join(home, '..', 'tmp');
    mkdirSync(tmp);
    const env = { PATH: path, HOME: home, TMPDIR: tmp, ...setup.env };
    const opened = openTutti({ folder, env, create: true });
    if (!opened.ok) throw new Error(opened.error.message);
    using tutti = opened.value;
    const request = { file: 'flows/example.yaml', folder, runId: 'r', maxParallel: null };
    const flow = checkFlow(request);
    if (!flow.ok) throw new Error(flow.error.message);
    const started = await startFlow(tutti, flow.value, request);
    if (!started.ok) throw new Error(started.error.message);
    expect(await advanceRun(tutti, { runId: 'r', stay: false })).toEqual({ ok: true, value: 'SUCCESS' });
    const sessions = await tutti.queries.sessions.ofRun('r');
    expect(sessions.filter(({ outcome }) => outcome === 'SUCCESS')).toHaveLength(2);
    // Two opencode that start at once make the tables of a new home together, and one may fail at it. Nothing else may.
    const failed = sessions.filter(({ outcome }) => outcome !== 'SUCCESS');
    for (const { id } of failed) {
      expect(name).toBe('opencode');
      const log = readFileSync(join(folder, '.tutti/sessions', id, 'output.log'), 'utf8');
      expect(log).toMatch(/database is locked|Failed query:\s+CREATE TABLE/);
    }
    expect(readFileSync(join(folder, 'hello.txt'), 'utf8')).toContain('Hello');
    expect(readFileSync(join(folder, 'goodbye.txt'), 'utf8')).not.toBe('');
  },
);
