import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claudeReader } from '../../src/drivers/claude/parse.ts';
import { planClaude } from '../../src/drivers/claude/launch.ts';
import { readLog } from '../../src/drivers/turn-log.ts';
import type { SessionSpec } from '../../src/model/turn.ts';
import { launch } from '../../src/runtime/launcher.ts';
import { AttemptRig } from '../rig/attempt-rig.ts';
import { modelServer } from '../rig/model-server.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { claudeHome } from './claude-home.ts';
import { claudeProgram } from './claude-program.ts';
import { noTrust } from '../rig/trust.ts';
import { plainSpec, fileContract } from '../rig/session-spec.ts';

test('turns of the real CLI, continued, denied and limited, are read for what they are', async () => {
  const config = {
    type: 'claude',
    program: await claudeProgram(),
    allowedTools: ['Write'],
    models: {},
  } as const;
  using folder = tempFolder();
  const workspace = join(folder.path, 'work');
  mkdirSync(workspace);
  const file = join(workspace, 'a.txt');
  await using server = await modelServer([
    { match: 'limit', steps: [{ status: 429 }] },
    {
      match: 'shell',
      steps: [{ tools: [{ name: 'Bash', input: { command: 'touch b', description: 'x' } }] }, { text: 'no' }],
    },
    { match: 'go on', steps: [{ text: 'gone on' }] },
    {
      steps: [{ tools: [{ name: 'Write', input: { file_path: file, content: 'A' } }] }, { text: 'written' }],
    },
  ]);
  const env = claudeHome(folder.path, workspace, server);
  const rig = new AttemptRig(folder.path);
  const turn = async (sessionId: string, prompt: string, continues: string | null = null) => {
    const spec: SessionSpec = {
      ...plainSpec,
      driver: 'claude',
      systemPrompt: 'BLUE HERON',
      prompt,
      workspace,
      continues,
    };
    const attempt = rig.spec(['true'], {
      cwd: workspace,
      env,
      timeoutMs: 60_000,
      session: { session_id: sessionId },
    });
    const place = {
      sessionId,
      sessionDir: attempt.dir,
      contract: fileContract(attempt.dir),
      projectDir: folder.path,
      trust: noTrust,
    };
    const { argv, stdin } = planClaude(config, spec, place);
    const stdinFile = join(attempt.dir, 'stdin');
    writeFileSync(stdinFile, stdin);
    const end = await launch({ ...attempt, argv, stdinFile });
    if (end === 'lost') throw new Error('lost');
    const reader = claudeReader();
    const log = readLog(readFileSync(attempt.logFile, 'utf8').split('\n'), reader);
    return { log, stop: reader.stop(end) };
  };
  const first = await turn('one', 'write it; "$(id)"');
  expect(first).toMatchObject({ stop: 'finished', log: { text: 'written', toolCalls: 1, problem: null } });
  expect(first.log.usage).toMatchObject({ inputTokens: 200, outputTokens: 40 });
  expect(readFileSync(file, 'utf8')).toBe('A');
  expect(server.prompts[0]).toBe('write it; "$(id)"');
  expect(server.systems[0]).toContain('BLUE HERON');
  const second = await turn('two', 'go on', 'one');
  expect(second).toMatchObject({ stop: 'finished', log: { text: 'gone on', usage: { inputTokens: 100 } } });
  // A second turn that goes on from the first finds it as it was, and is paid for alone.
  const other = await turn('three', 'go on', 'one');
  expect(other.log.usage.costUsd).toBe(second.log.usage.costUsd);
  expect(other.log.usage.costUsd).toBeLessThan(first.log.usage.costUsd ?? 0);
  expect(await turn('four', 'use a shell')).toMatchObject({
    stop: 'finished',
    log: { problem: null, denials: 1 },
  });
  expect(await turn('five', 'limit')).toMatchObject({ stop: 'limit' });
  expect(await turn('six', 'go on', 'nowhere')).toMatchObject({ stop: 'failed' });
  await rig.close();
});
