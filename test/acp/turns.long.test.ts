import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { identify } from '../../src/lib/process/identity.ts';
import { acpExits, cautiousRules } from '../../src/model/acp.ts';
import type { SessionSpec } from '../../src/model/turn.ts';
import { until } from '../rig/attempt-rig.ts';
import type { FakeStep } from '../rig/fake-acp-agent.ts';
import { AcpRig } from './rig.ts';

const allowAll = { ...cautiousRules, edit: 'allow', execute: 'allow' } as const;

test('a turn is told in whole lines, its tools once, with what it used and what it is called', async () => {
  await using rig = new AcpRig();
  const file = rig.path('a.txt');
  const { ended } = rig.start({
    prompts: [
      [
        { say: 'one ' },
        { say: 'line\n\nand ' },
        { say: 'another' },
        { tool: { toolCallId: 't', kind: 'edit', title: 'Write', status: 'pending' } },
        {
          update: {
            sessionUpdate: 'tool_call_update',
            toolCallId: 't',
            status: 'in_progress',
            locations: [{ path: file }],
          },
        },
        { update: { sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'completed' } },
        { update: { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'hm' } } },
        {
          update: { sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount: 0.5, currency: 'USD' } },
        },
        { say: 'done' },
        { stop: 'end_turn', more: { usage: { inputTokens: 300, outputTokens: 60, totalTokens: 360 } } },
      ],
    ],
  });
  const end = await ended;
  expect(end).toMatchObject({ stop: 'finished', exitCode: 0 });
  expect(end.events).toEqual([
    { type: 'conversation', id: 'new-1' },
    { type: 'text', text: 'one line\n' },
    { type: 'text', text: 'and another' },
    { type: 'tool', name: 'edit', target: file },
    { type: 'files', paths: [file] },
    { type: 'text', text: 'done' },
    { type: 'usage', usage: { inputTokens: 300, outputTokens: 60, costUsd: 0.5 } },
  ]);
  expect(rig.heard().at(-1)?.params).toMatchObject({
    prompt: [{ type: 'text', text: 'who\n\n---\n\n**TASK DELEGATION**:\n\nwhat' }],
  });
});

test('what the rules deny is denied and told; what they allow is not asked twice; the result may always be written', async () => {
  await using rig = new AcpRig();
  const steps = (result: string): readonly FakeStep[] => [
    { ask: { kind: 'execute', title: 'rm -rf /' } },
    { ask: { kind: 'read', title: 'Read a', path: rig.path('a') } },
    { ask: { kind: 'edit', title: 'Report', path: result } },
    { ask: { kind: 'edit', title: 'Write both', path: rig.path('b') } },
    { ask: { kind: 'unheard of', title: 'Something' } },
  ];
  // The first session of a rig is in a folder of this name.
  const { ended, dir } = rig.start({ prompts: [steps(join(rig.workspace, '../a0/result.json'))] });
  const end = await ended;
  expect(join(dir, 'result.json')).toBe(join(rig.workspace, '../a0/result.json'));
  expect(end.events.flatMap((event) => (event.type === 'denied' ? [event.tool] : []))).toEqual([
    'execute',
    'edit',
    'other',
  ]);
  expect(end).toMatchObject({ stop: 'finished', log: { toolCalls: 5, denials: 3 } });
  const answers = JSON.stringify(rig.heard());
  expect(answers.match(/"optionId":"no"/g)).toHaveLength(3);
  expect(answers.match(/"optionId":"yes"/g)).toHaveLength(2);
});

test('a person is asked, answers by number, and everything else that is said becomes the next prompt', async () => {
  await using rig = new AcpRig();
  const rules = { ...cautiousRules, execute: 'ask', edit: 'ask' } as const;
  const turn = rig.start(
    {
      prompts: [
        [{ ask: { kind: 'execute', title: 'make' } }, { ask: { kind: 'edit', title: 'Write x' } }],
        [{ say: 'second' }],
      ],
    },
    { rules },
  );
  const asks = (number: number): boolean =>
    turn.events().some((event) => event.type === 'waiting' && event.request?.number === number);
  await until('it asks', () => asks(1));
  expect(await turn.say('allow 2')).toEqual({ delivered: true });
  expect(await turn.say('and then\nthis')).toEqual({ delivered: true });
  expect(await turn.say('allow 1')).toEqual({ delivered: true });
  await until('it asks again', () => asks(2));
  expect(await turn.say('deny 2')).toEqual({ delivered: true });
  const end = await turn.ended;
  expect(end).toMatchObject({ stop: 'finished', log: { text: 'second', denials: 1, waiting: null } });
  const prompts = rig.heard().filter(({ method }) => method === 'session/prompt');
  expect(prompts.at(-1)?.params).toMatchObject({ prompt: [{ text: 'allow 2\nand then\nthis' }] });
});

