import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/rig/temp-folder.ts';
import type { Json } from '../../lib/json.ts';
import type { CodexDriver } from '../../model/codex.ts';
import { type SessionSpec, workflowHandoff } from '../../model/turn.ts';
import { interactiveProblem } from '../interactive.ts';
import { driverOf } from '../registry.ts';
import { ownResultSchema } from '../../model/result-contract.ts';
import { isStrict } from './output-schema.ts';
import { toml } from './toml.ts';
import { noTrust } from '../../../test/rig/trust.ts';
import type { WorkspaceTrust } from '../../model/trust.ts';
import { plainSpec, fileContract } from '../../../test/rig/session-spec.ts';

const plain: CodexDriver = {
  type: 'codex',
  program: 'codex',
  sandbox: 'workspace-write',
  models: {},
  config: {},
};

function driver(more: Partial<CodexDriver> = {}, projectDir = '/p', searchPath = '') {
  const drivers = { codex: { ...plain, ...more } };
  const found = driverOf('codex', { drivers }, { projectDir, searchPath });
  if (!found.ok) throw new Error(found.error.message);
  return found.value;
}

function spec(more: Partial<SessionSpec> = {}): SessionSpec {
  return {
    ...plainSpec,
    driver: 'codex',
    result: 'required',
    timeoutMs: 1000,
    ...more,
  };
}

const untrusted = ['--config', 'projects={"/w" = {"trust_level" = "untrusted"}}'];
const place = {
  sessionId: 's',
  sessionDir: '/s',
  contract: fileContract('/s'),
  projectDir: '/p',
  trust: noTrust,
};

/** What keeps sub-agents and the web from it. */
const alone = ['--config', 'features.multi_agent=false', '--config', 'web_search="disabled"'];

test('the web is for an agent whose file names it, and the operator can decide otherwise', () => {
  const has = (tools?: readonly string[], config = {}): boolean =>
    !driver({ config })
      .plan(spec(tools === undefined ? {} : { tools }), place)
      .argv.includes('web_search="disabled"');
  expect(has()).toBe(false);
  expect(has(['Read', 'Bash'])).toBe(false);
  expect(has(['Read', 'Bash', 'WebSearch'])).toBe(true);
  expect(has(undefined, { web_search: 'live' })).toBe(true);
});

test('a turn is planned with everything that is said on the input, in a sandbox that knows the session’s folder', () => {
  expect(driver().plan(spec(), place)).toEqual({
    argv: [
      'codex',
      'exec',
      '--json',
      '--skip-git-repo-check',
      '--cd',
      '/w',
      '--sandbox',
      'workspace-write',
      '--add-dir',
      '/s',
      ...alone,
      ...untrusted,
      '-',
    ],
    env: { RUST_LOG: 'error,codex_sandboxing=warn' },
    stdin: 'who\n\n---\n\n**TASK DELEGATION**:\n\nwhat',
    launcher: 'shell',
  });
  expect(driver().plan(spec({ systemPrompt: '' }), place).stdin).toBe('what');
  expect(driver().interactive(spec(), place)).toBeNull();
  const drivers = { codex: plain };
  expect(interactiveProblem('codex', { drivers }, { workspace: '/w', env: {} })).toContain(
    'has no interactive interface',
  );
});

test('what the configuration and the handoff say is passed on; a conversation goes on as a fork and is told only what is new', () => {
  const config = {
    model_provider: 'mine',
    'model_providers.mine': { name: 'a "b"', retries: 2, on: true, list: ['x', 1.5] },
  };
  const set = driver({
    program: './bin/codex',
    models: { high: 'big' },
    sandbox: 'danger-full-access',
    config,
  });
  const handoff = { ...workflowHandoff, addDirs: ['/more'] };
  const plan = set.plan(spec({ handoff, continues: 'r', conversation: '01a1-7' }), place);
  expect(plan.stdin).toBe('what');
  expect(plan.argv[0]).toBe('/p/bin/codex');
  expect(plan.argv.slice(6)).toEqual([
    '--sandbox',
    'danger-full-access',
    '--add-dir',
    '/more',
    '--add-dir',
    '/s',
    '--model',
    'big',
    ...alone,
    '--config',
    'model_provider="mine"',
    '--config',
    'model_providers.mine={"name" = "a \\"b\\"", "retries" = 2, "on" = true, "list" = ["x", 1.5]}',
    ...untrusted,
    'fork',
    '01a1-7',
    '-',
  ]);
  expect(set.plan(spec({ tier: 'low' }), place).argv).not.toContain('--model');
});

