import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/rig/temp-folder.ts';
import { planReplay } from './launch.ts';
import { promptText } from '../prompt-text.ts';

const spec = {
  systemPrompt: 'You are a coder. library',
  prompt: 'write a parser',
  handoff: { addDirs: [] as readonly string[] },
};

function environment(folder: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    TUTTI_AGENT: 'coder',
    TUTTI_STEP: 'build',
    TUTTI_ATTEMPT: '1',
    TUTTI_TURN: '1',
    TUTTI_WORKSPACE: folder,
    TUTTI_SESSION_ID: 's-1',
    TUTTI_RESULT: join(folder, 'result.json'),
  };
}

function program(folder: string, cassette: string) {
  const path = join(folder, 'cassette.yaml');
  writeFileSync(path, cassette);
  const [file, ...args] = planReplay(path, spec as Parameters<typeof planReplay>[1]).argv;
  return { file, args, options: { cwd: folder, env: environment(folder) } };
}

function run(folder: string, cassette: string) {
  const { file, args, options } = program(folder, cassette);
  return spawnSync(file, args, { ...options, input: promptText(spec), encoding: 'utf8' });
}

test('the player plays the matching turn from its environment and its input, the same each time', () => {
  using folder = tempFolder();
  const cassette = `turns:
  - {match: {contains: library}, text: the system prompt is not the task}
  - match: {agent: coder, step: build, contains: parser, attempt: 1, turn: 1}
    files: {out.txt: "{AGENT} {STEP} {ATTEMPT} {TURN} {SESSION_ID}"}
    text: done
    result: {status: success}
`;
  const [first, second] = [run(folder.path, cassette), run(folder.path, cassette)];
  expect(first).toMatchObject({ status: 0, stdout: '{"type":"text","text":"done"}\n', stderr: '' });
  expect(second.stdout).toBe(first.stdout);
  expect(readFileSync(join(folder.path, 'out.txt'), 'utf8')).toBe('coder build 1 1 s-1');
  expect(existsSync(join(folder.path, 'result.json'))).toBe(true);
});

test('when nothing fits, exit code 70 and the nearest turn, on both streams', () => {
  using folder = tempFolder();
  const { status, stdout, stderr } = run(folder.path, 'turns: [{match: {step: test}}]');
  expect(status).toBe(70);
  const message = `no turn of ${folder.path}/cassette.yaml fits agent coder, step build, attempt 1, turn 1; the nearest is turns[0], but its step is "test", not "build"`;
  expect(JSON.parse(stdout)).toEqual({ type: 'problem', message });
  expect(stderr).toBe(`tutti replay: ${message}\n`);
});

test('a cassette that is not valid is told with its line', () => {
  using folder = tempFolder();
  expect(run(folder.path, 'turns:\n  - {mach: {}}\n')).toMatchObject({
    status: 65,
    stderr: expect.stringContaining(
      'cassette.yaml:2:6: turns[0]: unknown member "mach" (did you mean "match"?)',
    ),
  });
});

test('a turn that hangs lives until it is ended', async () => {
  using folder = tempFolder();
  const { file, args, options } = program(folder.path, 'turns: [{text: waiting, hang: true}]');
  const child = spawn(file, args, { ...options, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(promptText(spec));
  await once(child.stdout, 'data');
  expect(child.exitCode).toBe(null);
  child.kill('SIGTERM');
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  expect({ code, signal }).toEqual({ code: null, signal: 'SIGTERM' });
});

test('an agent of a plan writes into its folder, with the checksums of what it stands on', () => {
  using folder = tempFolder();
  const plan = join(folder.path, 'plan');
  for (const name of ['inputs', 'artifacts']) mkdirSync(join(plan, name), { recursive: true });
  writeFileSync(join(plan, 'inputs/spec.md'), 'spec\n');
  const path = join(folder.path, 'cassette.yaml');
  const map = '{PLAN_DIR}/artifacts/map.json';
  const said = '{SPEC_SHA256} {CAPABILITY_MAP_SHA256}';
  writeFileSync(path, JSON.stringify({ turns: [{ files: { [map]: said }, result: { status: 'success' } }] }));
  const given = { ...spec, handoff: { addDirs: [plan] } };
  const [file, ...args] = planReplay(path, given as unknown as Parameters<typeof planReplay>[1]).argv;
  const workspace = join(folder.path, 'workspace');
  mkdirSync(workspace);
  const env = { ...environment(workspace), TUTTI_PLAN_DIR: plan };
  const options = { cwd: workspace, env, input: promptText(spec), encoding: 'utf8' } as const;
  expect(spawnSync(file, args, options)).toMatchObject({ status: 0, stderr: '' });
  const sum = createHash('sha256').update('spec\n').digest('hex');
  // There is no capability map yet, so its name is left alone.
  expect(readFileSync(join(plan, 'artifacts/map.json'), 'utf8')).toBe(`${sum} {CAPABILITY_MAP_SHA256}`);
});