test('what is said after the last turn is refused, not lost', async () => {
  await using rig = new AcpRig();
  const turn = rig.start({ prompts: [[{ say: 'x' }]] }, { flags: ['--stays'] });
  await until('the turn is over', () => turn.events().some(({ type }) => type === 'usage'));
  expect(await turn.say('too late')).toMatchObject({ delivered: false });
  expect((await turn.ended).stop).toBe('finished');
});

test('files are read and written below the folders of the session, and nowhere else', async () => {
  await using rig = new AcpRig();
  writeFileSync(rig.path('a.txt'), 'one\ntwo\nthree\n');
  symlinkSync('/etc/hostname', rig.path('link'));
  symlinkSync('/tmp', rig.path('out'));
  const read = (path: string, more: object = {}): FakeStep => ({
    request: ['fs/read_text_file', { path, ...more }],
  });
  const write = (path: string): FakeStep => ({ request: ['fs/write_text_file', { path, content: 'new' }] });
  const outside = join(rig.workspace, '../outside.txt');
  const steps = [
    read(rig.path('a.txt'), { line: 2, limit: 1 }),
    read(rig.path('missing')),
    read('/etc/hostname'),
    read(rig.path('link')),
    read('a.txt'),
    write(rig.path('deep/b.txt')),
    write(outside),
    write(rig.path('out/tutti-c.txt')),
    write(rig.path('link')),
    { request: ['terminal/create', { command: 'id' }] } as const,
    { say: 'x' },
  ];
  const end = await rig.start({ prompts: [steps] }, { rules: allowAll }).ended;
  expect(end.stop).toBe('finished');
  const answers = rig.heard().filter(({ method }) => method === undefined);
  const told = answers.map((answer) => JSON.stringify(answer));
  expect(told[0]).toContain('"content":"two"');
  expect(told[1]).toContain('does not exist');
  for (const at of [2, 3]) expect(told[at]).toContain('leads outside');
  expect(told[4]).toContain('not an absolute path');
  expect(readFileSync(rig.path('deep/b.txt'), 'utf8')).toBe('new');
  for (const at of [6, 7]) expect(told[at]).toContain('leads outside');
  expect(told[8]).toContain('ELOOP');
  expect(told[9]).toContain('no terminal/create');
  expect([outside, '/tmp/tutti-c.txt'].filter((path) => existsSync(path))).toEqual([]);
});

test('a write that the rules deny is denied also through the client', async () => {
  await using rig = new AcpRig();
  const path = rig.path('b.txt');
  const steps: readonly FakeStep[] = [
    { request: ['fs/write_text_file', { path, content: 'new' }] },
    { say: 'x' },
  ];
  const end = await rig.start({ prompts: [steps] }).ended;
  expect(existsSync(path)).toBe(false);
  expect(end.log.denials).toBe(1);
});

const goOn: Partial<SessionSpec> = { continues: 's-0', conversation: 'old-7', prompt: '/go on' };

test('a conversation is loaded and told nothing twice; where it cannot be, the whole prompt begins a new one', async () => {
  await using rig = new AcpRig();
  const loaded = await rig.start({ prompts: [[{ say: 'more' }]] }, { spec: goOn }).ended;
  expect(loaded).toMatchObject({
    stop: 'finished',
    log: { text: 'more', conversation: 'old-7', problem: null },
  });
  expect(rig.heard().at(-1)?.params).toMatchObject({
    sessionId: 'old-7',
    prompt: [{ text: 'Your task:\n\n/go on' }],
  });
  for (const load of ['no', 'fails'] as const) {
    const anew = await rig.start({ load, prompts: [[{ say: 'more' }]] }, { spec: goOn }).ended;
    expect(anew).toMatchObject({ stop: 'finished', log: { text: 'more', conversation: 'new-1' } });
    expect(anew.log.problem).toContain('a new conversation was begun');
    expect(rig.heard().at(-1)?.params).toMatchObject({ prompt: [{ text: expect.stringContaining('who') }] });
  }
});

