import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type SessionSpec, workflowHandoff } from '../../src/model/turn.ts';
import { bigPrompt } from './cases.ts';
import { cell, eventsOf, expectSignIn, expectStop } from './cell.ts';
import { openTalk } from './claude-talk.ts';
import { ownResult, structuredAnswer } from './handed-over.ts';

const bash = (command: string) => ({ tools: [{ name: 'Bash', input: { command, description: 'x' } }] });
const write = (file: string, content: string) => ({
  tools: [{ name: 'Write', input: { file_path: file, content } }],
});

cell('claude', 'good', async (stage) => {
  const file = join(stage.workspace, 'a.txt');
  await using talk = await openTalk(stage, [
    { steps: [write(file, 'A'), bash('cp a.txt b.txt'), { text: 'all done' }] },
  ]);
  const done = await talk.say('write it; "$(id)"');
  expectStop(done, 'finished');
  expect(done.turn).toMatchObject({ outcome: 'SUCCESS', toolCalls: 2, denials: 0, text: 'all done' });
  expect(done.turn.usage).toMatchObject({ inputTokens: 300, outputTokens: 60 });
  expect(done.turn.usage.costUsd).toBeGreaterThan(0);
  expect(eventsOf(done, 'tool')).toEqual([
    { type: 'tool', name: 'Write', target: file },
    { type: 'tool', name: 'Bash', target: 'cp a.txt b.txt' },
  ]);
  expect(eventsOf(done, 'files')).toEqual([{ type: 'files', paths: [file] }]);
  expect(done.files).toEqual(['a.txt', 'b.txt']);
  expect(readFileSync(join(stage.workspace, 'b.txt'), 'utf8')).toBe('A');
  expect(talk.server.prompts[0]).toBe('write it; "$(id)"');
  expect(talk.server.systems[0]).toContain('BLUE HERON');
});

cell('claude', 'two-turn', async (stage) => {
  await using talk = await openTalk(stage, [
    { match: 'second', steps: [{ text: 'the second answer' }] },
    { steps: [{ text: 'the first answer' }] },
  ]);
  const first = await talk.say('the first thing');
  expectStop(first, 'finished');
  const { conversation } = first.turn;
  const second = await talk.say('the second thing', { spec: { continues: 's1', conversation, turn: 2 } });
  expectStop(second, 'finished');
  expect(second.turn.text).toBe('the second answer');
  // The model is told what was said before, and only the new part is paid for.
  expect(talk.server.messages.at(-1)).toMatch(
    /the first thing[\s\S]*the first answer[\s\S]*the second thing/,
  );
  expect(second.turn.usage).toMatchObject({ inputTokens: 100, outputTokens: 20 });
  // A fork: the conversation of the first session is still what it was.
  expect(second.turn.conversation).not.toBe(conversation);
  // The CLI keeps the instructions it began with; others reach the model all the same.
  const spec = { continues: 's1', conversation, turn: 2, systemPrompt: 'You are GREEN HERON now.' };
  expectStop(await talk.say('the second thing', { spec }), 'finished');
  expect(talk.server.systems.at(-1)).not.toContain('GREEN HERON');
  expect(talk.server.prompts.at(-1)).toContain('GREEN HERON');
});

cell('claude', 'denied', async (stage) => {
  await using talk = await openTalk(stage, [
    { steps: [bash('touch b.txt'), write(join(stage.workspace, 'c.txt'), 'C'), { text: 'not all of it' }] },
  ]);
  const done = await talk.say('use a shell', { driver: talk.driver({ allowedTools: ['Bash'] }) });
  expectStop(done, 'finished');
  expect(done.turn).toMatchObject({ denials: 1, toolCalls: 1 });
  expect(eventsOf(done, 'denied')).toMatchObject([{ tool: 'Write' }]);
  expect(eventsOf(done, 'files')).toEqual([]);
  expect(done.files).toEqual(['b.txt']);
});

cell('claude', 'roles', async (stage) => {
  const plan = join(stage.folder, 'plan');
  mkdirSync(plan);
  writeFileSync(join(stage.workspace, 'package.json'), '{"scripts":{"test":"grep -q new a.txt"}}');
  writeFileSync(join(stage.workspace, 'a.txt'), 'old');
  const [a, planned] = [join(stage.workspace, 'a.txt'), join(plan, 'tasks.json')];
  const edit = { file_path: a, old_string: 'old', new_string: 'new' };
  await using talk = await openTalk(stage, [
    {
      match: 'EXECUTE',
      steps: [
        { tools: [{ name: 'Read', input: { file_path: a } }] },
        { tools: [{ name: 'Edit', input: edit }] },
        bash('npm test'),
        structuredAnswer.claude(ownResult()),
        { text: 'done' },
      ],
    },
    {
      steps: [
        write(join(stage.workspace, 'b.txt'), 'B'),
        write(planned, '[]'),
        bash('echo 1 > c.txt'),
        { tools: [{ name: 'Agent', input: { description: 'x', prompt: 'x', subagent_type: 'x' } }] },
        { text: 'tried' },
      ],
    },
  ]);
  const driver = { type: 'claude', program: stage.program, models: {} } as const;
  const say = (prompt: string, spec: Partial<SessionSpec>) =>
    talk.say(prompt, { driver, spec: { ...spec, handoff: { ...workflowHandoff, addDirs: [plan] } } });
  const done = await say('EXECUTE it', { result: 'required' });
  expect(done.turn).toMatchObject({ outcome: 'SUCCESS', denials: 0, result: { status: 'success' } });
  const before = ['a.txt', 'package.json'];
  const reader = await say('try it', { tools: ['Read', 'Grep'] });
  expect(reader.files).toEqual(before);
  expect(eventsOf(reader, 'denied').map(({ tool }) => tool)).toEqual(['Write', 'Write', 'Bash', 'Agent']);
  const planner = await say('try it', { role: 'planner' });
  expect(planner.files).toEqual(before);
  expect(eventsOf(planner, 'denied').map(({ tool }) => tool)).toEqual(['Write', 'Bash', 'Agent']);
  expect(existsSync(planned)).toBe(true);
  rmSync(planned);
  const verifier = await say('try it', { role: 'verifier' });
  expect(eventsOf(verifier, 'denied').map(({ tool }) => tool)).toEqual(['Write', 'Write', 'Agent']);
  expect(existsSync(planned)).toBe(false);
});

