import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { corrupted } from '../../../test/rig/corruption.ts';
import { tempFolder } from '../../../test/rig/temp-folder.ts';
import { problemSentence } from '../../model/schemas/problem.ts';
import { executorAgent, phaseAgents, verifierAgent } from '../../model/plan/phase.ts';
import { capabilityMapForm } from '../../model/schemas/capability-map.ts';
import { readJsonForm } from '../../model/schemas/json-document.ts';
import { physicalMapForm } from '../../model/schemas/physical-map.ts';
import { planTaskForm } from '../../model/schemas/plan-task.ts';
import { builtInAgents } from './built-in/index.ts';
import { findAgent, parseAgent } from './find-agent.ts';
import { listAgents } from './list-agents.ts';
import { snapshotOf } from './snapshot.ts';
import { ownProject } from '../../../test/rig/trust.ts';

function project(folder: string, files: Readonly<Record<string, string>>): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

function sentence(projectDir: string, name: string): string {
  const found = findAgent(ownProject(projectDir), name);
  return found.ok ? '' : problemSentence(found.error);
}

const places = [
  'agents/coder.md',
  'agents/coder/coder-agent.md',
  'agents/coder/coder.md',
  '.claude/agents/coder.md',
];

test('an agent is looked for in the project first, in this order, then built in', () => {
  using folder = tempFolder();
  expect(findAgent(ownProject(folder.path), 'coder')).toMatchObject({
    ok: true,
    value: { source: 'built-in', name: 'coder' },
  });
  for (const path of places.toReversed()) {
    project(folder.path, { [path]: `from ${path}` });
    expect(findAgent(ownProject(folder.path), 'coder')).toMatchObject({
      value: { source: path, systemPrompt: `from ${path}`, tier: 'medium', driver: null, result: 'required' },
    });
  }
});

test('the built-in agents say how to report, and differ in tier', () => {
  using folder = tempFolder();
  const { agents, problems } = listAgents(ownProject(folder.path));
  expect(problems).toEqual([]);
  expect(agents.map(({ name, tier, result }) => [name, tier, result])).toEqual([
    ['coder', 'medium', 'required'],
    ['logic-architect', 'high', 'required'],
    ['physical-architect', 'high', 'required'],
    ['plan-auditor', 'medium', 'required'],
    ['reviewer', 'high', 'required'],
    ['task-author', 'high', 'required'],
    ['task-executor', 'medium', 'required'],
    ['task-plan-verifier', 'high', 'required'],
    ['task-verifier', 'high', 'required'],
  ]);
  for (const agent of agents) expect(agent.systemPrompt).toMatch(/^# [\w ]+\n[^]*## Result\n[^]*"status"/);
});

test('the front matter is read, and the rest is the system prompt to the last byte', () => {
  const body = '\n# Who\r\n---\nnot a mark  \n\n';
  const text = `---\r\nname: x\ndescription: d\ntier: high\ndriver: mine\nresult: optional\ntools: [Read]\nmodel: opus\n---\r\n${body}`;
  expect(parseAgent('x', text, 'f')).toEqual({
    ok: true,
    value: {
      name: 'x',
      description: 'd',
      systemPrompt: body,
      driver: 'mine',
      tier: 'high',
      result: 'optional',
      minTools: null,
      tools: ['Read'],
      model: 'opus',
      skills: [],
      allow: ['code'],
      source: 'f',
    },
  });
  expect(parseAgent('x', '---\n---', 'f')).toMatchObject({ value: { systemPrompt: '' } });
  expect(parseAgent('x', 'no front matter\n---\n', 'f')).toMatchObject({
    value: { systemPrompt: 'no front matter\n---\n' },
  });
});

test.each([
  ['---\nname: x\n', /^f: the front matter that opens with "---" is never closed$/],
  ['---\nname: x\ntier: opus\n---\n', /^f:3:7: tier: must be one of low, medium, high$/],
  ['---\na: b: c\n---\n', /^f:2:\d+: /],
  ['---\n- a\n---\n', /^f:2:1: must be a mapping/],
  ['body\0', /^f: the system prompt may not contain NUL$/],
])('the agent file %j is refused: %s', (text, why) => {
  const parsed = parseAgent('x', text, 'f');
  expect(parsed.ok ? '' : problemSentence(parsed.error)).toMatch(why);
});

test('an agent that is not there: the nearest one and the places looked at are named', () => {
  using folder = tempFolder();
  project(folder.path, { 'agents/architect.md': 'x' });
  expect(sentence(folder.path, 'architct')).toBe(
    `Agent 'architct' not found in agents/; did you mean 'architect'? (looked for agents/architct.md, agents/architct/architct-agent.md, agents/architct/architct.md, .claude/agents/architct.md in ${folder.path}, and built-in)`,
  );
  expect(sentence(folder.path, 'zzz')).toContain(
    'known are architect, coder, logic-architect, physical-architect, plan-auditor, reviewer, ',
  );
});

test('a link inside the project is followed, one that leads outside is refused', () => {
  using folder = tempFolder();
  const inside = project(join(folder.path, 'project'), { 'roles/a.md': 'inside', 'agents/plain.md': 'x' });
  writeFileSync(join(folder.path, 'secret.md'), 'secret');
  symlinkSync('../roles/a.md', join(inside, 'agents', 'good.md'));
  symlinkSync(join(folder.path, 'secret.md'), join(inside, 'agents', 'bad.md'));
  symlinkSync(folder.path, join(inside, '.claude'));
  project(folder.path, { 'agents/far.md': 'far' });
  expect(findAgent(ownProject(inside), 'good')).toMatchObject({ value: { systemPrompt: 'inside' } });
  expect(sentence(inside, 'bad')).toBe(`agent bad: "agents/bad.md" leads outside ${inside}`);
  expect(sentence(inside, 'far')).toBe(`agent far: ".claude/agents/far.md" leads outside ${inside}`);
});

test('hostile names are refused with one line, before anything is looked at', () => {
  using folder = tempFolder();
  const part = fc.constantFrom('..', '/', '\0', '-', 'a', '.', '\n', '\u001B[2J', 'é', ' ', 'x'.repeat(300));
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
      const name = parts.join('');
      const told = sentence(folder.path, name);
      const isSafe = /^[a-z0-9][a-z0-9_-]{0,63}$/i.test(name);
      expect(told.includes('is no name for an agent')).toBe(!isSafe);
      expect(told).not.toMatch(/\p{Cc}/u);
    }),
    { numRuns: 300 },
  );
  for (const name of ['..', '../coder', '-coder', 'a/b', 'a\0', 'x'.repeat(300), '']) {
    expect(sentence(folder.path, name)).toContain('is no name for an agent');
  }
});

