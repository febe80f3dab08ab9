import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/rig/temp-folder.ts';
import type { JsonObject } from '../../lib/json.ts';
import { acpDefaults } from '../../model/acp.ts';
import { knownClis } from '../../drivers/registry.ts';
import { refusedKeyAdvice } from './sign-in.ts';

interface Case {
  readonly cli: string;
  readonly says: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly config?: JsonObject;
  readonly found: boolean;
  readonly text: RegExp;
  readonly variables?: readonly string[];
}

const azure = `model_provider = "azure" # ours
[model_providers.azure]
base_url = "https://example.org"
env_key = "AZURE_KEY"
[model_providers."local"]
base_url = "http://127.0.0.1"
[model_providers.gate]
requires_openai_auth = true
[profiles.home]
model_provider = "local"
`;

const cases: readonly Case[] = [
  { cli: 'claude', says: 'nothing', found: false, text: /no sign-in, and none of ANTHROPIC_AUTH_TOKEN/ },
  {
    cli: 'claude',
    says: 'a key',
    env: { ANTHROPIC_API_KEY: 'x' },
    found: true,
    text: /^ANTHROPIC_API_KEY is set$/,
    variables: ['ANTHROPIC_API_KEY'],
  },
  {
    cli: 'claude',
    says: 'credentials',
    files: { '.claude/.credentials.json': '' },
    found: true,
    text: /credentials/,
  },
  {
    cli: 'claude',
    says: 'an account of the keychain',
    files: { '.claude.json': '{"oauthAccount":{}}' },
    found: true,
    text: /\.claude\.json/,
  },
  {
    cli: 'claude',
    says: 'a program that prints a key',
    files: { '.claude/settings.json': '{"apiKeyHelper":"./key"}' },
    found: true,
    text: /apiKeyHelper/,
  },
  {
    cli: 'claude',
    says: 'a token in the settings',
    files: { '.claude/settings.json': '{"env":{"ANTHROPIC_AUTH_TOKEN":"a-secret","N":1}}' },
    found: true,
    text: /ANTHROPIC_AUTH_TOKEN is set in .*settings\.json/,
    variables: [],
  },
  {
    cli: 'claude',
    says: 'Bedrock without credentials, although a key is set',
    env: { CLAUDE_CODE_USE_BEDROCK: '1', ANTHROPIC_API_KEY: 'x' },
    found: false,
    text: /Bedrock is chosen by CLAUDE_CODE_USE_BEDROCK/,
  },
  {
    cli: 'claude',
    says: 'Bedrock with a profile',
    env: { CLAUDE_CODE_USE_BEDROCK: 'true', AWS_PROFILE: 'p' },
    found: true,
    text: /Bedrock: AWS_PROFILE is set/,
    variables: ['CLAUDE_CODE_USE_BEDROCK', 'AWS_PROFILE'],
  },
  {
    cli: 'claude',
    says: 'Vertex with a sign-in of gcloud',
    env: { CLAUDE_CODE_USE_VERTEX: '1' },
    files: { '.config/gcloud/application_default_credentials.json': '' },
    found: true,
    text: /Vertex/,
  },
  { cli: 'codex', says: 'nothing', found: false, text: /none of CODEX_API_KEY, OPENAI_API_KEY/ },
  { cli: 'codex', says: 'a sign-in', files: { '.codex/auth.json': '' }, found: true, text: /auth\.json/ },
  { cli: 'codex', says: 'a key', env: { OPENAI_API_KEY: 'x' }, found: true, text: /OPENAI_API_KEY is set/ },
  {
    cli: 'codex',
    says: 'another provider whose key is missing, although OpenAI has one',
    env: { OPENAI_API_KEY: 'x' },
    files: { '.codex/config.toml': azure, '.codex/auth.json': '' },
    found: false,
    text: /provider azure needs AZURE_KEY/,
  },
  {
    cli: 'codex',
    says: 'another provider with its key',
    env: { AZURE_KEY: 'x' },
    files: { '.codex/config.toml': azure },
    found: true,
    text: /provider azure: AZURE_KEY is set/,
    variables: ['AZURE_KEY'],
  },
  {
    cli: 'codex',
    says: 'a profile with a provider without a key',
    files: { '.codex/config.toml': `profile = "home"\n${azure}` },
    found: true,
    text: /provider local needs no key/,
  },
  {
    cli: 'codex',
    says: 'a provider of the driver',
    files: { '.codex/config.toml': azure },
    config: { model_provider: 'own', model_providers: { own: { env_key: 'OWN_KEY' } } },
    found: false,
    text: /provider own needs OWN_KEY/,
  },
  {
    cli: 'codex',
    says: 'a provider of the driver under a name with a dot',
    config: { model_provider: 'fake', 'model_providers.fake': { name: 'x', env_key: 'FAKE_KEY' } },
    found: false,
    text: /provider fake needs FAKE_KEY/,
  },
  {
    cli: 'codex',
    says: 'a key of the driver under a name with dots',
    env: { FAKE_KEY: 'x' },
    config: { model_provider: 'fake', 'model_providers.fake.env_key': 'FAKE_KEY' },
    found: true,
    text: /provider fake: FAKE_KEY is set/,
    variables: ['FAKE_KEY'],
  },
  ...[
    'model_provider = "fake" # mine\nmodel_providers.fake.env_key = "FAKE_KEY"\n',
    'model_provider = "fake"\nmodel_providers.fake = { name = "a # b", query_params = { v = "1" }, env_key = "FAKE_KEY" }\n',
    "model_provider = 'fake'\n[model_providers]\nfake = { env_key = 'FAKE_KEY' } # none\nother = { env_key = 'NO' }\n",
    'model_provider = "fake"\n[model_providers]\n"fake".env_key = "FAKE_KEY"\n[a.b]\nlist = ["model_provider = 1"]\n',
  ].map((toml) => ({
    cli: 'codex' as const,
    says: `a provider whose key is written as ${toml}`,
    files: { '.codex/config.toml': toml },
    found: false,
    text: /provider fake needs FAKE_KEY/,
  })),
  {
    cli: 'codex',
    says: 'a provider that goes by the sign-in',
    files: { '.codex/config.toml': azure },
    config: { model_provider: 'gate' },
    found: false,
    text: /no sign-in/,
  },
  { cli: 'gemini', says: 'nothing', found: false, text: /no sign-in, and GEMINI_API_KEY is not set/ },
  { cli: 'gemini', says: 'a key', env: { GEMINI_API_KEY: 'x' }, found: true, text: /GEMINI_API_KEY is set/ },
  {
    cli: 'gemini',
    says: 'a Google account chosen, and only a key set',
    env: { GEMINI_API_KEY: 'x' },
    files: { '.gemini/settings.json': '{"security":{"auth":{"selectedType":"oauth-personal"}}}' },
    found: false,
    text: /settings\.json chooses oauth-personal/,
  },
  {
    cli: 'gemini',
    says: 'a key chosen in the old form, and only an account signed in',
    files: {
      '.gemini/settings.json': '{"selectedAuthType":"gemini-api-key"}',
      '.gemini/oauth_creds.json': '',
    },
    found: false,
    text: /GEMINI_API_KEY is not set/,
  },
  {
    cli: 'gemini',
    says: 'an account',
    files: { '.gemini/oauth_creds.json': '' },
    found: true,
    text: /signed in/,
  },
  {
    cli: 'gemini',
    says: 'Vertex without anything',
    env: { GOOGLE_GENAI_USE_VERTEXAI: 'true' },
    found: false,
    text: /Vertex AI needs/,
  },
  {
    cli: 'gemini',
    says: 'Vertex with a project',
    env: { GOOGLE_GENAI_USE_VERTEXAI: 'true', GOOGLE_CLOUD_PROJECT: 'p' },
    found: true,
    text: /GOOGLE_CLOUD_PROJECT/,
  },
  { cli: 'opencode', says: 'nothing', found: false, text: /^no sign-in, and none of ANTHROPIC_API_KEY/ },
  {
    cli: 'opencode',
    says: 'any key',
    env: { OPENROUTER_API_KEY: 'x' },
    found: true,
    text: /OPENROUTER_API_KEY/,
  },
  {
    cli: 'opencode',
    says: 'a model of one provider, and the key of another',
    env: { OPENAI_API_KEY: 'x' },
    files: { '.config/opencode/opencode.json': '{"model":"anthropic/claude"}' },
    found: false,
    text: /no sign-in for anthropic/,
  },
  {
    cli: 'opencode',
    says: 'a sign-in for the provider of its model',
    files: {
      '.config/opencode/opencode.json': '{"model":"anthropic/claude"}',
      '.local/share/opencode/auth.json': '{"anthropic":{"key":"a-secret"}}',
    },
    found: true,
    text: /signed in/,
  },
  {
    cli: 'opencode',
    says: 'a provider whose key is a variable',
    files: {
      '.config/opencode/opencode.json':
        '{"model":"p/m","provider":{"p":{"options":{"apiKey":"{env:P_KEY}"}}}}',
    },
    found: false,
    text: /provider p needs P_KEY/,
  },
  {
    cli: 'opencode',
    says: 'a provider of its own',
    files: {
      '.config/opencode/opencode.json': '{"model":"p/m","provider":{"p":{"options":{"baseURL":"x"}}}}',
    },
    found: true,
    text: /provider p is set up/,
  },
];