for (const [name, status] of [
  ['api-401', 401],
  ['api-403', 403],
] as const) {
  cell('claude', name, async (stage) => {
    await using talk = await openTalk(stage, [{ steps: [{ status, message: 'invalid x-api-key' }] }]);
    // As a person has it: the CLI would ask ten times more.
    const done = await talk.say('anything', { env: { ...talk.env, CLAUDE_CODE_MAX_RETRIES: '10' } });
    expectSignIn(done, talk.server.prompts, 'set ANTHROPIC_API_KEY, or run `claude auth login`');
    expect(done.turn.resetAt).toBeNull();
    expect(done.files).toEqual([]);
  });
}

cell('claude', 'limit-429', async (stage) => {
  const resetAt = (Math.floor(Date.now() / 1000) + 3600) * 1000;
  const headers = {
    'anthropic-ratelimit-unified-status': 'rejected',
    'anthropic-ratelimit-unified-reset': String(resetAt / 1000),
    'anthropic-ratelimit-unified-representative-claim': 'five_hour',
    'retry-after': '3600',
  };
  await using talk = await openTalk(stage, [
    { match: 'later', steps: [{ text: 'gone on' }] },
    { steps: [write(join(stage.workspace, 'a.txt'), 'A'), { status: 429, headers }] },
  ]);
  // Only a subscription is told when its limit ends; a key meets the same error without a time.
  const done = await talk.say('anything', { env: talk.subscriber });
  expectStop(done, 'limit');
  expect(done.turn).toMatchObject({ outcome: 'LIMIT_PAUSED', resetAt });
  expect(eventsOf(done, 'limit')).toEqual([{ type: 'limit', resetAt }]);
  const keyed = await talk.say('anything');
  expectStop(keyed, 'limit');
  expect(keyed.turn).toMatchObject({ outcome: 'LIMIT_PAUSED', resetAt: null });
  // What was done before the limit is not done again.
  const { conversation } = done.turn;
  const later = await talk.say('it is later', { spec: { continues: 's1', conversation, turn: 2 } });
  expectStop(later, 'finished');
  expect(talk.server.messages.at(-1)).toMatch(/anything[\s\S]*it is later/);
});

cell('claude', 'api-500', async (stage) => {
  await using talk = await openTalk(stage, [{ steps: [{ status: 500 }] }]);
  const done = await talk.say('anything', { env: { ...talk.env, CLAUDE_CODE_MAX_RETRIES: '2' } });
  expectStop(done, 'failed');
  expect(done.turn.failure?.message).toContain('500');
  expect(eventsOf(done, 'retrying').map(({ reason }) => reason)).toEqual([
    expect.stringContaining('the model answered 500; attempt 1 of 2'),
    expect.stringContaining('the model answered 500; attempt 2 of 2'),
  ]);
});

cell('claude', 'overload-529', async (stage) => {
  await using talk = await openTalk(stage, [{ steps: [{ status: 529 }] }]);
  const done = await talk.say('anything', { env: { ...talk.env, CLAUDE_CODE_MAX_RETRIES: '1' } });
  expectStop(done, 'limit');
  expect(done.turn).toMatchObject({ outcome: 'LIMIT_PAUSED', resetAt: null });
  expect(eventsOf(done, 'retrying')).toHaveLength(1);
});

cell('claude', 'hang', async (stage) => {
  await using talk = await openTalk(stage, [{ steps: [{ hang: true }] }]);
  const done = await talk.say('anything', { spec: { timeoutMs: 5000 } });
  expectStop(done, 'timeout');
  expect(done.end.ended).toBe('timeout');
  expect(talk.server.prompts).toHaveLength(1);
  expect(done.ms).toBeLessThan(15_000);
});

cell('claude', 'malformed', async (stage) => {
  const raw = 'event: message_start\ndata: {"type":"message_start","message":{"id":"x"\n\n';
  await using talk = await openTalk(stage, [{ steps: [{ raw }] }]);
  const done = await talk.say('anything');
  expectStop(done, 'failed');
  expect(done.turn.failure?.message).toContain('malformed response');
});

for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
  cell('claude', signal === 'SIGTERM' ? 'sigterm' : 'sigkill', async (stage) => {
    await using talk = await openTalk(stage, [{ steps: [bash('tail -f /dev/null')] }]);
    const done = await talk.say('wait', { interrupt: { signal, whenRuns: 'tail -f /dev/null' } });
    expectStop(done, 'crashed');
    expect(done.end).toMatchObject({ signal, ended: null });
    expect(done.turn.outcome).toBe('FAILURE');
    expect(eventsOf(done, 'tool')).toHaveLength(1);
  });
}

cell('claude', 'big-prompt', async (stage) => {
  await using talk = await openTalk(stage, [{ steps: [{ text: 'read' }] }]);
  const prompt = bigPrompt('GREY OWL');
  const done = await talk.say(prompt);
  expectStop(done, 'finished');
  expect(talk.server.prompts[0]).toBe(prompt);
});
