import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { CodexDriver } from '../../src/model/codex.ts';
import { type SessionSpec, workflowHandoff } from '../../src/model/turn.ts';
import { type OpenaiRule, openaiServer } from '../rig/openai-server.ts';
import { bigPrompt } from './cases.ts';
import { cell, eventsOf, expectSignIn, expectStop } from './cell.ts';
import { ownResult } from './handed-over.ts';
import type { CellTurn, Stage, TurnRequest } from './stage.ts';

/** Nothing of the person's own CLI: another provider, no retries but those asked for, and no look at the network. */
function driverFor({ program }: Stage, url: string, retries: number): CodexDriver {
  const fake = {
    name: 'fake',
    base_url: url,
    env_key: 'FAKE_KEY',
    wire_api: 'responses',
    request_max_retries: retries,
    stream_max_retries: retries,
  };
  return {
    type: 'codex',
    program,
    sandbox: 'workspace-write',
    models: { high: 'gpt-5.5' },
    config: { model_provider: 'fake', 'model_providers.fake': fake, 'features.plugins': false },
  };
}

/** A server for the rules, and how to say something to the agent that talks to it. */
async function opened(stage: Stage, rules: readonly OpenaiRule[], retries = 0) {
  const server = await openaiServer(rules);
  const driver = driverFor(stage, server.url, retries);
  return {
    server,
    driver,
    say: (prompt: string, more: Partial<TurnRequest> = {}) =>
      stage.run({ driver, prompt, env: { FAKE_KEY: 'sk-fake' }, ...more }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function shell(cmd: string) {
  return { name: 'exec_command', input: { cmd } };
}

/** The model was asked and gave nothing: nothing was said or done, and nothing is known to be paid. */
function expectNothing(done: CellTurn): void {
  const { turn, files } = done;
  expect(turn).toMatchObject({ text: '', toolCalls: 0, denials: 0, result: null });
  expect(turn.usage).toEqual({ inputTokens: null, outputTokens: null, costUsd: null });
  expect(eventsOf(done, 'conversation')).toEqual([{ type: 'conversation', id: turn.conversation }]);
  expect(files).toEqual([]);
}

const handedOver = JSON.stringify(ownResult());

cell('codex', 'good', async (stage) => {
  const patch = '*** Begin Patch\n*** Add File: a.txt\n+A\n*** End Patch\n';
  await using talk = await opened(stage, [
    {
      steps: [
        { tools: [{ name: 'apply_patch', input: patch }] },
        {
          text: 'and now',
          tools: [shell('cp a.txt b.txt')],
        },
        // Its last answer is the result, bound to a schema.
        { text: handedOver },
      ],
    },
  ]);
  const done = await talk.say('write it; "$(id)"', { spec: { result: 'required' } });
  expectStop(done, 'finished');
  expect(done.turn).toMatchObject({
    outcome: 'SUCCESS',
    toolCalls: 2,
    denials: 0,
    text: `and now\n${handedOver}`,
    result: { status: 'success', summary: 'all done' },
  });
  expect(done.turn.usage).toEqual({
    inputTokens: 300,
    outputTokens: 60,
    cachedInputTokens: 90,
    costUsd: null,
  });
  expect(eventsOf(done, 'tool').map(({ name }) => name)).toEqual(['file_change', 'command_execution']);
  expect(eventsOf(done, 'files')).toEqual([{ type: 'files', paths: [join(stage.workspace, 'a.txt')] }]);
  expect(done.files).toEqual(['a.txt', 'b.txt']);
  expect(readFileSync(join(stage.workspace, 'b.txt'), 'utf8')).toBe('A\n');
  const [asked] = talk.server.requests;
  expect(asked?.prompt).toMatch(/^You are the agent of a test: BLUE HERON\.\n/);
  expect(asked?.prompt.endsWith('**TASK DELEGATION**:\n\nwrite it; "$(id)"')).toBe(true);
  expect(asked?.model).toBe('gpt-5.5');
  // Its own instructions stay: without them it does not know its tools.
  expect(asked?.system).toContain('Codex');
});

cell('codex', 'roles', async (stage) => {
  const plan = join(stage.folder, 'plan');
  mkdirSync(plan);
  writeFileSync(join(stage.workspace, 'package.json'), '{"scripts":{"test":"grep -q new a.txt"}}');
  await using talk = await opened(stage, [
    {
      match: 'EXECUTE',
      steps: [{ tools: [shell('echo new > a.txt && npm test')] }, { text: handedOver }],
    },
    {
      steps: [
        {
          tools: [
            shell('echo 1 > c.txt'),
            shell(`echo 1 > ${plan}/tasks.json`),
            shell('echo 1 > "$TUTTI_RESULT"'),
          ],
        },
        { text: handedOver },
      ],
    },
  ]);
  const { sandbox: _, ...driver } = talk.driver;
  const say = (prompt: string, spec: Partial<SessionSpec>) =>
    talk.say(prompt, { driver, spec: { ...spec, handoff: { ...workflowHandoff, addDirs: [plan] } } });
  const done = await say('EXECUTE it', { result: 'required' });
  expect(done.turn).toMatchObject({ outcome: 'SUCCESS', result: { status: 'success' } });
  const before = ['a.txt', 'package.json'];
  const wrote = async (spec: Partial<SessionSpec>) => {
    const { files, sessionDir } = await say('try it', spec);
    const planned = existsSync(join(plan, 'tasks.json'));
    rmSync(join(plan, 'tasks.json'), { force: true });
    const result = existsSync(join(sessionDir, 'result.json'));
    return { files, planned, result };
  };
  expect(await wrote({ tools: ['Read', 'Grep'] })).toEqual({ files: before, planned: false, result: false });
  expect(await wrote({ role: 'planner' })).toEqual({ files: before, planned: true, result: true });
  expect(await wrote({ role: 'verifier' })).toEqual({ files: before, planned: false, result: true });
});

cell('codex', 'other-tools', async (stage) => {
  const agent = { message: 'QUIET MOLE', agent_type: 'default' };
  await using talk = await opened(stage, [
    {
      match: 'BROWN HARE',
      steps: [{ tools: [{ name: 'spawn_agent', input: agent }] }, { text: handedOver }],
    },
    { steps: [{ text: handedOver }] },
  ]);
  const done = await talk.say('BROWN HARE');
  expectStop(done, 'finished');
  expect(talk.server.requests.map(({ prompt }) => prompt).filter((one) => one.includes('MOLE'))).toEqual([]);
  const [first] = talk.server.requests;
  // Tools of its own have a name, those of the vendor a type.
  const offers = (word: string): boolean => new RegExp(`"(?:name|type)":"${word}"`).test(first?.body ?? '');
  expect(['web_search', 'tool_search', 'spawn_agent', 'wait_agent'].filter(offers)).toEqual([]);
  expect(offers('exec_command')).toBe(true);
});

cell('codex', 'two-turn', async (stage) => {
  await using talk = await opened(stage, [
    { match: 'go on', steps: [{ tools: [shell('echo 2 > b.txt')] }, { text: 'gone on' }] },
    { steps: [{ text: 'GREY OWL' }] },
  ]);
  const first = await talk.say('begin');
  expectStop(first, 'finished');
  const spec = { continues: 's1', conversation: first.turn.conversation, turn: 2 };
  const second = await talk.say('go on', { spec });
  expectStop(second, 'finished');
  expect(second.turn).toMatchObject({ text: 'gone on', toolCalls: 1 });
  expect(second.files).toEqual(['b.txt']);
  expect(talk.server.requests.at(-1)?.prompt).toMatch(/^go on(\n|$)/);
  expect(talk.server.requests.at(-1)?.system).toContain('GREY OWL');
  // Whoever goes on from the first again finds it as it was.
  expect(second.turn.conversation).not.toBe(first.turn.conversation);
  const other = await talk.say('go on again', { spec });
  expectStop(other, 'finished');
  expect(talk.server.requests.at(-1)?.system).not.toContain('gone on');
  // What is told is the sum over the conversation.
  expect(other.turn.usage).toMatchObject({ inputTokens: 300, outputTokens: 60 });
  const nowhere = await talk.say('go on', {
    spec: { ...spec, conversation: '01a1df68-90da-7803-8765-e749aad77fff' },
  });
  expectStop(nowhere, 'failed');
  expect(nowhere.turn.failure?.message).toContain('no rollout found');
});

cell('codex', 'denied', async (stage) => {
  const patch = '*** Begin Patch\n*** Add File: a.txt\n+A\n*** End Patch\n';
  const outside = join(stage.folder, 'outside.txt');
  await using talk = await opened(stage, [
    { match: 'outside', steps: [{ tools: [shell(`echo x > ${outside}`)] }, { text: 'no' }] },
    {
      steps: [
        { tools: [shell('echo x > b.txt')] },
        { tools: [{ name: 'apply_patch', input: patch }] },
        { tools: [{ name: 'exec_command', input: { cmd: 'id', sandbox_permissions: 'require_escalated' } }] },
        { text: '{"status":"blocked","summary":"I may not write","questions":["May I?"]}' },
      ],
    },
  ]);
  const readOnly = { ...talk.driver, sandbox: 'read-only' as const };
  const done = await talk.say('write it', { driver: readOnly, spec: { result: 'required' } });
  // It may write no result either: its last words are that.
  expectStop(done, 'finished');
  expect(done.turn).toMatchObject({ outcome: 'HUMAN_INPUT', denials: 3, result: { status: 'blocked' } });
  expect(eventsOf(done, 'denied').map(({ tool }) => tool)).toEqual([
    'command_execution',
    'file_change',
    'command_execution',
  ]);
  expect(done.files).toEqual([]);
  // Temporary folders are free otherwise, and this test is in one.
  const bounds = { exclude_slash_tmp: true, exclude_tmpdir_env_var: true };
  const config = { ...talk.driver.config, sandbox_workspace_write: bounds };
  const other = await talk.say('write outside', { driver: { ...talk.driver, config } });
  expectStop(other, 'finished');
  expect(other.turn.denials).toBe(1);
  expect(existsSync(outside)).toBe(false);
  // The control: only a configuration that says so lifts it.
  const free = await talk.say('write outside', { driver: { ...talk.driver, sandbox: 'danger-full-access' } });
  expectStop(free, 'finished');
  expect(free.turn).toMatchObject({ denials: 0, toolCalls: 1 });
  expect(existsSync(outside)).toBe(true);
  // With a home in a temporary folder and a bwrap as old as Debian's, nothing can be run, and the CLI ends with 0.
  const trap = await talk.say('write it', { env: oldSandbox(stage) });
  expectStop(trap, 'failed');
  expect(trap.end.exitCode).toBe(0);
  expect(trap.files).toEqual([]);
});

/** A system whose bwrap knows fewer options than the one that comes with the CLI. */
function oldSandbox({ folder, program }: Stage): Readonly<Record<string, string>> {
  const real = join(dirname(program), '../codex-resources/bwrap');
  const [bin, home] = [join(folder, 'bin'), join(folder, 'tmp/home')];
  for (const path of [bin, home]) mkdirSync(path);
  const script = [
    '#!/bin/sh',
    `case " $* " in *" --help "*) '${real}' --help | grep -v argv0; exit 0 ;; *" --argv0 "*) exit 1 ;; esac`,
    `exec '${real}' "$@"`,
  ];
  writeFileSync(join(bin, 'bwrap'), `${script.join('\n')}\n`, { mode: 0o755 });
  return { FAKE_KEY: 'sk-fake', CODEX_HOME: home, PATH: `${bin}:/usr/local/bin:/usr/bin:/bin` };
}

for (const [name, status] of [
  ['api-401', 401],
  ['api-403', 403],
] as const) {
  cell('codex', name, async (stage) => {
    const error = {
      message: 'Incorrect API key provided',
      type: 'invalid_request_error',
      code: 'invalid_api_key',
    };
    await using talk = await opened(stage, [{ steps: [{ status, error }] }]);
    const done = await talk.say('anything');
    expectSignIn(done, talk.server.requests, 'set OPENAI_API_KEY or CODEX_API_KEY, or run `codex login`');
    expect(done.turn.failure?.message).toContain('Incorrect API key provided');
    expectNothing(done);
  });
}

cell('codex', 'limit-429', async (stage) => {
  const resets = Math.floor(Date.now() / 1000) + 3 * 3600;
  const error = {
    type: 'usage_limit_reached',
    message: 'The usage limit has been reached',
    resets_at: resets,
  };
  const days = { ...error, resets_at: resets + 3 * 86_400 };
  await using talk = await opened(stage, [
    { match: 'days', steps: [{ status: 429, error: days }] },
    { match: 'bare', steps: [{ status: 429 }] },
    { match: 'go on', steps: [{ text: 'gone on' }] },
    { steps: [{ status: 429, error }] },
  ]);
  const done = await talk.say('anything');
  expectStop(done, 'limit');
  expect(done.turn).toMatchObject({ outcome: 'LIMIT_PAUSED' });
  expectNothing(done);
  const lateMs = (turn: typeof done, seconds: number) => (turn.turn.resetAt ?? 0) - seconds * 1000;
  expect(lateMs(done, resets)).toBeGreaterThanOrEqual(0);
  expect(lateMs(done, resets)).toBeLessThanOrEqual(60_000);
  const later = await talk.say('in days');
  expectStop(later, 'limit');
  expect(lateMs(later, days.resets_at)).toBeGreaterThanOrEqual(0);
  expect(lateMs(later, days.resets_at)).toBeLessThanOrEqual(60_000);
  const bare = await talk.say('bare');
  expectStop(bare, 'limit');
  expect(bare.turn.resetAt).toBeNull();
  // Afterwards the same conversation goes on, with what was asked before.
  const after = await talk.say('go on', { spec: { continues: 's1', conversation: done.turn.conversation } });
  expectStop(after, 'finished');
  expect(talk.server.requests.at(-1)?.body).toContain('anything');
});

cell('codex', 'api-500', async (stage) => {
  await using talk = await opened(stage, [{ steps: [{ status: 500 }] }], 1);
  const done = await talk.say('anything');
  expectStop(done, 'failed');
  expect(eventsOf(done, 'retrying')).toHaveLength(1);
  expect(done.turn.failure?.message).toContain('temporary errors');
  expectNothing(done);
});

cell('codex', 'overload-529', async (stage) => {
  await using talk = await opened(stage, [{ steps: [{ status: 529 }] }]);
  const done = await talk.say('anything');
  expectStop(done, 'limit');
  expect(done.turn.resetAt).toBeNull();
  expectNothing(done);
});

cell('codex', 'hang', async (stage) => {
  await using talk = await opened(stage, [{ steps: [{ broken: 'hang' }] }]);
  const done = await talk.say('anything', { spec: { timeoutMs: 4000 } });
  expectStop(done, 'timeout');
  expectNothing(done);
  expect(talk.server.requests).toHaveLength(1);
});

cell('codex', 'malformed', async (stage) => {
  await using talk = await opened(
    stage,
    [{ match: 'torn', steps: [{ broken: 'torn' }] }, { steps: [{ broken: 'garbage' }] }],
    1,
  );
  const done = await talk.say('anything');
  expectStop(done, 'failed');
  expect(done.turn.failure?.message).toContain('stream disconnected before completion');
  expect(eventsOf(done, 'retrying')).toHaveLength(1);
  expectNothing(done);
  const torn = await talk.say('torn');
  expectStop(torn, 'failed');
  expectNothing(torn);
});

cell('codex', 'big-prompt', async (stage) => {
  await using talk = await opened(stage, [{ steps: [{ text: '{"n":600}' }] }]);
  const prompt = bigPrompt('GREY OWL');
  const schema = {
    type: 'object',
    properties: { n: { type: 'number' } },
    required: ['n'],
    additionalProperties: false,
  };
  const handoff = { ...workflowHandoff, resultSchema: schema };
  const done = await talk.say(prompt, { spec: { handoff, result: 'required' } });
  expectStop(done, 'finished');
  expect(talk.server.requests[0]?.prompt).toContain(prompt);
  // The form of the answer is asked of the model itself.
  expect(talk.server.requests[0]?.body).toContain('"type":"json_schema"');
  expect(readFileSync(join(done.sessionDir, 'result.json'), 'utf8')).toBe('{"n":600}');
  expect(done.turn).toMatchObject({ outcome: 'SUCCESS', usage: { inputTokens: 100, outputTokens: 20 } });
});

for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
  cell('codex', signal === 'SIGTERM' ? 'sigterm' : 'sigkill', async (stage) => {
    await using talk = await opened(stage, [{ steps: [{ tools: [shell('tail -f /dev/null')] }] }]);
    const done = await talk.say('wait', { interrupt: { signal, whenRuns: 'tail -f /dev/null' } });
    expectStop(done, 'crashed');
    expect(done.end).toMatchObject({ signal, ended: null });
    expect(done.turn.outcome).toBe('FAILURE');
    expect(done.turn.conversation).not.toBeNull();
    expect(done.turn.usage.inputTokens).toBeNull();
    expect(done.files).toEqual([]);
  });
}
