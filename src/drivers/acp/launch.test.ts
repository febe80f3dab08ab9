import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/rig/temp-folder.ts';
import { type AcpDriver, type AcpPreset, cautiousRules, type PermissionRule } from '../../model/acp.ts';
import type { AgentDriver } from '../../model/driver.ts';
import { type SessionSpec, workflowHandoff } from '../../model/turn.ts';
import { driverOf } from '../registry.ts';
import { fullTrust, noTrust } from '../../../test/rig/trust.ts';
import { fileContract, plainSpec } from '../../../test/rig/session-spec.ts';

const spec: SessionSpec = {
  ...plainSpec,
  systemPrompt: 'SECRET WHO',
  prompt: 'SECRET WHAT',
  result: 'required',
  timeoutMs: 1000,
  handoff: { ...workflowHandoff, addDirs: ['/more'] },
};

function config(agent: AcpDriver['agent'], more: Partial<AcpDriver> = {}): AcpDriver {
  return { type: 'acp', agent, models: {}, rules: cautiousRules, quietMs: 1000, ...more };
}

function driver(acp: AcpDriver, searchPath = '', projectDir = '/p'): AgentDriver {
  const found = driverOf('d', { drivers: { d: acp } }, { projectDir, searchPath });
  if (!found.ok) throw new Error(found.error.message);
  return found.value;
}

function planned(acp: AcpDriver, more: Partial<SessionSpec> = {}, trust = noTrust) {
  using folder = tempFolder();
  const place = {
    sessionId: 's',
    sessionDir: folder.path,
    contract: fileContract(folder.path),
    projectDir: '/p',
    trust,
  };
  const plan = driver(acp).plan({ ...spec, ...more }, place);
  const file = plan.argv[2] ?? '';
  const mode = statSync(file).mode & 0o777;
  const written = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  const policyFile = join(folder.path, 'policy.toml');
  const policy = existsSync(policyFile) ? readFileSync(policyFile, 'utf8') : '';
  return { plan, written, mode, policy, folder: folder.path };
}

test('the prompt is in a file for its owner, never among the arguments', () => {
  const { plan, written, mode, folder } = planned(config({ preset: 'gemini' }));
  expect(JSON.stringify(plan)).not.toContain('SECRET');
  expect(mode).toBe(0o600);
  expect(plan).toMatchObject({
    stdin: '',
    launcher: 'host',
    argv: [process.execPath, expect.stringContaining('acp-client'), join(folder, 'acp.json')],
  });
  expect(written).toMatchObject({
    prompt: 'SECRET WHO\n\n---\n\n**TASK DELEGATION**:\n\nSECRET WHAT',
    nextPrompt: 'SECRET WHAT',
    folders: ['/w', '/more', folder],
    resultFile: join(folder, 'result.json'),
  });
});

test('a text that begins like a command of an agent is said to be the task', () => {
  for (const prompt of ['/help', '$(id)', '!ls']) {
    const { written } = planned(config({ preset: 'gemini' }), { prompt, systemPrompt: '' });
    expect(written).toMatchObject({
      prompt: `Your task:\n\n${prompt}`,
      nextPrompt: `Your task:\n\n${prompt}`,
    });
  }
});

test('the model of the tier is told by a flag where there is one, else over the protocol', () => {
  const models = { high: 'big' };
  const gemini = planned(config({ preset: 'gemini' }, { models }));
  const folders = ['--include-directories', '/more', '--include-directories', gemini.folder];
  expect(gemini.written).toMatchObject({
    argv: ['gemini', '--acp', '-m', 'big', ...folders, '--admin-policy', join(gemini.folder, 'policy.toml')],
    model: null,
  });
  expect(planned(config({ preset: 'opencode', program: './oc' }, { models })).written).toMatchObject({
    argv: ['/p/oc', 'acp', '--print-logs', '--log-level', 'ERROR'],
    model: 'big',
  });
  expect(planned(config({ command: ['./mine', '-x'] }, { models, mode: 'plan' })).written).toMatchObject({
    argv: ['/p/mine', '-x'],
    model: 'big',
    mode: 'plan',
  });
  expect(planned(config({ preset: 'gemini' })).written['argv']).not.toContain('-m');
});

test('an agent that would allow itself everything is made to ask for what is not allowed', () => {
  const asked = (rules: AcpDriver['rules']): unknown => {
    const { plan } = planned(config({ preset: 'opencode' }, { rules }));
    return JSON.parse(plan.env['OPENCODE_PERMISSION'] ?? '');
  };
  expect(asked(cautiousRules)).toMatchObject({ read: 'allow', edit: 'ask', bash: 'ask', '*': 'ask' });
  expect(asked({ ...cautiousRules, execute: 'allow' })).toMatchObject({
    bash: 'allow',
    edit: 'ask',
    external_directory: { '*': 'ask', '/more/*': 'allow' },
  });
});

