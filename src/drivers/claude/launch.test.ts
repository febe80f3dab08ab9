import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/rig/temp-folder.ts';
import type { Config } from '../../model/config.ts';
import { type SessionSpec, workflowHandoff } from '../../model/turn.ts';
import { interactiveProblem, interactiveReader } from '../interactive.ts';
import { driverOf } from '../registry.ts';
import { readLog } from '../turn-log.ts';
import { conversationId } from './launch.ts';
import { fullTrust, noTrust } from '../../../test/rig/trust.ts';
import { plainSpec, fileContract } from '../../../test/rig/session-spec.ts';

const drivers: Config['drivers'] = {
  plain: { type: 'claude', program: 'claude', models: {} },
  set: {
    type: 'claude',
    program: './bin/claude',
    permissionMode: 'acceptEdits',
    allowedTools: ['Read', 'Bash(git log:*)'],
    models: { high: 'opus' },
  },
  full: {
    type: 'claude',
    program: 'claude',
    permissionMode: 'bypass',
    models: {},
    maxTurns: 3,
    maxBudgetUsd: 0.5,
    mcpConfig: 'servers.json',
    settings: 'hooks.json',
  },
  tui: { type: 'command', command: ['x'], input: 'file', interactive: ['./tui', '--fast'] },
  bare: { type: 'command', command: ['x'], input: 'file' },
  replay: { type: 'replay', cassette: 'c' },
};

function driver(name: string, projectDir = '/p', searchPath = '') {
  const found = driverOf(name, { drivers }, { projectDir, searchPath });
  if (!found.ok) throw new Error(found.error.message);
  return found.value;
}

function spec(more: Partial<SessionSpec> = {}): SessionSpec {
  return {
    ...plainSpec,
    driver: 'plain',
    result: 'required',
    timeoutMs: 1000,
    ...more,
  };
}

