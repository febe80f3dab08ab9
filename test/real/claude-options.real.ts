import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { workflowHandoff } from '../../src/model/turn.ts';
import type { ModelRule } from '../rig/model-brain.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { eventsOf, expectStop } from './cell.ts';
import { openTalk } from './claude-talk.ts';
import { programOf } from './program-of.ts';
import { openStage } from './stage.ts';

/** What an operator or a caller can ask of it beyond the cases that all CLIs share. */
async function opened(rules: readonly ModelRule[]) {
  const found = await programOf('claude');
  const folder = tempFolder();
  const stage = openStage('claude', found.program, found.version, folder.path);
  const talk = await openTalk(stage, rules);
  return {
    ...talk,
    ...stage,
    [Symbol.asyncDispose]: async () => {
      await talk[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

const bash = (command: string) => ({ tools: [{ name: 'Bash', input: { command, description: 'x' } }] });
const resultSchema = { type: 'object', properties: { answer: { type: 'number' } }, required: ['answer'] };
const owed = { result: 'required', handoff: { ...workflowHandoff, resultSchema } } as const;

test('a result in the form that was asked for is handed over, and becomes result.json', async () => {
  const input = { answer: 42, summary: 'it is 42' };
  await using place = await opened([{ steps: [{ tools: [{ name: 'StructuredOutput', input }] }] }]);
  const done = await place.say('how much', { spec: owed });
  expectStop(done, 'finished');
  expect(done.turn.result).toMatchObject({ status: 'success', summary: 'it is 42' });
  expect(done.turn.toolCalls).toBe(0);
  expect(eventsOf(done, 'tool')).toEqual([]);
  expect(JSON.parse(readFileSync(join(done.sessionDir, 'result.json'), 'utf8'))).toEqual(input);
});

test('one that never hands it over has failed, although the CLI calls that a success', async () => {
  await using place = await opened([{ steps: [{ text: 'about forty' }] }]);
  const done = await place.say('how much', { spec: owed });
  expectStop(done, 'no-result');
  expect(done.end.exitCode).toBe(0);
  expect(done.turn.failure?.message).toContain('the agent ended without the result it owes');
});

test('one whose results are refused until the CLI gives up has finished its work, and says what was wrong', async () => {
  const input = { answer: 'about forty' };
  const wrong = Array.from({ length: 8 }, () => ({ tools: [{ name: 'StructuredOutput', input }] }));
  await using place = await opened([{ steps: [bash('touch worked.txt'), ...wrong] }]);
  const done = await place.say('how much', { spec: owed });
  expectStop(done, 'no-result');
  expect(done.end.exitCode).toBe(1);
  expect(done.turn.failure?.message).toMatch(/its CLI refused the last one: .*answer.* must be number/);
  expect(done.turn.toolCalls).toBe(1);
});

test('turns and money are held to their limits, in the words of the CLI', async () => {
  await using place = await opened([{ steps: [bash('true')] }]);
  const turns = await place.say('go on and on', { driver: place.driver({ maxTurns: 2 }) });
  expectStop(turns, 'failed');
  expect(turns.turn.failure?.message).toMatch(/maximum number of turns/);
  expect(place.server.prompts).toHaveLength(2);
  const money = await place.say('go on and on', { driver: place.driver({ maxBudgetUsd: 0.0001 }) });
  expectStop(money, 'failed');
  expect(money.turn.failure?.message).toMatch(/budget/);
  expect(place.server.prompts).toHaveLength(3);
});

test('everything is allowed only where the configuration says so, and never to root by default', async () => {
  await using place = await opened([{ steps: [bash('touch free.txt'), { text: 'done' }] }]);
  const driver = place.driver({ permissionMode: 'bypass', allowedTools: [] });
  const done = await place.say('anything', { driver });
  if (process.getuid?.() === 0) {
    expectStop(done, 'failed');
    expect(done.turn.failure?.message).toContain('cannot be used with root/sudo privileges');
    expect(place.server.prompts).toEqual([]);
    expectStop(await place.say('anything', { driver, env: { ...place.env, IS_SANDBOX: '1' } }), 'finished');
  } else expectStop(done, 'finished');
  const denied = await place.say('anything', { driver: place.driver({ allowedTools: [] }) });
  expect(denied.turn.denials).toBe(1);
});

test('a hook from the settings of the operator refuses a tool, and no file of the person is changed', async () => {
  await using place = await opened([{ steps: [bash('touch x'), { text: 'refused' }] }]);
  const command = 'echo no shell here >&2; exit 2';
  const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command }] }] };
  writeFileSync(join(place.folder, 'hooks.json'), JSON.stringify({ hooks }));
  const done = await place.say('use a shell', { driver: place.driver({ settings: 'hooks.json' }) });
  expectStop(done, 'finished');
  expect(eventsOf(done, 'blocked')).toMatchObject([
    { tool: 'Bash', reason: expect.stringContaining('no shell here') },
  ]);
  expect(done.turn.hookBlocks).toBe(1);
  expect(done.files).toEqual([]);
  expect(readFileSync(join(place.home, '.claude.json'), 'utf8')).not.toContain('no shell here');
});

test('the servers of the configuration are there, and no others', async () => {
  await using place = await opened([{ steps: [{ text: 'seen' }] }]);
  const own = { command: 'false', args: [] };
  writeFileSync(join(place.folder, 'servers.json'), JSON.stringify({ mcpServers: { lab: own } }));
  writeFileSync(join(place.workspace, '.mcp.json'), JSON.stringify({ mcpServers: { other: own } }));
  const done = await place.say('look', { driver: place.driver({ mcpConfig: 'servers.json' }) });
  expectStop(done, 'finished');
  const init = done.log.find((line) => line.includes('"subtype":"init"')) ?? '{}';
  const { mcp_servers: servers } = JSON.parse(init) as { mcp_servers: { name: string }[] };
  expect(servers.map(({ name }) => name)).toEqual(['lab']);
});

test('a tier is a model, and a further folder may be written to', async () => {
  const rules: ModelRule[] = [];
  await using place = await opened(rules);
  const more = join(place.folder, 'more');
  mkdirSync(more);
  const input = { file_path: join(more, 'a.txt'), content: 'A' };
  rules.push({ steps: [{ tools: [{ name: 'Write', input }] }, { text: 'written' }] });
  // `acceptEdits` allows what is written below the folders, and nothing elsewhere.
  const driver = place.driver({
    models: { low: 'claude-small-1' },
    allowedTools: [],
    permissionMode: 'acceptEdits',
  });
  const spec = { tier: 'low', handoff: { ...workflowHandoff, addDirs: [more] } } as const;
  const done = await place.say('write', { driver, spec });
  expectStop(done, 'finished');
  expect(readFileSync(join(more, 'a.txt'), 'utf8')).toBe('A');
  expect(new Set(place.server.models)).toEqual(new Set(['claude-small-1']));
  // One that is there and was not read would be refused for that.
  rmSync(join(more, 'a.txt'));
  const elsewhere = await place.say('write', { driver });
  expect(elsewhere.turn.denials).toBe(1);
});
