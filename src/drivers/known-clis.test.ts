import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository as inRepository } from '../../test/rig/repository.ts';
import { tempFolder } from '../../test/rig/temp-folder.ts';
import type { Config, DriverConfig } from '../model/config.ts';
import {
  cliBehind,
  describeOtherModel,
  findModel,
  modelShown,
  surfacePlaces,
  undeclaredDrivers,
  variablesFor,
  withDefaultModels,
} from './cli-facts.ts';
import { knownClis } from './registry.ts';

const drivers: Config['drivers'] = {
  ...undeclaredDrivers,
  plain: { type: 'replay', cassette: 'c' },
  own: { type: 'replay', cassette: 'c', env: ['OWN'] },
  taped: { type: 'record', driver: 'own', cassette: 'c', env: ['TAPED'] },
  bare: { type: 'record', driver: 'plain', cassette: 'c' },
  lost: { type: 'record', driver: 'constructor', cassette: 'c' },
  tapedClaude: { type: 'record', driver: 'claude', cassette: 'c' },
  script: { type: 'command', command: ['./agent'], input: 'file' },
};
const seen = (driver: string, parent = {}): readonly string[] =>
  variablesFor({ env: ['ALL'], drivers }, driver, parent);

test('a session sees the variables of all, of its driver, and of the driver that this one records', () => {
  expect(seen('plain')).toEqual(['ALL']);
  expect(seen('own')).toEqual(['ALL', 'OWN']);
  expect(seen('taped')).toEqual(['ALL', 'TAPED', 'OWN']);
  expect(seen('bare')).toEqual(['ALL']);
  expect(seen('lost')).toEqual(['ALL']);
  expect(seen('constructor')).toEqual(['ALL']);
});

