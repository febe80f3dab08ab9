import { expect, test } from 'vitest';
import { recorded } from '../lib/json.ts';
import {
  type ComposeInput,
  identifySteps,
  type SpawnInput,
  spawnIdentity,
  spawnPrompt,
  writesOfStep,
} from './compose-input.ts';
import { tierOrModel, workspaceOfCall } from './compose/call-place.ts';

const input: SpawnInput = {
  layer: 'primitive',
  projectDir: '/p',
  cwd: '',
  prompt: 'Count the files.',
  context: [],
  call: { systemPrompt: '', tier: 'medium', model: null, tools: null, driver: null },
  agent: { name: 'spawn', systemPrompt: 'x', driver: 'mine', tier: 'medium', result: 'required' },
  timeoutMs: 1000,
  from: { parent: null, requester: 'user:ada' },
};

test('a call is the same one with another snapshot of its agent, and another one with other texts', () => {
  const same = { ...input, agent: { ...input.agent, systemPrompt: 'y' }, projectDir: '/q', timeoutMs: 1 };
  expect(spawnIdentity(same)).toEqual(spawnIdentity(input));
  const told = (name: string, text: string) => spawnIdentity({ ...input, context: [{ name, text }] });
  expect(told('a.md', 'one')).toEqual(told('b.md', 'one'));
  expect(told('a.md', 'one')).not.toEqual(told('a.md', 'two'));
  expect(told('a.md', 'one')).not.toEqual(spawnIdentity(input));
  expect(spawnIdentity({ ...input, prompt: 'Go.' })).not.toEqual(spawnIdentity(input));
  expect(spawnIdentity({ ...input, cwd: 'web' })).not.toEqual(spawnIdentity(input));
  const call = { ...input.call, tools: ['Read'] };
  expect(spawnIdentity({ ...input, call })).not.toEqual(spawnIdentity(input));
});

test('a spawn is one step, identified by its call', () => {
  expect([...identifySteps(input)]).toEqual([['spawn', spawnIdentity(input)]]);
});

test('texts of the call follow its prompt, each with its name', () => {
  expect(spawnPrompt(input)).toBe('Count the files.');
  const context = [
    { name: 'a.md', text: 'one' },
    { name: 'standard input', text: 'two' },
  ];
  const prompt = spawnPrompt({ ...input, context });
  expect(prompt).toMatch(/^Count the files\.\n\n## Extra context: a\.md \(data\)\n\n/);
  expect(prompt).toMatch(/one[\s\S]+## Extra context: standard input \(data\)[\s\S]+two/);
});

test('an agent works in a directory of the project', () => {
  expect([workspaceOfCall(input), workspaceOfCall({ ...input, cwd: 'web' })]).toEqual(['/p', '/p/web']);
});

test('a word for the model is a tier, as low or as low-tier, or the name of a model', () => {
  expect(tierOrModel('high')).toEqual({ tier: 'high' });
  expect(tierOrModel('low-tier')).toEqual({ tier: 'low' });
  expect(tierOrModel('toString')).toEqual({ model: 'toString' });
});

test('an agent may write what its call declares', () => {
  const call = (writes: readonly string[]) => ({ rules: { writes } });
  const executor = recorded<ComposeInput>({ layer: 'executor', call: call(['docs/**']) });
  const stages = [{ name: 'plan', call: call(['plans/**']) }];
  const orchestrator = recorded<ComposeInput>({ layer: 'orchestrator', orchestrator: 'ospec', stages });
  expect([writesOfStep(input, 'spawn'), writesOfStep(executor, 'spec')]).toEqual([null, ['docs/**']]);
  expect(writesOfStep(orchestrator, 'ospec.plan')).toEqual(['plans/**']);
  expect(writesOfStep(orchestrator, 'ospec.gone')).toBeNull();
});
