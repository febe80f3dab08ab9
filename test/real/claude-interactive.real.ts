import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { driverOf } from '../../src/drivers/registry.ts';
import { interactiveProblem } from '../../src/drivers/interactive.ts';
import type { Config } from '../../src/model/config.ts';
import type { AgentDriver } from '../../src/model/driver.ts';
import type { SessionSpec } from '../../src/model/turn.ts';
import { launchInteractive } from '../../src/runtime/tmux/launch-interactive.ts';
import { until } from '../rig/attempt-rig.ts';
import type { ModelRule } from '../rig/model-brain.ts';
import { modelServer } from '../rig/model-server.ts';
import { sendInteractive, TmuxRig } from '../tmux/rig.ts';
import { claudeHome } from './claude-home.ts';
import { claudeProgram } from './claude-program.ts';
import { fullTrust, noTrust } from '../rig/trust.ts';
import { plainSpec, fileContract } from '../rig/session-spec.ts';

let config: Pick<Config, 'drivers'> = { drivers: {} };
// Only when one of these tests is to run: the program is large.
beforeEach(async () => {
  const program = await claudeProgram();
  config = { drivers: { claude: { type: 'claude', program, models: {} } } };
});

function claude(): AgentDriver {
  const driver = driverOf('claude', config, { projectDir: '/p', searchPath: '' });
  if (!driver.ok) throw new Error(driver.error.message);
  return driver.value;
}

function specOf(prompt: string, workspace: string): SessionSpec {
  return {
    ...plainSpec,
    driver: 'claude',
    systemPrompt: 'You are the agent of a test: BLUE HERON.',
    prompt,
    workspace,
    result: 'required',
  };
}

/** Claude in a pane with a prompt, in a folder with a hostile name, and everything about it. */
async function opened(
  rig: TmuxRig,
  prompt: string,
  server: Awaited<ReturnType<typeof modelServer>>,
  prepare: (workspace: string) => void = () => undefined,
  trust = fullTrust,
) {
  const workspace = join(rig.path, `it's a #{pane_pid} folder`);
  mkdirSync(workspace);
  prepare(workspace);
  const env = claudeHome(rig.path, workspace, server);
  expect(interactiveProblem('claude', config, { workspace, env })).toBeNull();
  const started = rig.spec(prompt, { cwd: workspace });
  const place = {
    sessionId: 's-1',
    sessionDir: started.dir,
    contract: fileContract(started.dir),
    projectDir: rig.path,
    trust,
  };
  const plan = claude().interactive(specOf(prompt, workspace), place);
  if (plan === null) throw new Error('no interface');
  writeFileSync(started.stdinFile ?? '', plan.prompt);
  const result = join(started.dir, 'result.json');
  const more = { TUTTI_SESSION_DIR: started.dir, TUTTI_RESULT: result };
  const spec = { ...started, argv: plan.argv, env: { ...env, ...plan.env, ...more } };
  return { spec, workspace, ended: launchInteractive(spec, rig.tmux) };
}

/** Ctrl-C twice leaves it; the first may still interrupt the end of a turn, so it is pressed until it has left. */
const quit = async (rig: TmuxRig): Promise<void> => {
  for (let press = 0; press < 20 && (await rig.tmux.has('iw-s-1')); press += 1) {
    rig.raw('send-keys', '-t', '=iw-s-1:', 'C-c');
    await pause(300);
  }
};

test('ready, paste, submitted, a tool, the end of the turn, a second message, and the exit', async () => {
  await using rig = new TmuxRig();
  const rules: ModelRule[] = [];
  await using server = await modelServer(rules);
  const canary = join(rig.path, 'canary');
  const prompt = `!touch ${canary}\n\nIt's "hostile": \`touch ${canary}\` $(touch ${canary}); 日本 🎉\tend;\\`;
  const { spec, ended } = await opened(rig, prompt, server);
  const result = join(spec.dir, 'result.json');
  rules.push(
    { match: 'And now', steps: [{ text: 'the second answer' }] },
    {
      steps: [
        {
          text: 'writing',
          tools: [{ name: 'Write', input: { file_path: result, content: '{"status":"success"}' } }],
        },
        { text: 'the first answer' },
      ],
    },
  );
  // Read while it is written: the part after the last line break is no line yet.
  const events = (): readonly string[] =>
    existsSync(spec.logFile)
      ? readFileSync(spec.logFile, 'utf8')
          .split('\n')
          .slice(0, -1)
          .map((line) => (JSON.parse(line) as { event: string }).event)
      : [];
  await until('the turn is done', () => events().includes('turn-done'), 40_000);
  expect(events()).toEqual(['ready', 'submitted', 'working', 'turn-done']);
  expect(rig.log(spec)).toContain('The prompt was typed and taken');
  await until('it is at rest', () => rig.state(spec)['activity_detail'] === 'the next message');
  expect(readFileSync(result, 'utf8')).toBe('{"status":"success"}');
  expect(server.prompts[0]).toBe(`Your task:\n\n${prompt.replaceAll('\t', '    ')}`);
  expect(server.systems[0]).toContain('BLUE HERON');
  expect(await sendInteractive(spec.dir, 'And now the second thing;')).toEqual({ delivered: true });
  await until(
    'the second turn is done',
    () => events().filter((event) => event === 'turn-done').length === 2,
  );
  expect(server.prompts.at(-1)).toBe('And now the second thing;');
  await quit(rig);
  expect(await ended).toMatchObject({ exitCode: 0, ended: null });
  expect(rig.state(spec)).toMatchObject({ status: 'COMPLETED' });
  expect(events().at(-1)).toBe('ended');
  expect(readFileSync(spec.logFile, 'utf8')).toContain('the second answer');
  expect(existsSync(canary)).toBe(false);
});

