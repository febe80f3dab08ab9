import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

import { until } from '../e2e/project.ts';
import type { ModelStep } from '../rig/model-brain.ts';
import { modelServer } from '../rig/model-server.ts';
import { type OpenaiRule, openaiServer } from '../rig/openai-server.ts';
import { startTutti, writeProject } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { outsideTmp } from './cli-place.ts';
import { claudeHome } from './claude-home.ts';
import { ownResult, structuredAnswer } from './handed-over.ts';
import { cellVariable, marked } from './marked.ts';
import { programOf } from './program-of.ts';
import { openTutti } from '../rig/trust.ts';

type OpenaiStep = OpenaiRule['steps'][number];

interface Setup extends AsyncDisposable {
  readonly driver: object;
  readonly env: Readonly<Record<string, string>>;
  /** Everything the model was told, once for each question to it. */
  asked(): readonly string[];
}

const effect = 'echo ran >> effect.txt; echo GREY OWL';
const continued = 'Your process stopped in the middle';

/** What the turn does before its machine stops: the command ends and the model hangs, or the command hangs. */
const moments = {
  'after the result of its tool': { command: effect, inFlight: false },
  'during its tool': { command: `${effect}; tail -f /dev/null`, inFlight: true },
} as const;

function rulesOf<Step>(tool: (command: string) => Step, command: string, hang: Step, done: Step) {
  return [{ match: continued, steps: [tool('true'), done] }, { steps: [tool(command), hang] }];
}

const clis = {
  claude: async (root: string, program: string, command: string): Promise<Setup> => {
    const bash = (line: string) => ({
      text: 'GREY OWL',
      tools: [{ name: 'Bash', input: { command: line, description: 'x' } }],
    });
    const done = structuredAnswer.claude(ownResult());
    const server = await modelServer(rulesOf<ModelStep>(bash, command, { hang: true }, done));
    const env = claudeHome(root, join(root, 'project'), server);
    const driver = { type: 'claude', program, allowed_tools: ['Bash'] };
    return { driver, env, asked: () => server.messages, [Symbol.asyncDispose]: closing(server) };
  },
  codex: async (_root: string, program: string, command: string): Promise<Setup> => {
    const shell = (cmd: string) => ({ tools: [{ name: 'exec_command', input: { cmd } }] });
    const done = structuredAnswer.codex(ownResult());
    const server = await openaiServer(rulesOf<OpenaiStep>(shell, command, { broken: 'hang' }, done));
    const fake = { name: 'fake', base_url: server.url, env_key: 'FAKE_KEY', wire_api: 'responses' };
    const config = { model_provider: 'fake', 'model_providers.fake': fake, 'features.plugins': false };
    const driver = { type: 'codex', program, models: { medium: 'gpt-5.5' }, config };
    const asked = (): readonly string[] => server.requests.map(({ body }) => body);
    return { driver, env: { FAKE_KEY: 'x' }, asked, [Symbol.asyncDispose]: closing(server) };
  },
} as const;

function closing(server: AsyncDisposable): () => Promise<void> {
  return async () => server[Symbol.asyncDispose]();
}

/** Whether the call of the tool is on disk in such a file: in the CLI's transcript, or in the log of the session. */
function isWritten(folder: string, ending: string): boolean {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .some(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8').includes('effect.txt'));
}

/**
 * As a machine that loses its power: everything that carries the mark is gone at once. All of it is stopped before anything is
 * killed, so that no process can react to the end of another one.
 */
async function stopMachine(mark: string): Promise<void> {
  for (let stopped = -1; stopped !== marked(mark).length; ) {
    const seen = marked(mark);
    stopped = seen.length;
    for (const { pid } of seen) signal(pid, 'SIGSTOP');
  }
  await until('every process is gone', () => {
    const left = marked(mark);
    for (const { pid } of left) signal(pid, 'SIGKILL');
    return left.length === 0;
  });
}

/** One may be gone by itself since it was seen. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone.
  }
}

const cases = (['claude', 'codex'] as const).flatMap((cli) =>
  Object.entries(moments).map(([when, moment]) => ({ cli, when, ...moment })),
);

test.each(cases)(
  'a turn of real $cli whose machine stops $when continues its conversation and pays no answer twice',
  { timeout: 120_000 },
  async ({ cli, command, inFlight }) => {
    const { program } = await programOf(cli);
    using folder = tempFolder(outsideTmp);
    const root = realpathSync(folder.path);
    const [path, home, tmp] = ['project', 'home', 'tmp'].map((name) => join(root, name)) as [
      string,
      string,
      string,
    ];
    for (const made of [path, home, tmp]) mkdirSync(made, { recursive: true });
    await using setup = await clis[cli](root, program, command);
    const mark = randomUUID();
    const seen = { [cellVariable]: mark, ...setup.env };
    writeProject(path, {
      'flow.yaml': { name: 'one', steps: [{ id: 'one', agent: 'coder', prompt: 'this is step one' }] },
      'tutti.yaml': { driver: 'cli', drivers: { cli: setup.driver }, env: Object.keys(seen) },
    });
    const search = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
    const env = { ...seen, PATH: search, HOME: home, TMPDIR: tmp };

    const first = startTutti(path, ['run', 'flow.yaml', '--run-id', 'r'], env);
    const effects = join(path, 'effect.txt');
    await until(
      'the turn is where it shall stop',
      () =>
        inFlight
          ? existsSync(effects) && isWritten(home, '.jsonl') && isWritten(path, 'output.log')
          : setup.asked().length === 2,
      60_000,
    );
    const asked = setup.asked().length;
    await stopMachine(mark);
    await first.ended;

    const again = await startTutti(path, ['resume', 'r'], env).ended;
    expect(again.code, again.stderr).toBe(0);
    using opened = openedProject(path, env);
    const [lost, next, ...more] = await opened.queries.sessions.ofRun('r');
    expect(more).toEqual([]);
    expect(next).toMatchObject({ attempt: 2, continues: lost?.id, outcome: 'SUCCESS' });
    // Two answers for the rest: one tool, and the result. None of the first answers again.
    const later = setup.asked().slice(asked);
    expect(later).toHaveLength(2);
    // The CLI tells the model what was said and done before, as far as it was done.
    const before = inFlight
      ? /this is step one[\s\S]*Your process stopped in the middle[\s\S]*effect\.txt/
      : /this is step one[\s\S]*GREY OWL[\s\S]*Your process stopped in the middle/;
    expect(later[0]).toMatch(before);
    expect(later[0]?.includes('may have run')).toBe(inFlight);
    expect(readFileSync(effects, 'utf8')).toBe('ran\n');
    const told = await startTutti(path, ['report', 'r'], env).ended;
    expect(told.stdout).toContain('whose process vanished');
    expect(told.stdout.includes('1 tool call may have run')).toBe(inFlight);
  },
);

function openedProject(folder: string, env: Readonly<Record<string, string>>) {
  const opened = openTutti({ folder, env, create: false });
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
}