test('a turn is planned with the prompt on the input, who it is in a file, and everything denied that is not allowed', () => {
  using folder = tempFolder();
  const sessionDir = folder.path;
  const place = {
    sessionId: 's',
    sessionDir,
    contract: fileContract(sessionDir),
    projectDir: '/p',
    trust: fullTrust,
  };
  const plan = driver('plain').plan(spec(), place);
  expect(plan).toEqual({
    argv: [
      'claude',
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      '--permission-mode',
      'dontAsk',
      '--append-system-prompt-file',
      join(sessionDir, 'system.md'),
      '--add-dir',
      sessionDir,
      '--session-id',
      conversationId('/p', 's'),
      '--tools',
      'Read,Grep,Glob,Edit,Write,Bash',
      '--allowedTools',
      `Read,Grep,Glob,Bash,Edit(//w/**),Edit(/${sessionDir}/**)`,
    ],
    env: { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1' },
    stdin: 'what',
    launcher: 'shell',
  });
  expect(readFileSync(join(sessionDir, 'system.md'), 'utf8')).toBe('who');
  expect(statSync(join(sessionDir, 'system.md')).mode & 0o777).toBe(0o600);
});

test('what the configuration and the handoff say is passed on; a conversation goes on as a fork', () => {
  using folder = tempFolder();
  const place = {
    sessionId: 't',
    sessionDir: folder.path,
    contract: fileContract(folder.path),
    projectDir: '/p',
    trust: fullTrust,
  };
  const handoff = { ...workflowHandoff, addDirs: ['/more'] };
  const { argv } = driver('set').plan(spec({ systemPrompt: '', handoff, continues: 's' }), place);
  expect(argv.slice(5)).toEqual([
    '--permission-mode',
    'acceptEdits',
    '--model',
    'opus',
    '--add-dir',
    '/more',
    '--add-dir',
    folder.path,
    '--resume',
    conversationId('/p', 's'),
    '--fork-session',
    '--session-id',
    conversationId('/p', 't'),
    '--tools',
    'Read,Grep,Glob,Edit,Write,Bash',
    '--allowedTools',
    `Read,Bash(git log:*),Edit(/${folder.path}/**)`,
  ]);
  expect(argv[0]).toBe('/p/bin/claude');
  const forms = [conversationId('/p', 's'), conversationId('/p', 't'), conversationId('/q', 's')];
  expect(new Set(forms).size).toBe(3);
  for (const form of forms)
    expect(form).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('limits, servers, settings and the form of the result are handed over, and bypass only where it is written', () => {
  using folder = tempFolder();
  const place = {
    sessionId: 't',
    sessionDir: folder.path,
    contract: fileContract(folder.path),
    projectDir: '/p',
    trust: fullTrust,
  };
  const { argv } = driver('full').plan(
    spec({ systemPrompt: '', continues: 's', conversation: 'its-own-id' }),
    { ...place, contract: { by: 'structured', schema: { type: 'object' } } },
  );
  expect(argv.slice(5).join(' ')).toBe(
    [
      '--max-turns 3 --max-budget-usd 0.5 --json-schema {"type":"object"}',
      '--settings /p/hooks.json --permission-mode bypassPermissions',
      `--mcp-config /p/servers.json --strict-mcp-config --add-dir ${folder.path}`,
      `--resume its-own-id --fork-session --session-id ${conversationId('/p', 't')}`,
      '--tools Read,Grep,Glob,Edit,Write,Bash',
      `--allowedTools Read,Grep,Glob,Bash,Edit(//w/**),Edit(/${folder.path}/**)`,
    ].join(' '),
  );
  for (const name of ['plain', 'set']) {
    expect(driver(name).plan(spec(), place).argv.join(' ')).not.toMatch(/bypass|dangerous/);
  }
});

test('settings that the operator names are there in the interface too, beside our hooks', () => {
  using folder = tempFolder();
  const projectDir = folder.path;
  const place = {
    sessionId: 's',
    sessionDir: projectDir,
    contract: fileContract(projectDir),
    projectDir,
    trust: fullTrust,
  };
  writeFileSync(join(projectDir, 'claude'), '', { mode: 0o755 });
  const ready = () => driver('full', projectDir, projectDir).missing();
  expect(ready()).toContain('hooks.json does not exist: fix it, or name another file in tutti.yaml');
  expect(() => driver('full').interactive(spec(), place)).toThrow('does not exist');
  const guard = { matcher: 'Bash', hooks: [{ type: 'command', command: './guard' }] };
  for (const wrong of ['{', '[]']) {
    writeFileSync(join(projectDir, 'hooks.json'), wrong);
    expect(ready()).toMatch(/hooks\.json is not (a )?JSON/);
  }
  writeFileSync(
    join(projectDir, 'hooks.json'),
    JSON.stringify({ model: 'x', hooks: { PreToolUse: [guard], Stop: [guard], Odd: 5 } }),
  );
  expect(ready()).toContain('servers.json does not exist');
  writeFileSync(join(projectDir, 'servers.json'), '{}');
  expect(ready()).toBeNull();
  const text = driver('full').interactive(spec(), place)?.argv[2] ?? '';
  const settings = JSON.parse(text) as { model: string; hooks: Record<string, unknown[]> };
  expect(settings.model).toBe('x');
  expect(settings.hooks['PreToolUse']).toEqual([guard]);
  expect(settings.hooks['Stop']).toEqual([
    guard,
    { hooks: [expect.objectContaining({ command: '"$TUTTI_NODE" "$TUTTI_HOOK" turn-done' })] },
  ]);
});

test('its interface asks a person, tells through hooks that no path is part of, and runs no prompt as a command', () => {
  using folder = tempFolder();
  const place = {
    sessionId: 's',
    sessionDir: folder.path,
    contract: fileContract(folder.path),
    projectDir: '/p',
    trust: fullTrust,
  };
  const plan = driver('plain').interactive(spec({ prompt: '!rm -rf /' }), place);
  expect(plan?.prompt).toBe('Your task:\n\n!rm -rf /');
  expect(driver('plain').interactive(spec(), place)?.prompt).toBe('what');
  expect(plan?.argv.slice(3, 5)).toEqual(['--permission-mode', 'default']);
  expect(plan?.argv).not.toContain('-p');
  // Tutti asks for the result itself, so a person is not asked about it.
  expect(plan?.argv.slice(-2)).toEqual(['--allowedTools', `Edit(/${join(folder.path, 'result.json')})`]);
  const settings = JSON.parse(plan?.argv[2] ?? '') as {
    hooks: Record<string, { hooks: { command: string }[] }[]>;
  };
  expect(Object.keys(settings.hooks)).not.toContain('PreToolUse');
  const commands = Object.values(settings.hooks).flatMap((groups) => groups.flatMap(({ hooks }) => hooks));
  expect(commands.length).toBe(10);
  for (const { command } of commands) expect(command).toMatch(/^"\$TUTTI_NODE" "\$TUTTI_HOOK" [a-z-]+$/);
});

test('any other program may name an interface of its own', () => {
  const place = {
    sessionId: 's',
    sessionDir: '/s',
    contract: fileContract('/s'),
    projectDir: '/p',
    trust: fullTrust,
  };
  expect(driver('tui').interactive(spec(), place)).toEqual({
    argv: ['/p/tui', '--fast'],
    env: {},
    prompt: 'who\n\n---\n\n**TASK DELEGATION**:\n\nwhat',
  });
  expect(driver('bare').interactive(spec(), place)).toBeNull();
  expect(driver('replay').interactive(spec(), place)).toBeNull();
});

test('a program that is not there is told with the command that installs it', () => {
  using folder = tempFolder();
  writeFileSync(join(folder.path, 'claude'), '', { mode: 0o755 });
  expect(driver('plain', '/p', folder.path).missing()).toBeNull();
  expect(driver('plain', '/p', '/nowhere').missing()).toContain('npm install -g @anthropic-ai/claude-code');
  mkdirSync(join(folder.path, 'bin'));
  expect(driver('set', folder.path).missing()).toContain('/bin/claude is not there');
});

test('where its interface would first ask something, that is told before, and nobody’s file is touched', () => {
  using folder = tempFolder();
  const file = join(folder.path, '.claude.json');
  const key = 'sk-ant-0123456789-0123456789-0123456789';
  const env = { HOME: folder.path };
  const problem = (settings: unknown, more: object = {}): string | null => {
    writeFileSync(file, typeof settings === 'string' ? settings : JSON.stringify(settings));
    const before = statSync(file).mtimeMs;
    const found = interactiveProblem('plain', { drivers }, { workspace: '/w/x', env: { ...env, ...more } });
    expect(statSync(file).mtimeMs).toBe(before);
    return found;
  };
  const trusted = { hasCompletedOnboarding: true, projects: { '/w/x': { hasTrustDialogAccepted: true } } };
  expect(problem(trusted)).toBeNull();
  expect(problem({ ...trusted, projects: { '/w': { hasTrustDialogAccepted: true } } })).toBeNull();
  expect(problem({ ...trusted, projects: { '/w/': {}, '/wo': { hasTrustDialogAccepted: true } } })).toBe(
    'claude does not trust /w/x: run it once there and answer: cd /w/x && claude',
  );
  for (const settings of ['', 'torn {', '[]', {}, { hasCompletedOnboarding: 'yes' }]) {
    expect(problem(settings)).toContain('has not been set up');
  }
  expect(problem(trusted, { ANTHROPIC_API_KEY: key })).toContain('to use the ANTHROPIC_API_KEY');
  const approved = { customApiKeyResponses: { approved: [key.slice(-20)] } };
  expect(problem({ ...trusted, ...approved }, { ANTHROPIC_API_KEY: key })).toBeNull();
  expect(problem(trusted, { CLAUDE_CONFIG_DIR: join(folder.path, 'other') })).toContain('set up');
  // The key itself is in no sentence.
  expect(problem(trusted, { ANTHROPIC_API_KEY: key })).not.toContain(key.slice(-20));
});

test.each([
  ['tui', null],
  ['bare', 'name one with "interactive" in tutti.yaml'],
  ['replay', 'has no interactive interface'],
  ['nobody', 'has no interactive interface'],
])('whether driver %s has an interface is known before a launch', (name, sentence) => {
  const problem = interactiveProblem(name, { drivers }, { workspace: '/w', env: {} });
  if (sentence === null) expect(problem).toBeNull();
  else expect(problem).toContain(sentence);
});

test('the log of an interactive session tells what was done, and whether it waits', () => {
  const lines = [
    '{"at":"2025-11-18T15:30:42Z","event":"ready"}',
    '{"event":"submitted","prompt":"x"}',
    '{"event":"working","tool":"Write"}',
    '{"event":"blocked","tool":"Bash","reason":"no"}',
    'no event',
    '{"event":"turn-done","message":"the answer"}',
  ];
  expect(readLog(lines, interactiveReader())).toMatchObject({
    text: 'the answer',
    toolCalls: 1,
    hookBlocks: 1,
    waiting: { why: 'the next message' },
  });
  const again = [...lines, '{"event":"submitted","prompt":"y"}'];
  expect(readLog(again, interactiveReader()).waiting).toBeNull();
  expect(readLog([...again, '{"event":"waiting","why":"permission"}'], interactiveReader()).waiting).toEqual({
    why: 'permission',
  });
  expect(readLog(['{"event":"working"}', '{"event":"ended"}'], interactiveReader()).toolCalls).toBe(0);
  expect(interactiveReader().stop({ exitCode: 0, signal: null, ended: null })).toBe('finished');
});

test('in a repository that is not trusted it takes settings and servers from the person alone, with a terminal too', () => {
  using folder = tempFolder();
  const place = {
    sessionId: 's',
    sessionDir: folder.path,
    contract: fileContract(folder.path),
    projectDir: '/p',
    trust: noTrust,
  };
  const plain = driver('plain');
  const kept = '--strict-mcp-config --setting-sources user';
  for (const argv of [plain.plan(spec(), place).argv, plain.interactive(spec(), place)?.argv ?? []]) {
    expect(argv.join(' ')).toContain(kept);
  }
  const trusted = { ...place, trust: fullTrust };
  for (const argv of [plain.plan(spec(), trusted).argv, plain.interactive(spec(), trusted)?.argv ?? []]) {
    expect(argv.join(' ')).not.toMatch(/--strict-mcp-config|--setting-sources/);
  }
});

test('a conversation that goes on is told its instructions again where they have changed, and only there', () => {
  using folder = tempFolder();
  const at = (id: string) => {
    const sessionDir = join(folder.path, id);
    mkdirSync(sessionDir, { recursive: true });
    return {
      sessionId: id,
      sessionDir,
      contract: fileContract(sessionDir),
      projectDir: '/p',
      trust: noTrust,
    };
  };
  driver('plain').plan(spec(), at('s1'));
  const next = { continues: 's1', turn: 2, prompt: 'go on' } as const;
  expect(driver('plain').plan(spec(next), at('s2')).stdin).toBe('go on');
  const changed =
    'From now on these are your instructions.\n\nwho else\n\n---\n\n**TASK DELEGATION**:\n\ngo on';
  const other = spec({ ...next, systemPrompt: 'who else' });
  expect(driver('plain').plan(other, at('s3')).stdin).toBe(changed);
  // What was said in the prompt of the third is known in the fourth.
  const later = spec({ ...next, continues: 's3', systemPrompt: 'who else' });
  expect(driver('plain').interactive(later, at('s4'))).toMatchObject({ prompt: 'go on' });
  // A folder that is gone tells nothing, so it is said.
  expect(driver('plain').plan(spec({ ...next, continues: 'gone' }), at('s5')).stdin).toContain('who\n\n---');
});

test('a planner is offered no commands', () => {
  using folder = tempFolder();
  const place = {
    sessionId: 't',
    sessionDir: folder.path,
    contract: fileContract(folder.path),
    projectDir: '/p',
    trust: fullTrust,
  };
  const { argv } = driver('plain').plan(spec({ role: 'planner' }), place);
  expect(argv[argv.indexOf('--tools') + 1]).toBe('Read,Grep,Glob,Edit,Write');
  expect(argv[argv.indexOf('--allowedTools') + 1]).not.toContain('Bash');
});