test('the list holds what is usable and tells what is not', () => {
  using folder = tempFolder();
  project(folder.path, {
    'agents/a.md': 'a',
    'agents/b/b-agent.md': 'b',
    'agents/empty/readme.md': 'no agent',
    'agents/notes.txt': 'no agent',
    'agents/.hidden.md': 'no agent',
    '.claude/agents/c.md': '---\ntier: 5\n---\n',
  });
  const { agents, problems } = listAgents(ownProject(folder.path));
  expect(agents.map(({ name }) => name)).toEqual(['a', 'b', ...[...builtInAgents.keys()].toSorted()]);
  expect(problems.map(problemSentence)).toEqual([
    '.claude/agents/c.md:2:7: tier: must be one of low, medium, high',
  ]);
});

test('a run keeps what the project decides, then what the agent says, then the default', () => {
  const parsed = parseAgent('a', '---\ndriver: own\ntier: low\n---\nbody', 'f');
  if (!parsed.ok) throw new Error('unreadable');
  const plain = { ...parsed.value, driver: null };
  expect(snapshotOf(parsed.value, { driver: 'd', agents: { a: { driver: 'mine', tier: 'high' } } })).toEqual({
    name: 'a',
    systemPrompt: 'body',
    driver: 'mine',
    tier: 'high',
    result: 'required',
  });
  expect(snapshotOf(parsed.value, { driver: 'd', agents: { a: {} } })).toMatchObject({
    driver: 'own',
    tier: 'low',
  });
  expect(snapshotOf(plain, { driver: 'd', agents: {} })).toMatchObject({ driver: 'd' });
  expect(snapshotOf({ ...plain, name: 'constructor' }, { driver: 'd', agents: {} })).toMatchObject({
    driver: 'd',
  });
});

test('500 corruptions of an agent file: each is read or refused with one sentence', () => {
  const whole =
    '---\nname: x\ndescription: "d"\ntier: high\nresult: optional\ntools: [Read, Edit]\n---\n# Who\nYou are x.\n';
  let refused = 0;
  fc.assert(
    fc.property(corrupted(whole), (text) => {
      const parsed = parseAgent('x', text, 'f');
      if (parsed.ok) return;
      refused += 1;
      expect(problemSentence(parsed.error)).toMatch(/^f(:\d+:\d+)?: [^\n]+$/);
    }),
    { seed: 31, numRuns: 500 },
  );
  expect(refused).toBeGreaterThan(150);
});

test('every agent of planning and executing is built in, with what its prompt promises', () => {
  using folder = tempFolder();
  const names = [...Object.values(phaseAgents), executorAgent, verifierAgent];
  for (const name of names) {
    const agent = findAgent(ownProject(folder.path), name);
    expect(agent.ok && agent.value).toMatchObject({ name, source: 'built-in', result: 'required' });
    expect(agent.ok && agent.value.systemPrompt).toMatch(/## Limits[\s\S]+## Result[\s\S]+"status"/);
  }
});

test.for([
  ['logic-architect', capabilityMapForm],
  ['physical-architect', physicalMapForm],
  ['task-author', planTaskForm],
] as const)('the example that %s is shown has the form that it must write', ([name, form]) => {
  const text = builtInAgents.get(name) ?? '';
  const example = text.slice(text.indexOf('\n{\n'), text.indexOf('\n}\n') + 2);
  const read = readJsonForm(form, example, name);
  expect(read.ok ? [] : read.error.map(problemSentence)).toEqual([]);
});
