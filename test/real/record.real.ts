import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { driverOf } from '../../src/drivers/registry.ts';
import type { DriverConfig } from '../../src/model/config.ts';
import { changesSince } from '../../src/workspace/changes.ts';
import { listWorkspace } from '../../src/workspace/workspace-files.ts';
import { filesIn, tapedTurn, tapedTurns } from '../drivers/taped-turn.ts';
import type { ModelRule } from '../rig/model-brain.ts';
import { modelServer } from '../rig/model-server.ts';
import { writeProject } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { SessionProject } from '../sessions/project.ts';
import { claudeHome } from './claude-home.ts';
import { claudeProgram } from './claude-program.ts';
import { ownResult, structuredAnswer } from './handed-over.ts';
import { type CellTurn, openStage, type Stage } from './stage.ts';
import { plainSpec } from '../rig/session-spec.ts';

let program = '';
// Only when one of these tests is to run: the program is large.
beforeEach(async () => {
  program = await claudeProgram();
});

test('a real session is recorded and played again: the same outcome, files and events', async () => {
  const drivers = {
    claude: { type: 'claude', program, allowed_tools: ['Write', 'Bash'] },
    taped: { type: 'record', driver: 'claude', cassette: 'tapes/x.yaml' },
    again: { type: 'replay', cassette: 'tapes/x.yaml' },
  };
  const rules: ModelRule[] = [];
  await using server = await modelServer(rules);
  const seen = ['ANTHROPIC_BASE_URL', 'ANTHROPIC_API_KEY', 'CLAUDE_CODE_MAX_RETRIES', 'DISABLE_AUTOUPDATER'];
  await using rig = new SessionProject({ driver: 'taped', drivers, env: seen });
  const work = join(rig.path, 'work');
  const env = claudeHome(rig.path, work, server);
  const write = (name: string, content: string) => ({
    name: 'Write',
    input: { file_path: join(work, name), content },
  });
  const result = ownResult({ summary: `done in ${work}` });
  rules.push({
    steps: [
      {
        text: `I work in ${work} with {WORKSPACE}`,
        tools: [write('src/a.js', 'export const a = "{STEP}";\n')],
      },
      {
        tools: [
          { name: 'Bash', input: { command: 'rm old.txt; printf "\\000\\377" > raw.bin', description: 'x' } },
        ],
      },
      structuredAnswer.claude(result),
      { text: 'It is done.' },
    ],
  });
  writeProject(rig.path, { 'agents/builder.md': 'You build.\n' });
  const tutti = rig.open(env);
  const agent = 'builder';
  const first = await tapedTurn(rig, tutti, 'do it in {SESSION_ID}', { agent, driver: 'taped' });
  const asked = server.prompts.length;
  expect(first.seen.result).toBe(JSON.stringify(result));
  expect(first.seen).toMatchObject({ status: 'COMPLETED', outcome: 'SUCCESS', exitCode: 0 });
  expect(first.seen.files.map(([name, , content]) => [name, content])).toEqual([
    ['kept.txt', 'kept'],
    ['raw.bin', '\0\xFF'],
    ['src/a.js', 'export const a = "{STEP}";\n'],
  ]);
  expect(first.seen.events.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['conversation', 'text', 'tool', 'files', 'usage']),
  );
  expect(tapedTurns(rig)).toMatchObject([
    { recorded: { session: first.id, driver: 'claude' }, delete: ['old.txt'] },
  ]);
  const second = await tapedTurn(rig, tutti, 'do it in {SESSION_ID}', { agent, driver: 'again' });
  expect(second.seen).toEqual(first.seen);
  expect(server.prompts).toHaveLength(asked);
});

/** A turn through the recorder of a stage, and the same through the player, in the same workspace. */
async function twice(stage: Stage, config: DriverConfig, prompt: string, env: Record<string, string>) {
  const cassette = join(stage.folder, 'x.yaml');
  const drivers = { claude: config, taped: { type: 'record', driver: 'claude', cassette } } as const;
  const found = driverOf('taped', { drivers }, { projectDir: stage.folder, searchPath: '' });
  if (!found.ok) throw new Error(found.error.message);
  const prepare = (): void => {
    rmSync(stage.workspace, { recursive: true });
    mkdirSync(stage.workspace);
    writeFileSync(join(stage.workspace, 'kept'), 'kept');
  };
  prepare();
  const before = await listWorkspace(stage.workspace);
  const first = await stage.run({ driver: config, prompt, env });
  const firstFiles = filesIn(stage.workspace);
  const problem = found.value.ended?.({
    spec: specLike(prompt, stage.workspace),
    place: { sessionId: first.turn.sessionId, sessionDir: first.sessionDir, projectDir: stage.folder },
    runId: 'real',
    step: 'turn',
    attempt: 1,
    end: first.end,
    stop: first.turn.stop,
    events: first.events,
    result: null,
    changes: changesSince(stage.workspace, before, await listWorkspace(stage.workspace)),
    at: Date.now(),
    redact: (text) => text,
  });
  expect(problem).toBeNull();
  prepare();
  const second = await stage.run({ driver: { type: 'replay', cassette }, prompt, env: {} });
  expect(outcomeOf(second)).toEqual(outcomeOf(first));
  expect(second.events).toEqual(first.events);
  expect(filesIn(stage.workspace)).toEqual(firstFiles);
  return first;
}

function outcomeOf({ turn }: CellTurn) {
  return { ...turn, sessionId: '' };
}

function specLike(prompt: string, workspace: string) {
  return {
    ...plainSpec,
    driver: 'taped',
    systemPrompt: '',
    prompt,
    workspace,
  } as const;
}

const bash = (command: string) => ({ name: 'Bash', input: { command, description: 'x' } });

test.each<[string, string, readonly ModelRule[]]>([
  ['a usage limit', 'limit', [{ steps: [{ status: 429 }] }]],
  ['an error of the model', 'failed', [{ steps: [{ status: 500 }] }]],
  ['a tool that is refused', 'finished', [{ steps: [{ tools: [bash('touch b')] }, { text: 'no' }] }]],
])('%s is recorded and played as it was: %s', async (_, stop, rules) => {
  await using server = await modelServer(rules);
  using folder = tempFolder();
  const stage = openStage('claude', program, '', folder.path);
  const { HOME: _home, PATH: _path, TMPDIR: _tmp, ...env } = claudeHome(folder.path, stage.workspace, server);
  const config: DriverConfig = { type: 'claude', program, allowedTools: ['Write'], models: {} };
  const first = await twice(stage, config, 'do it', env);
  expect(first.turn.stop).toBe(stop);
  if (stop === 'finished') expect(first.turn.denials).toBe(1);
});