test.for(cases)(
  '$cli with $says: found $found',
  async ({ cli, env = {}, files = {}, config = {}, ...expected }) => {
    using home = tempFolder();
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(home.path, path)), { recursive: true });
      writeFileSync(join(home.path, path), content);
    }
    const find = await knownClis.find(({ name }) => name === cli)?.signIn.load();
    const signIn = find?.({ env: { HOME: home.path, ...env }, config });
    expect(signIn).toMatchObject({ found: expected.found, text: expect.stringMatching(expected.text) });
    expect(JSON.stringify(signIn)).not.toContain('a-secret');
    if (expected.variables !== undefined) expect(signIn).toMatchObject({ variables: expected.variables });
  },
);

test('advice about a refused key names the variable that holds it, and is left to the driver where none is set', async () => {
  using folder = tempFolder();
  const claude = { type: 'claude', program: 'claude', allowedTools: [], models: {} } as const;
  const bridge = { ...acpDefaults, type: 'acp', agent: { preset: 'claude-agent-acp' }, models: {} } as const;
  const taped = { type: 'record', driver: 'claude', cassette: 'c' } as const;
  const config = { env: [], drivers: { claude, bridge, taped } };
  const env = { HOME: folder.path };
  for (const driver of Object.keys(config.drivers)) {
    expect(await refusedKeyAdvice(config, driver, { ...env, ANTHROPIC_API_KEY: 'x' })).toBe(
      'the model refused the key in ANTHROPIC_API_KEY; set ANTHROPIC_API_KEY to a valid key',
    );
  }
  expect(await refusedKeyAdvice(config, 'claude', env)).toBeUndefined();
  expect(await refusedKeyAdvice(config, 'other', env)).toBeUndefined();
});