test('no agent gets sub-agents or the background, and the web only where the rules allow it', () => {
  const rules = (fetch: PermissionRule): AcpDriver['rules'] => ({ ...cautiousRules, fetch });
  const opencode = (fetch: PermissionRule): unknown =>
    JSON.parse(
      planned(config({ preset: 'opencode' }, { rules: rules(fetch) })).plan.env['OPENCODE_PERMISSION'] ?? '',
    );
  expect(opencode('deny')).toMatchObject({ task: 'deny', webfetch: 'deny', websearch: 'deny' });
  expect(opencode('ask')).toMatchObject({ task: 'deny', webfetch: 'ask', websearch: 'ask' });
  expect(opencode('allow')).toMatchObject({ task: 'deny', webfetch: 'allow', websearch: 'allow' });
  const behind = ['invoke_agent', 'list_background_processes', 'read_background_output'];
  const gemini = (fetch: PermissionRule): unknown => {
    const { policy } = planned(config({ preset: 'gemini' }, { rules: rules(fetch) }));
    expect(policy).toContain(`argsPattern = '\\x00"is_background":true\\x00'`);
    return JSON.parse(/^toolName = (\[.*\])$/m.exec(policy)?.[1] ?? '');
  };
  expect(gemini('deny')).toEqual([...behind, 'google_web_search', 'web_fetch']);
  expect(gemini('ask')).toEqual([...behind, 'google_web_search']);
  expect(gemini('allow')).toEqual(behind);
});

test('a program that is not there is told with how to install it; one that is there is not', () => {
  using folder = tempFolder();
  const file = join(folder.path, 'agent');
  writeFileSync(file, '#!/bin/sh\n');
  chmodSync(file, 0o755);
  const missing = (agent: AcpDriver['agent']): string | null =>
    driver(config(agent), folder.path, folder.path).missing();
  const presets: readonly AcpPreset[] = ['gemini', 'opencode', 'claude-agent-acp', 'codex-acp'];
  for (const preset of presets) expect(missing({ preset })).toContain('npm install -g ');
  expect(missing({ command: ['nobody'] })).toContain('install it');
  expect(missing({ command: ['agent'] })).toBeNull();
  expect(missing({ preset: 'gemini', program: './agent' })).toBeNull();
});

test('what is told about spending and what is read by itself is known for each agent', () => {
  expect(driver(config({ preset: 'opencode' })).tellsUsage).toBe('cost');
  expect(driver(config({ command: ['x'] })).tellsUsage).toBe('tokens');
  expect(driver(config({ preset: 'opencode' })).reads).toMatchObject({ instructions: 'AGENTS.md' });
  expect(driver(config({ command: ['x'] })).reads).toEqual({ instructions: 'none', skills: [] });
});

test('whoever can be kept from the files of a repository is, until that is trusted', () => {
  const seen = (acp: AcpDriver, trust = noTrust) => planned(acp, {}, trust).plan.env;
  const gemini = config({ preset: 'gemini' });
  expect(seen(gemini)).toEqual({ GEMINI_CLI_TRUST_WORKSPACE: 'false' });
  expect(seen(gemini, fullTrust)).toEqual({ GEMINI_CLI_TRUST_WORKSPACE: 'true' });
  const opencode = config({ preset: 'opencode' });
  expect(seen(opencode)).toMatchObject({ OPENCODE_DISABLE_PROJECT_CONFIG: '1' });
  expect(Object.keys(seen(opencode, fullTrust))).toEqual(['OPENCODE_PERMISSION', 'OPENCODE_CONFIG_CONTENT']);
  expect(driver(config({ preset: 'gemini', program: './bin/gemini' }))).toMatchObject({
    obeys: ['gemini'],
    restrains: true,
    restrainedSince: { program: '/p/bin/gemini', version: '0.61.0' },
  });
});

test('of a bridge and of an agent that is not known nobody knows how', () => {
  expect(driver(config({ preset: 'codex-acp' }))).toMatchObject({ obeys: ['codex'], restrains: false });
  expect(driver(config({ preset: 'claude-agent-acp' }))).toMatchObject({
    obeys: ['claude'],
    restrains: false,
  });
  expect(driver(config({ command: ['mine'] }))).toMatchObject({
    obeys: ['claude', 'codex', 'gemini', 'opencode'],
    restrains: false,
  });
});