test('its last words are the result where the model can be bound to its form', () => {
  using folder = tempFolder();
  const here = { ...place, sessionDir: folder.path };
  const file = join(folder.path, 'result.schema.json');
  expect(driver().plan(spec(), here).argv).not.toContain('--output-schema');
  expect(existsSync(file)).toBe(false);
  const contract = { by: 'structured', schema: ownResultSchema } as const;
  const { argv } = driver().plan(spec(), { ...here, contract });
  const bound = ['--output-schema', file, '--output-last-message', join(folder.path, 'result.json')];
  expect(argv.slice(argv.indexOf('--output-schema'), -1)).toEqual(bound);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(ownResultSchema);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a result is bound to a strict schema, and to none where it is not owed', () => {
  const binds = (change: Partial<SessionSpec>) => driver().bindsResult?.(spec(change));
  const handoff = (resultSchema: Json) => ({ handoff: { ...workflowHandoff, resultSchema } });
  expect(binds({})).toEqual(ownResultSchema);
  expect(binds(handoff(closed))).toEqual(closed);
  expect(binds(handoff({ type: 'object' }))).toBeNull();
  expect(binds({ result: 'optional' })).toBeNull();
});

const closed = { type: 'object', properties: { a: {} }, required: ['a'], additionalProperties: false };

test.each<[string, Json, boolean]>([
  ['Tutti’s own form', ownResultSchema, true],
  ['a form that names and wants all', closed, true],
  ['a list of such', { ...closed, properties: { a: { type: 'array', items: closed } } }, true],
  ['one that allows others', { ...closed, additionalProperties: true }, false],
  ['one that wants not all', { ...closed, required: [] }, false],
  ['one that says nothing of what it wants', { ...closed, required: 5 }, false],
  ['an open one inside', { ...closed, properties: { a: { type: ['object', 'null'] } } }, false],
  ['an open one in a list', { ...closed, properties: { a: { items: { type: 'object' } } } }, false],
  [
    'an open one among several',
    { ...closed, properties: { a: { anyOf: [closed, { type: 'object' }] } } },
    false,
  ],
  ['an open one by reference', { ...closed, $defs: { b: { type: 'object' } } }, false],
  ['what the strict way does not know', { ...closed, oneOf: [] }, false],
  ['no object', { type: 'string' }, false],
  ['no form', true, false],
])('%s can bind a model or not', (_, schema, strict) => {
  expect(isStrict(schema)).toBe(strict);
});

test('a setting becomes one line of TOML', () => {
  expect(toml('a\n"b"\\ \u007F \u0001')).toBe(String.raw`"a\n\"b\"\\ \u007F \u0001"`);
  expect(toml([true, 1, 'x', { 'a.b': [] }])).toBe('[true, 1, "x", {"a.b" = []}]');
});

test('a program that is not there is told with the command that installs it', () => {
  using folder = tempFolder();
  writeFileSync(join(folder.path, 'codex'), '', { mode: 0o755 });
  expect(driver({}, '/p', folder.path).missing()).toBeNull();
  expect(driver({}, '/p', '/nowhere').missing()).toContain('npm install -g @openai/codex');
  expect(driver({ program: './x/codex' }, folder.path).missing()).toContain('/x/codex is not there');
});

test('it is told of every folder whether it is trusted; hooks of a trusted repository need no further review', () => {
  const folders = ['/w/a "b"', '/w'];
  const surfaces = [{ cli: 'codex', power: 'acts', path: '.codex/hooks.json' }] as const;
  const flags = (trust: Partial<WorkspaceTrust>) => {
    const at = { ...place, trust: { ...noTrust, folders, surfaces, ...trust } };
    return driver()
      .plan(spec(), at)
      .argv.slice(10 + alone.length, -1);
  };
  const levels = (level: string) =>
    `projects={"/w/a \\"b\\"" = {"trust_level" = "${level}"}, "/w" = {"trust_level" = "${level}"}}`;
  expect(flags({})).toEqual(['--config', levels('untrusted')]);
  const reviewed = '--dangerously-bypass-hook-trust';
  expect(flags({ trusted: true })).toEqual(['--config', levels('trusted'), reviewed]);
  expect(flags({ trusted: true, surfaces: [] })).toEqual(['--config', levels('trusted')]);
});

test('a verifier may write nothing but its session, a planner also the plan, and a reader nothing at all', () => {
  const handoff = { ...workflowHandoff, addDirs: ['/plan'] };
  const flags = (more: Partial<SessionSpec>) =>
    driver({ sandbox: 'danger-full-access' })
      .plan(spec({ handoff, ...more }), place)
      .argv.slice(6, 10);
  const profile = (folders: string) => [
    '--config',
    'default_permissions="tutti"',
    '--config',
    `permissions.tutti={"filesystem" = {":root" = "read", "/w" = "read", ${folders}, ":tmpdir" = "write", ":slash_tmp" = "write"}}`,
  ];
  expect(flags({ role: 'verifier' })).toEqual(profile('"/plan" = "read", "/s" = "write"'));
  expect(flags({ role: 'planner' })).toEqual(profile('"/plan" = "write", "/s" = "write"'));
  expect(flags({ tools: ['Read', 'Grep'], result: 'optional' }).slice(0, 2)).toEqual([
    '--sandbox',
    'read-only',
  ]);
  expect(flags({ role: 'executor' }).slice(0, 2)).toEqual(['--sandbox', 'danger-full-access']);
});
