import { expect, test } from 'vitest';
import { agentMembers, flowMembers, sessionMembers } from './members.ts';
import { flowForm, flowOf } from './schemas/flow.ts';
import { readForm } from './schemas/yaml-document.ts';
import { workflowHandoff } from './turn.ts';

test('a flow is told with its commands, its folders, its gates, and what it tells which agent', () => {
  const text = `steps:
    - {id: a, command: [make, all], cwd: sub}
    - {id: b, agent: coder, prompt: Go on., gates: [{command: [x]}, {verifier: judge}]}
    - {id: c, agent: coder, prompt_file: c.md}
  `;
  const form = readForm(flowForm, text, 'flow.yaml');
  if (!form.ok) throw new Error('no flow');
  const flow = flowOf(form.value, 'f', (prompt) => ('text' in prompt ? prompt.text : ''));
  expect(flowMembers(flow, new Map([['c', 'flows/c.md']]))).toEqual([
    { name: 'a', value: ['make', 'all'] },
    { name: 'a (cwd)', value: 'sub' },
    { name: 'b (agent)', value: 'coder' },
    { name: 'b (prompt)', value: 'Go on.' },
    { name: 'b (gate)', value: ['x'] },
    { name: 'b (verifier)', value: 'judge' },
    { name: 'c (agent)', value: 'coder' },
    { name: 'c (prompt_file)', value: 'flows/c.md' },
  ]);
});

test('an agent of a run is told with everything that lets it do more', () => {
  const agent = { driver: 'claude', systemPrompt: 'Code.' };
  expect(agentMembers('coder', agent)).toEqual([
    { name: 'coder (driver)', value: 'claude' },
    { name: 'coder (prompt)', value: 'Code.' },
  ]);
  const more = { role: 'verifier', tools: ['Bash'], model: 'big', startsSessions: true } as const;
  expect(agentMembers('coder', { ...agent, ...more })).toEqual([
    { name: 'coder (driver)', value: 'claude' },
    { name: 'coder (model)', value: 'big' },
    { name: 'coder (role)', value: 'verifier' },
    { name: 'coder (tools)', value: ['Bash'] },
    { name: 'coder (allow)', value: 'sessions' },
    { name: 'coder (prompt)', value: 'Code.' },
  ]);
});

test('a session is told with its folders, its variables and its prompt', () => {
  const spec = { agent: 'coder', driver: 'claude', systemPrompt: 'Code.', prompt: 'Go.', workspace: '/w' };
  const names = (more: Partial<typeof workflowHandoff>): readonly string[] =>
    sessionMembers({ ...spec, handoff: { ...workflowHandoff, ...more } }).map(({ name }) => name);
  const told = ['agent', 'cwd', 'prompt', 'coder (driver)', 'coder (prompt)'];
  expect(names({})).toEqual(told);
  expect(names({ addDirs: ['/x'], env: { A: 'b' } })).toEqual([
    'agent',
    'cwd',
    'add_dir',
    'env.A',
    ...told.slice(2),
  ]);
});
