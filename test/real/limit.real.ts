import { mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Tutti } from '../../src/app/tutti.ts';
import { recorded } from '../../src/lib/json.ts';
import { isAlive } from '../../src/lib/process/identity.ts';
import type { SessionSpec } from '../../src/model/turn.ts';
import { statusOf, until, untilEnded } from '../e2e/project.ts';
import type { ModelRule } from '../rig/model-brain.ts';
import { modelServer } from '../rig/model-server.ts';
import { type OpenaiRule, openaiServer } from '../rig/openai-server.ts';
import { startTutti, writeProject } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { outsideTmp } from './cli-place.ts';
import { claudeHome } from './claude-home.ts';
import { ownResult, structuredAnswer } from './handed-over.ts';
import { programOf } from './program-of.ts';
import { openTutti } from '../rig/trust.ts';

/** Of `two`, the others do not know. */
const flow = {
  name: 'six',
  concurrency: 2,
  steps: [
    { id: 'one', agent: 'coder', prompt: 'this is step one' },
    { id: 'two', agent: 'coder', prompt: 'this is step two', needs: ['one'] },
    { id: 'three', agent: 'coder', prompt: 'this is step three' },
    { id: 'four', agent: 'coder', prompt: 'this is step four', needs: ['three'] },
    { id: 'five', agent: 'coder', prompt: 'this is step five', needs: ['four'] },
    { id: 'six', agent: 'coder', prompt: 'this is step six', needs: ['two', 'five'] },
  ],
};
/** Three for step two and two for each of the others. */
const answers = 13;
const [begin, work] = ['echo begun >> two.txt', 'true'];

/** Met in step two, between the two things it does. */
class Limit {
  readonly #seconds: number;
  /** How often the model did not answer for it. */
  met = 0;
  resetsAt = 0;

  constructor(seconds: number) {
    this.#seconds = seconds;
  }

  /** In seconds, as the providers tell it. */
  tell(): number {
    this.met += 1;
    this.resetsAt = Math.ceil(Date.now() / 1000) + this.#seconds;
    return this.resetsAt;
  }
}

interface Setup extends AsyncDisposable {
  readonly driver: object;
  readonly env: Readonly<Record<string, string>>;
  /** Everything the model was told, once for each question to it. */
  asked(): readonly string[];
}

interface Cli {
  /** How far away the end of the limit is. */
  readonly seconds: number;
  /** Null: no limit is met. */
  setup(root: string, program: string, limit: Limit | null): Promise<Setup>;
}

/** Every turn does one thing and ends with its result. */
function rulesOf<Step>(tool: (command: string) => Step, done: Step, refused: Step | null) {
  return [
    { match: 'A usage limit interrupted you', steps: [tool(work), done] },
    { match: 'step two', steps: [tool(begin), refused ?? tool(work), done] },
    { steps: [tool(work), done] },
  ];
}

type ModelStep = ModelRule['steps'][number];
type OpenaiStep = OpenaiRule['steps'][number];

