import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { cautiousRules } from '../../src/model/acp.ts';
import type { DriverConfig } from '../../src/model/config.ts';
import { openaiChatServer } from '../rig/openai-chat-server.ts';
import type { ModelRule } from '../rig/model-server.ts';
import { cell, eventsOf, expectStop } from './cell.ts';
import { bigPrompt } from './cases.ts';
import type { Stage, TurnRequest } from './stage.ts';

function driverFor({ program }: Stage, more: object = {}): DriverConfig {
  return {
    type: 'acp',
    agent: { preset: 'opencode', program },
    models: { high: 'fake/scripted' },
    rules: { ...cautiousRules, edit: 'allow', execute: 'allow' },
    quietMs: 20_000,
    ...more,
  };
}

/** A server for the rules, and how to say something to the agent that talks to it. */
async function opened(stage: Stage, rules: readonly ModelRule[]) {
  const server = await openaiChatServer(rules);
  const model = { name: 'Scripted', limit: { context: 1_000_000, output: 8192 } };
  const provider = {
    npm: '@ai-sdk/openai-compatible',
    options: { baseURL: server.url, apiKey: 'not-a-key' },
    models: { scripted: model, other: model },
  };
  const settings = { provider: { fake: provider }, model: 'fake/other', small_model: 'fake/other' };
  mkdirSync(join(stage.home, '.config/opencode'), { recursive: true });
  writeFileSync(join(stage.home, '.config/opencode/opencode.json'), JSON.stringify(settings));
  const env = { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' };
  return {
    server,
    say: (prompt: string, more: Partial<TurnRequest> = {}) =>
      stage.run({ driver: driverFor(stage), prompt, env, ...more }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

cell('opencode', 'good', async (stage) => {
  const file = join(stage.workspace, 'a.txt');
  await using talk = await opened(stage, [
    {
      steps: [
        { tools: [{ name: 'write', input: { filePath: file, content: 'A' } }] },
        { tools: [{ name: 'bash', input: { command: 'cp a.txt b.txt', description: 'copies' } }] },
        { text: 'all done' },
      ],
    },
  ]);
  const done = await talk.say('write it; "$(id)"');
  expectStop(done, 'finished');
  expect(done.turn).toMatchObject({ outcome: 'SUCCESS', toolCalls: 2, denials: 0, text: 'all done' });
  expect(done.turn.usage).toMatchObject({ inputTokens: 300, outputTokens: 60 });
  expect(eventsOf(done, 'tool').map(({ name }) => name)).toEqual(['edit', 'execute']);
  expect(done.files).toEqual(['a.txt', 'b.txt']);
  expect(readFileSync(join(stage.workspace, 'b.txt'), 'utf8')).toBe('A');
  expect(talk.server.prompts[0]).toContain('BLUE HERON');
  expect(talk.server.prompts[0]).toContain('write it; "$(id)"');
});

cell('opencode', 'big-prompt', async (stage) => {
  await using talk = await opened(stage, [{ steps: [{ text: 'read' }] }]);
  const prompt = bigPrompt('GREY OWL');
  const done = await talk.say(prompt);
  expectStop(done, 'finished');
  expect(talk.server.prompts[0]).toContain(prompt.trim());
});
