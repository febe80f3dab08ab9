import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { cautiousRules } from '../../src/model/acp.ts';
import type { DriverConfig } from '../../src/model/config.ts';
import { geminiServer } from '../rig/gemini-server.ts';
import type { ModelRule } from '../rig/model-server.ts';
import { cell, eventsOf, expectStop } from './cell.ts';
import { bigPrompt } from './cases.ts';
import type { Stage, TurnRequest } from './stage.ts';

function driverFor({ program }: Stage, more: object = {}): DriverConfig {
  return {
    type: 'acp',
    agent: { preset: 'gemini', program },
    models: { high: 'gemini-2.5-flash' },
    rules: { ...cautiousRules, edit: 'allow', execute: 'allow' },
    quietMs: 20_000,
    ...more,
  };
}

/** A server for the rules, and how to say something to the agent that talks to it. */
async function opened(stage: Stage, rules: readonly ModelRule[]) {
  const server = await geminiServer(rules);
  const env = {
    GEMINI_API_KEY: 'not-a-key',
    GOOGLE_GEMINI_BASE_URL: server.url,
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
  };
  mkdirSync(join(stage.home, '.gemini'), { recursive: true });
  const settings = { security: { auth: { selectedType: 'gemini-api-key' } } };
  writeFileSync(join(stage.home, '.gemini/settings.json'), JSON.stringify(settings));
  return {
    server,
    say: (prompt: string, more: Partial<TurnRequest> = {}) =>
      stage.run({ driver: driverFor(stage), prompt, env, ...more }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

cell('gemini', 'good', async (stage) => {
  const file = join(stage.workspace, 'a.txt');
  await using talk = await opened(stage, [
    {
      steps: [
        { tools: [{ name: 'write_file', input: { file_path: file, content: 'A' } }] },
        { tools: [{ name: 'run_shell_command', input: { command: 'cp a.txt b.txt' } }] },
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

cell('gemini', 'big-prompt', async (stage) => {
  await using talk = await opened(stage, [{ steps: [{ text: 'read' }] }]);
  const prompt = bigPrompt('GREY OWL');
  const done = await talk.say(prompt);
  expectStop(done, 'finished');
  expect(talk.server.prompts[0]).toContain(prompt.trim());
});