test('a tool that is not allowed is told as a wait at once, and kill-session ends it all', async () => {
  await using rig = new TmuxRig();
  await using server = await modelServer([
    {
      steps: [
        { tools: [{ name: 'Bash', input: { command: 'touch x', description: 'x' } }] },
        { text: 'done' },
      ],
    },
  ]);
  const { spec, ended } = await opened(rig, 'use a shell', server);
  await until('it asks', () => rig.state(spec)['activity_detail'] === 'permission to use Bash', 40_000);
  expect(await sendInteractive(spec.dir, 'hello')).toMatchObject({
    reason: 'a dialog is open in its terminal (permission to use Bash)',
  });
  rig.raw('kill-session', '-t', '=iw-s-1');
  expect(await ended).toMatchObject({ ended: 'killed', reason: 'its tmux session was ended' });
  expect(rig.state(spec)).toMatchObject({ status: 'KILLED' });
});

test('what a hook of the project refuses is counted, and its own hooks go on', async () => {
  await using rig = new TmuxRig();
  const rules: ModelRule[] = [];
  await using server = await modelServer(rules);
  const { spec, ended, workspace } = await opened(rig, 'write it', server, (folder) => {
    const command = `echo no writes here >&2; touch ${JSON.stringify(join(rig.path, 'guarded'))}; exit 2`;
    const hooks = { PreToolUse: [{ matcher: 'Write', hooks: [{ type: 'command', command }] }] };
    mkdirSync(join(folder, '.claude'));
    writeFileSync(join(folder, '.claude/settings.json'), JSON.stringify({ hooks }));
  });
  const input = { file_path: join(workspace, 'a.txt'), content: 'A' };
  rules.push({ steps: [{ tools: [{ name: 'Write', input }] }, { text: 'it was refused' }] });
  await until('the turn is done', () => rig.state(spec)['activity_detail'] === 'the next message', 40_000);
  await until('it is counted', () => rig.state(spec)['hook_blocks'] === 1);
  expect(existsSync(join(rig.path, 'guarded'))).toBe(true);
  expect(rig.log(spec)).toContain('[WARN] Hook block: Write:');
  await rig.tmux.kill('iw-s-1');
  expect(await ended).toMatchObject({ ended: 'killed' });
  expect(rig.state(spec)).toMatchObject({ status: 'KILLED', hook_blocks: 1 });
});

test('in a repository that is not trusted its hooks do not run; ours do', async () => {
  await using rig = new TmuxRig();
  await using server = await modelServer([{ steps: [{ text: 'said' }] }]);
  const canary = join(rig.path, 'canary');
  const prepare = (folder: string): void => {
    const hooks = { UserPromptSubmit: [{ hooks: [{ type: 'command', command: `touch '${canary}'` }] }] };
    mkdirSync(join(folder, '.claude'));
    writeFileSync(join(folder, '.claude/settings.json'), JSON.stringify({ hooks }));
  };
  const { spec, ended } = await opened(rig, 'say it', server, prepare, noTrust);
  // It rests before the prompt too.
  await until('it was taken', () => rig.log(spec).includes('typed and taken'), 40_000);
  await until('the turn is done', () => rig.state(spec)['activity_detail'] === 'the next message', 40_000);
  expect(existsSync(canary)).toBe(false);
  await rig.tmux.kill('iw-s-1');
  await ended;
});

test('100 kB are pasted and submitted as they are', async () => {
  await using rig = new TmuxRig();
  await using server = await modelServer([{ steps: [{ text: 'read' }] }]);
  const prompt = Array.from({ length: 4000 }, (_, at) => `line ${at} of a long text; $(id)`).join('\n');
  const { spec, ended } = await opened(rig, prompt, server);
  await until('it was taken', () => rig.log(spec).includes('typed and taken'), 40_000);
  await until('the model was asked', () => server.prompts.length > 0);
  expect(server.prompts[0]).toBe(prompt);
  await rig.tmux.kill('iw-s-1');
  await ended;
});

test('where a dialog would be open, that is known before; a terminal with a dialog is given no key', async () => {
  await using rig = new TmuxRig();
  await using server = await modelServer([{ steps: [{ text: 'never' }] }]);
  const { spec, ended, workspace } = await opened(rig, 'the first', server);
  await until('it was taken', () => rig.log(spec).includes('typed and taken'), 40_000);
  await rig.tmux.kill('iw-s-1');
  await ended;
  const env = { ...spec.env, HOME: join(rig.path, 'nobody') };
  expect(interactiveProblem('claude', config, { workspace, env })).toContain('has not been set up');
  const asked = { ...rig.spec('the second'), argv: spec.argv, cwd: rig.path, env: spec.env };
  expect(interactiveProblem('claude', config, { workspace: rig.path, env: spec.env })).toContain(
    'does not trust',
  );
  const second = launchInteractive(
    { ...asked, env: { ...asked.env, TUTTI_SESSION_DIR: asked.dir } },
    rig.tmux,
    { times: { readyMs: 4000, submittedMs: 1000, settleMs: 500 } },
  );
  await until('it is told', () => rig.log(asked).includes('nothing was typed'), 20_000);
  expect(rig.raw('capture-pane', '-p', '-t', '=iw-s-2:')).toContain('trust');
  await rig.tmux.kill('iw-s-2');
  expect(await second).toMatchObject({ ended: 'killed' });
  expect(server.prompts).not.toContain('the second');
});