test.each([
  ['max_tokens', { stop: 'max_tokens' }, 'failed'],
  ['max_turn_requests', { stop: 'max_turn_requests' }, 'failed'],
  ['refusal', { stop: 'refusal' }, 'failed'],
  ['cancelled', { stop: 'cancelled' }, 'failed'],
  ['protocol', { stop: 'bored' }, 'failed'],
  ['failed', { error: { code: -32_603, message: 'Internal error' } }, 'failed'],
  ['sign_in', { error: { code: 401, message: 'API key not valid' } }, 'sign-in'],
  ['sign_in', { error: { code: 403, message: 'no' } }, 'sign-in'],
  ['sign_in', { error: { code: -32_603, message: 'Internal error: Incorrect API key provided' } }, 'sign-in'],
  ['limit', { error: { code: 429, message: 'Rate limit exceeded' } }, 'limit'],
  ['gone', { crash: 3 }, 'failed'],
  ['protocol', { huge: 33 * 1024 * 1024 }, 'failed'],
] as const)('%s is what the turn ends with: %o', async (exit, step, stop) => {
  await using rig = new AcpRig();
  const end = await rig.start({ prompts: [[{ say: 'working' }, step]] }).ended;
  expect(end).toMatchObject({ exitCode: acpExits[exit], stop, log: { text: 'working' } });
  expect(end.log.problem).not.toBeNull();
  if (exit === 'gone') expect(end.log.problem).toContain('out of luck');
});

test('a turn without a word and without a tool is no success', async () => {
  await using rig = new AcpRig();
  expect(await rig.start({ prompts: [[]] }).ended).toMatchObject({
    exitCode: acpExits.empty,
    stop: 'failed',
  });
});

test('a limit tells when it is over, if the agent does', async () => {
  await using rig = new AcpRig();
  const error = { code: -32_603, message: 'quota', data: { details: 'retryDelay: "30s"' } };
  const from = Date.now();
  const { log, stop } = await rig.start({ prompts: [[{ error }]] }).ended;
  expect(stop).toBe('limit');
  expect(log.limit?.resetAt).toBeGreaterThanOrEqual(from + 30_000);
  expect(log.limit?.resetAt).toBeLessThan(Date.now() + 30_001);
});

test('an agent that tries again for ever because of a limit has met a limit', async () => {
  await using rig = new AcpRig();
  const steps = [{ say: 'x' }, { complain: 'Attempt 3 failed with status 429' }, { hang: 'deaf' }] as const;
  const end = await rig.start({ prompts: [steps] }, { quietMs: 3000 }).ended;
  expect(end).toMatchObject({ exitCode: acpExits.limit, stop: 'limit', log: { limit: { resetAt: null } } });
  expect(end.log.problem).toContain('Attempt 3 failed');
});

test('lines that are no messages are told, and the turn goes on', async () => {
  await using rig = new AcpRig();
  const noise = [
    { raw: 'starting up…' },
    { raw: '{"jsonrpc":' },
    { raw: '[]' },
    { raw: '' },
    { say: 'fine' },
  ];
  const end = await rig.start({ prompts: [noise] }).ended;
  expect(end).toMatchObject({ stop: 'finished', log: { text: 'fine' } });
  expect(end.events.filter(({ type }) => type === 'problem')).toHaveLength(3);
});

// Longer than the agent needs to start on a busy machine.
const quietMs = 3000;

test('an agent that is silent is given up, with everything that it started', async () => {
  await using rig = new AcpRig();
  const steps: readonly FakeStep[] = [{ child: true }, { say: 'x' }, { hang: 'deaf' }];
  const end = await rig.start({ prompts: [steps] }, { quietMs, flags: ['--stays'] }).ended;
  expect(end).toMatchObject({ exitCode: acpExits.quiet, stop: 'failed' });
  expect(end.log.problem).toContain('quiet_timeout');
  expect(identify(Number(readFileSync(rig.path('child.pid'), 'utf8')))).toBeNull();
});