test.each([
  ['claude', 'ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL'],
  ['tapedClaude', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_BASE_URL'],
  ['codex', 'OPENAI_API_KEY', 'CODEX_HOME'],
  ['gemini', 'GEMINI_API_KEY', 'GOOGLE_GEMINI_BASE_URL'],
  ['opencode', 'OPENROUTER_API_KEY', 'OPENCODE_CONFIG'],
])('sessions of %s see its own key %s and setting %s', (driver, key, setting) => {
  expect(seen(driver)).toEqual(expect.arrayContaining(['ALL', key, setting]));
});

test('a driver sees no key of another CLI, and a program of the project sees none at all', () => {
  expect(seen('codex')).not.toContain('ANTHROPIC_API_KEY');
  expect(seen('claude')).not.toContain('OPENAI_API_KEY');
  expect(seen('gemini')).not.toContain('OPENAI_API_KEY');
  expect(seen('script')).toEqual(['ALL']);
});

test('credentials of a cloud are seen only by a CLI that is switched to that cloud', () => {
  const secret = 'AWS_SECRET_ACCESS_KEY';
  expect(seen('claude')).not.toContain(secret);
  expect(seen('claude', { CLAUDE_CODE_USE_BEDROCK: '0' })).not.toContain(secret);
  expect(seen('claude', { CLAUDE_CODE_USE_BEDROCK: '1' })).toContain(secret);
  expect(seen('codex', { CLAUDE_CODE_USE_BEDROCK: '1' })).not.toContain(secret);
  expect(seen('claude', { CLAUDE_CODE_USE_VERTEX: '1' })).toContain('GOOGLE_APPLICATION_CREDENTIALS');
});

test('every tier of a CLI with models of its own has one, and a named model is kept', () => {
  const shown = (name: string, driver: DriverConfig | undefined): readonly string[] => {
    const filled = driver === undefined ? {} : { [name]: withDefaultModels(driver, {}, '/nowhere') };
    return (['low', 'medium', 'high'] as const).map((tier) => modelShown({ drivers: filled }, name, tier));
  };
  expect(shown('claude', undeclaredDrivers['claude'])).toEqual(['haiku', 'sonnet', 'opus']);
  expect(shown('codex', undeclaredDrivers['codex'])).toEqual(['gpt-6-luna', 'gpt-6.1-sol', 'gpt-6-astra']);
  expect(shown('gemini', undeclaredDrivers['gemini'])).toContain('gemini-2.5-pro');
  const left = "the CLI's default";
  expect(shown('opencode', undeclaredDrivers['opencode'])).toEqual([left, left, left]);
  expect(shown('bridge', acp('claude-agent-acp'))).toEqual([left, left, left]);
  expect(shown('mine', { type: 'claude', program: 'claude', models: { low: 'own' } })).toEqual([
    'own',
    'sonnet',
    'opus',
  ]);
  expect(shown('script', drivers['script'])).toEqual([left, left, left]);
});

test.for([
  ['a model of its own', 'claude', 'claude-opus-5', 'claude-opus-5', null],
  ['no model', 'claude', undefined, 'sonnet', null],
  ['a model of another vendor', 'claude', 'gpt-6', 'sonnet', 'claude does not have: using sonnet'],
  ['a model of another vendor', 'codex', 'opus', 'gpt-6.1-sol', 'codex does not have: using gpt-6.1-sol'],
  ['a model of another vendor', 'tapedClaude', 'gpt-6', 'sonnet', 'claude does not have: using sonnet'],
  ['a model of another vendor', 'opencode', 'opus', null, "does not have: using the CLI's default"],
  ['a model, and chooses none', 'script', 'opus', null, null],
  ['a model, and is no driver', 'constructor', 'opus', null, null],
] as const)(
  'an agent that names %s runs with %s on the model that this one has',
  ([, driver, model, used, says]) => {
    const filled = Object.fromEntries(
      Object.entries(drivers).map(([name, each]) => [name, withDefaultModels(each, {}, '/nowhere')]),
    );
    const agent = {
      agent: 'coder',
      driver,
      tier: 'medium',
      ...(model === undefined ? {} : { model }),
    } as const;
    expect(findModel({ drivers: filled }, agent)).toBe(used);
    const said = describeOtherModel({ drivers: filled }, agent);
    if (says === null) expect(said).toBeNull();
    else expect(said).toContain(says);
  },
);

test('codex keeps its own default model where another provider is named', () => {
  using folder = tempFolder();
  const home = join(folder.path, 'home');
  mkdirSync(join(home, '.codex'), { recursive: true });
  const codex: DriverConfig = { type: 'codex', program: 'codex', models: {}, config: {} };
  const models = (driver: DriverConfig, env = {}): unknown => {
    const filled = withDefaultModels(driver, env, home);
    return 'models' in filled ? filled.models : null;
  };
  const file = join(home, '.codex', 'config.toml');
  expect(models(codex)).toMatchObject({ low: 'gpt-6-luna' });
  writeFileSync(file, 'model = "x"\n[profiles.a]\nmodel_provider = "azure"\n');
  expect(models(codex)).toMatchObject({ low: 'gpt-6-luna' });
  writeFileSync(file, 'profile = "a"\n[profiles.a]\nmodel_provider = "azure"\n');
  expect(models(codex)).toEqual({});
  writeFileSync(file, 'model_provider = "openai"\n');
  expect(models(codex)).toMatchObject({ low: 'gpt-6-luna' });
  writeFileSync(file, "model_provider = 'azure'\n");
  expect(models(codex)).toEqual({});
  expect(models(codex, { CODEX_HOME: folder.path })).toMatchObject({ low: 'gpt-6-luna' });
  expect(models(codex, { CODEX_HOME: 'relative' })).toEqual({});
  expect(models({ ...codex, config: { model_provider: 'mine' } }, { CODEX_HOME: folder.path })).toEqual({});
  expect(models({ ...codex, config: { model: 'mine' } }, { CODEX_HOME: folder.path })).toEqual({});
});

test('the CLI behind a driver is known, also behind a bridge', () => {
  const names = [...Object.values(undeclaredDrivers), acp('claude-agent-acp'), acp('codex-acp')].map(
    (driver) => cliBehind(driver)?.name,
  );
  expect(names).toEqual([...knownClis.map(({ name }) => name), 'claude', 'codex']);
  expect(cliBehind({ ...acp('gemini'), agent: { command: ['mine'] } })).toBeNull();
});

test('the files that a sandbox guards are among those that the CLI obeys, and every CLI has some', () => {
  for (const { name, repository } of knownClis) {
    const acting = repository.surfaces.filter(({ power }) => power === 'acts').map(({ at }) => at);
    const isObeyed = (file: string): boolean =>
      acting.some((at) => (at.endsWith('/*') ? file.startsWith(at.slice(0, -1)) : file === at));
    expect([name, repository.guarded.length > 0]).toEqual([name, true]);
    expect(repository.guarded.filter((file) => !isObeyed(file))).toEqual([]);
  }
});

test('places that a CLI looks at are below the folder that it works in', () => {
  expect(surfacePlaces.length).toBeGreaterThan(10);
  for (const { at } of surfacePlaces) expect(at).toMatch(/^(?!\/)(?!.*\.\.)[\w.*/-]+$/);
});

test.each([
  ['claude', 'claude-opus-4-8', 'gpt-6-sol'],
  ['claude', 'sonnet', 'gemini-2.5-pro'],
  ['codex', 'gpt-6-sol', 'sonnet'],
  ['gemini', 'gemini-2.5-pro', 'opus'],
  ['opencode', 'anthropic/claude-opus-4-8', 'opus'],
])('%s knows the model %s and not %s', (name, own, foreign) => {
  const cli = knownClis.find((each) => each.name === name);
  expect([cli?.knowsModel(own), cli?.knowsModel(foreign)]).toEqual([true, false]);
});

function acp(preset: 'gemini' | 'claude-agent-acp' | 'codex-acp') {
  return { type: 'acp' as const, agent: { preset }, models: {}, rules: {}, quietMs: 1 };
}

test.for(knownClis)('the page about drivers lists every variable that $name reads', ({ name, variables }) => {
  const page = readFileSync(inRepository('docs/drivers.md'), 'utf8');
  const section = /^## Variables$[^]*/m.exec(page)?.[0] ?? '';
  const listed = (start: string): readonly string[] =>
    section
      .split('\n')
      .find((line) => line.startsWith(`| \`${start}\` |`))
      ?.match(/\w+/g) ?? [];
  const { keys, settings, switched } = variables;
  expect([...keys, ...settings].filter((each) => !listed(name).includes(each))).toEqual([]);
  for (const { by, names } of switched)
    expect(names.filter((each) => !listed(by).includes(each))).toEqual([]);
});