const clis: Readonly<Record<'claude' | 'codex', Cli>> = {
  claude: {
    seconds: 12,
    setup: async (root, program, limit) => {
      const refused: ModelStep | null = limit && {
        status: 429,
        get headers() {
          const resetsAt = String(limit.tell());
          return {
            'anthropic-ratelimit-unified-status': 'rejected',
            'anthropic-ratelimit-unified-reset': resetsAt,
            'anthropic-ratelimit-unified-representative-claim': 'five_hour',
          };
        },
      };
      const bash = (command: string): ModelStep => ({
        tools: [{ name: 'Bash', input: { command, description: 'x' } }],
      });
      const server = await modelServer(rulesOf(bash, structuredAnswer.claude(ownResult()), refused));
      const { ANTHROPIC_API_KEY: _, ...keyless } = claudeHome(root, join(root, 'project'), server);
      // Only a subscription is told when its limit ends.
      const env = { ...keyless, CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-of-a-test' };
      const driver = { type: 'claude', program, allowed_tools: ['Bash'] };
      return { driver, env, asked: () => server.messages, [Symbol.asyncDispose]: closing(server) };
    },
  },
  codex: {
    // It tells the minute only, and the end of that is taken.
    seconds: 1,
    setup: async (_root, program, limit) => {
      const refused: OpenaiStep | null = limit && {
        status: 429,
        get error() {
          return { type: 'usage_limit_reached', message: 'reached', resets_at: limit.tell() };
        },
      };
      const shell = (cmd: string): OpenaiStep => ({ tools: [{ name: 'exec_command', input: { cmd } }] });
      const server = await openaiServer(rulesOf(shell, structuredAnswer.codex(ownResult()), refused));
      const fake = { name: 'fake', base_url: server.url, env_key: 'FAKE_KEY', wire_api: 'responses' };
      const config = { model_provider: 'fake', 'model_providers.fake': fake, 'features.plugins': false };
      const driver = { type: 'codex', program, models: { medium: 'gpt-5.5' }, config };
      const asked = (): readonly string[] => server.requests.map(({ body }) => body);
      return { driver, env: { FAKE_KEY: 'x' }, asked, [Symbol.asyncDispose]: closing(server) };
    },
  },
};

function closing(server: AsyncDisposable): () => Promise<void> {
  return async () => server[Symbol.asyncDispose]();
}

/** A project that runs the flow with the CLI. */
async function started(root: string, { driver, env }: Setup) {
  const [path, home, tmp] = ['project', 'home', 'tmp'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [path, home, tmp]) mkdirSync(folder, { recursive: true });
  writeProject(path, {
    'flow.yaml': flow,
    'tutti.yaml': { driver: 'cli', drivers: { cli: driver }, env: Object.keys(env) },
  });
  const search = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
  const seen = { ...env, PATH: search, HOME: home, TMPDIR: tmp };
  const tutti = async (...args: readonly string[]): Promise<void> => {
    const { code, stderr } = await startTutti(path, args, seen).ended;
    expect(code, stderr).toBe(0);
  };
  await tutti('run', 'flow.yaml', '--run-id', 'r', '--detach');
  const opened = openTutti({ folder: path, env: seen, create: false });
  if (!opened.ok) throw new Error(opened.error.message);
  return { path, seen, tutti, state: opened.value };
}

async function paid({ queries }: Tutti) {
  const spent = (await queries.budget('r'))?.spent;
  return { tokens: spent?.tokens, cents: Math.round((spent?.costUsd ?? 0) * 1e6) };
}

const successes = async ({ queries }: Tutti) =>
  (await queries.sessions.ofRun('r')).filter(({ outcome }) => outcome === 'SUCCESS');

test.each(Object.entries(clis))(
  'a usage limit of real %s parks its step over a kill of the conductor, and costs not one answer more',
  { timeout: 180_000 },
  async (name, cli) => {
    const { program } = await programOf(name === 'claude' ? 'claude' : 'codex');
    using folder = tempFolder(outsideTmp);
    using plain = tempFolder(outsideTmp);
    const [root, other] = [realpathSync(folder.path), realpathSync(plain.path)];

    await using without = await cli.setup(other, program, null);
    const straight = await started(other, without);
    using calm = straight.state;
    expect(await untilEnded(straight.path, 'r', straight.seen)).toMatchObject({ outcome: 'SUCCESS' });
    expect(await successes(calm)).toHaveLength(6);

    const limit = new Limit(cli.seconds);
    await using limited = await cli.setup(root, program, limit);
    const run = await started(root, limited);
    using state = run.state;
    await until('the limit is met', async () => (await parkedOf(state)).length === 1, 60_000);
    const parked = await statusOf(run.path, 'r', run.seen);
    expect(parked.steps.find(({ id }) => id === 'two')).toMatchObject({ state: 'paused' });
    // With nobody awake the pause goes on; whoever comes next finds it.
    const conductor = await state.queries.conductor();
    if (conductor === null) throw new Error('nobody conducts');
    process.kill(conductor.pid, 'SIGKILL');
    await until('the conductor is gone', () => !isAlive(conductor));
    await run.tutti('resume', 'r');
    expect(await untilEnded(run.path, 'r', run.seen)).toMatchObject({ outcome: 'SUCCESS' });

    const sessions = await state.queries.sessions.ofRun('r');
    const [before] = sessions.filter(({ outcome }) => outcome === 'LIMIT_PAUSED');
    const after = sessions.find(({ continues }) => continues === before?.id);
    expect(after).toMatchObject({ outcome: 'SUCCESS', turn: 2 });
    expect(sessions).toHaveLength(7);
    // Not before its time, and the others did not wait for it.
    expect(after?.startedAt).toBeGreaterThanOrEqual(limit.resetsAt * 1000);
    const five = sessions.find(({ key }) => key.startsWith('five@'));
    expect(five?.endedAt).toBeLessThan(after?.startedAt ?? 0);
    // The same conversation: the CLI told the model what was said and done before the limit.
    const spec = await state.queries.spec('r', after?.key ?? '');
    const log = readFileSync(join(run.path, '.tutti/sessions', before?.id ?? '', 'output.log'), 'utf8');
    expect(log).toContain(recorded<SessionSpec>(spec ?? null).conversation);
    const resumed = limited.asked().filter((text) => text.includes('A usage limit interrupted you'));
    expect(resumed[0]).toMatch(/this is step two[\s\S]*A usage limit interrupted you/);
    expect(readFileSync(join(run.path, 'two.txt'), 'utf8')).toBe('begun\n');

    // The model was asked once more, and did not answer that; nothing was paid for it.
    expect(limit.met).toBe(1);
    expect(without.asked()).toHaveLength(answers);
    expect(limited.asked()).toHaveLength(answers + limit.met);
    expect((await paid(calm)).tokens).toBe(answers * 120);
    expect(await paid(state)).toEqual(await paid(calm));
  },
);

async function parkedOf({ queries }: Tutti) {
  return (await queries.entries('r')).filter(({ kind, state }) => kind === 'sleep' && state.at === 'open');
}