test('an agent that is killed in the middle takes with it what it started', async () => {
  await using rig = new AcpRig();
  const end = await rig.start({ prompts: [[{ child: true }, { crash: 3 }]] }).ended;
  expect(end.exitCode).toBe(acpExits.gone);
  expect(identify(Number(readFileSync(rig.path('child.pid'), 'utf8')))).toBeNull();
});

test('an agent whose tool works may be silent as long as it likes', async () => {
  await using rig = new AcpRig();
  const tool = { toolCallId: 't', kind: 'execute', title: 'make', status: 'in_progress' };
  const over = { sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'completed' };
  const steps: readonly FakeStep[] = [{ tool }, { wait: quietMs * 2 }, { update: over }];
  expect(await rig.start({ prompts: [steps] }, { quietMs }).ended).toMatchObject({ stop: 'finished' });
});

test('an agent that wants somebody to sign in, or speaks another version, is told as that', async () => {
  await using rig = new AcpRig();
  const newError = { code: -32_000, message: 'Authentication required' };
  const unsigned = await rig.start({ newError, prompts: [] }).ended;
  expect(unsigned.exitCode).toBe(acpExits.sign_in);
  expect(unsigned.log.problem).toContain('not signed in');
  expect((await rig.start({ version: 9, prompts: [] }).ended).exitCode).toBe(acpExits.protocol);
  const command = ['/nowhere/agent'] as const;
  const none = await rig.start({ prompts: [] }, { agent: { command: [...command] } }).ended;
  expect(none).toMatchObject({ exitCode: 127, stop: 'unavailable' });
});

test('who ends the client has the turn cancelled first; an agent that does not listen is ended', async () => {
  for (const how of ['listening', 'deaf'] as const) {
    await using rig = new AcpRig();
    const turn = rig.start({ prompts: [[{ say: 'a\nb' }, { hang: how }]] }, { flags: ['--stays'] });
    await until('it works', () => turn.events().some(({ type }) => type === 'text'));
    process.kill(Number(readFileSync(rig.path('client.pid'), 'utf8')), 'SIGTERM');
    expect(await turn.ended).toMatchObject({ exitCode: acpExits.cancelled, log: { text: 'a\nb' } });
    expect(rig.heard().at(-1)?.method).toBe('session/cancel');
  }
});

test('a session that is ended is ended with its agent, also one that stays', async () => {
  await using rig = new AcpRig();
  const turn = rig.start({ prompts: [[{ say: 'a\nb' }, { hang: 'deaf' }]] }, { flags: ['--stays'] });
  await until('it works', () => turn.events().some(({ type }) => type === 'text'));
  await rig.end(turn);
  expect(await turn.ended).toMatchObject({ stop: 'killed' });
});

test('mode and model are set where they are offered, in either way; one that is not offered ends the turn', async () => {
  await using rig = new AcpRig();
  const old = {
    modes: { availableModes: [{ id: 'plan' }] },
    models: { availableModels: [{ modelId: 'big' }] },
  };
  const options = [
    { id: 'm', category: 'model', options: [{ options: [{ value: 'big' }] }] },
    { id: 'mode', options: [{ value: 'plan' }] },
  ];
  const wanted = { mode: 'plan', models: { high: 'big' } };
  for (const session of [old, { configOptions: options }]) {
    expect((await rig.start({ session, prompts: [[{ say: 'x' }]] }, wanted).ended).stop).toBe('finished');
  }
  const set = rig.heard().filter(({ method }) => method?.startsWith('session/set') === true);
  expect(set.map(({ params }) => params)).toMatchObject([
    { modeId: 'plan' },
    { modelId: 'big' },
    { configId: 'mode', value: 'plan' },
    { configId: 'm', value: 'big' },
  ]);
  const other = await rig.start({ session: old, prompts: [] }, { models: { high: 'huge' } }).ended;
  expect(other.log.problem).toContain('does not offer the model huge: it offers big');
});
