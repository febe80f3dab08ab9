import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { DriverConfig } from '../../src/model/config.ts';
import { type ModelRule, modelServer } from '../rig/model-server.ts';
import { cell, eventsOf, expectStop } from './cell.ts';
import { bigPrompt } from './cases.ts';
import { claudeHome } from './claude-home.ts';
import type { Stage, TurnRequest } from './stage.ts';

function driverFor({ program }: Stage, more: object = {}): DriverConfig {
  return { type: 'claude', program, allowedTools: ['Write', 'Bash'], models: {}, ...more };
}

/** A server for the rules, and how to say something to the agent that talks to it. */
async function opened(stage: Stage, rules: readonly ModelRule[]) {
  const server = await modelServer(rules);
  const env = claudeHome(stage.folder, stage.workspace, server);
  return {
    server,
    say: (prompt: string, more: Partial<TurnRequest> = {}) =>
      stage.run({ driver: driverFor(stage), prompt, env, ...more }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

cell('claude', 'good', async (stage) => {
  const file = join(stage.workspace, 'a.txt');
  await using talk = await opened(stage, [
    {
      steps: [
        { tools: [{ name: 'Write', input: { file_path: file, content: 'A' } }] },
        { tools: [{ name: 'Bash', input: { command: 'cp a.txt b.txt', description: 'x' } }] },
        { text: 'all done' },
      ],
    },
  ]);
  const done = await talk.say('write it; "$(id)"');
  expectStop(done, 'finished');
  expect(done.turn).toMatchObject({ outcome: 'SUCCESS', toolCalls: 2, denials: 0, text: 'all done' });
  expect(done.turn.usage).toMatchObject({ inputTokens: 300, outputTokens: 60 });
  expect(eventsOf(done, 'tool').map(({ name }) => name)).toEqual(['Write', 'Bash']);
  expect(done.files).toEqual(['a.txt', 'b.txt']);
  expect(readFileSync(join(stage.workspace, 'b.txt'), 'utf8')).toBe('A');
  expect(talk.server.prompts[0]).toBe('write it; "$(id)"');
  expect(talk.server.systems[0]).toContain('BLUE HERON');
});

cell('claude', 'api-401', async (stage) => {
  await using talk = await opened(stage, [{ steps: [{ status: 401, message: 'invalid x-api-key' }] }]);
  const done = await talk.say('anything');
  expectStop(done, 'failed');
  expect(done.turn.failure?.message).toContain('Invalid API key');
});

cell('claude', 'big-prompt', async (stage) => {
  await using talk = await opened(stage, [{ steps: [{ text: 'read' }] }]);
  const prompt = bigPrompt('GREY OWL');
  const done = await talk.say(prompt);
  expectStop(done, 'finished');
  expect(talk.server.prompts[0]).toBe(prompt);
});

for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
  cell('claude', signal === 'SIGTERM' ? 'sigterm' : 'sigkill', async (stage) => {
    const input = { command: 'tail -f /dev/null', description: 'x' };
    await using talk = await opened(stage, [{ steps: [{ tools: [{ name: 'Bash', input }] }] }]);
    const done = await talk.say('wait', { interrupt: { signal, whenRuns: 'tail -f /dev/null' } });
    expectStop(done, 'crashed');
    expect(done.end).toMatchObject({ signal, ended: null });
    expect(done.turn.outcome).toBe('FAILURE');
  });
}