test('a key that the agents of a driver do not see is advised about as hidden, not as refused', async () => {
  using folder = tempFolder();
  const codex = { type: 'codex', program: 'codex', config: {}, models: {} } as const;
  mkdirSync(join(folder.path, '.codex'));
  writeFileSync(
    join(folder.path, '.codex/config.toml'),
    'model_provider = "own"\n[model_providers.own]\nname = "own"\nenv_key = "OWN_KEY"\n',
  );
  const env = { HOME: folder.path, OWN_KEY: 'x' };
  expect(await refusedKeyAdvice({ env: [], drivers: { codex } }, 'codex', env)).toBe(
    'provider own: OWN_KEY is set, but agents of driver codex do not see it; let it through: env: [OWN_KEY] at driver codex in tutti.yaml',
  );
  expect(await refusedKeyAdvice({ env: ['OWN_KEY'], drivers: { codex } }, 'codex', env)).toBe(
    'the model refused the key in OWN_KEY; set OWN_KEY to a valid key',
  );
  expect(await refusedKeyAdvice({ env: [], drivers: { codex } }, 'codex', { HOME: folder.path })).toBe(
    'provider own needs OWN_KEY, which is not set; export OWN_KEY=…',
  );
  const config = { model_provider: 'fake', 'model_providers.fake': { env_key: 'FAKE_KEY' } };
  const own = { env: ['FAKE_KEY'], drivers: { codex: { ...codex, config } } };
  expect(await refusedKeyAdvice(own, 'codex', { ...env, FAKE_KEY: 'x' })).toBe(
    'the model refused the key in FAKE_KEY; set FAKE_KEY to a valid key',
  );
});
