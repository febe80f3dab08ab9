import { expect, test } from 'vitest';
import { identifySteps } from '../compose-input.ts';
import {
  lastAction,
  callIdentity,
  callLines,
  callPrompt,
  type ExecutorCall,
  type ExecutorInput,
} from './executor-call.ts';

const call: ExecutorCall = {
  executor: 'spec',
  action: 'PLAN',
  args: ['docs/api.md', 'two words', ''],
  chosen: { tier: null, model: null, tools: null, driver: null },
  agent: { name: 'spec', systemPrompt: 'x', driver: 'mine', tier: 'medium', result: 'required' },
  rules: { writes: null, gates: [], timeoutMs: 1000, answers: [] },
};

const place = { cwd: '', context: [{ name: 'a.md', text: 'one' }] };

test('a call is the same one with another definition, and another one with other arguments or texts', () => {
  const same = {
    ...call,
    agent: { ...call.agent, systemPrompt: 'y' },
    rules: { ...call.rules, timeoutMs: 1 },
  };
  expect(callIdentity(same, place)).toEqual(callIdentity(call, place));
  const others = [
    callIdentity({ ...call, action: 'TEST' }, place),
    callIdentity({ ...call, args: ['docs/api.md'] }, place),
    callIdentity({ ...call, chosen: { ...call.chosen, tier: 'high' } }, place),
    callIdentity(call, { ...place, cwd: 'web' }),
    callIdentity(call, { ...place, context: [] }),
    callIdentity(call, place, { plan: 'digest' }),
  ];
  expect(new Set(others.map((each) => JSON.stringify(each))).size).toBe(others.length);
  expect(others).not.toContainEqual(callIdentity(call, place));
});

test('the prompt is the line of the call, its scope, what it received, and its texts', () => {
  expect(callLines(call)).toBe("/spec PLAN docs/api.md 'two words' ''");
  expect(callPrompt(call, { context: [] })).toBe(callLines(call));
  const scoped = (writes: readonly string[]) => ({ ...call, rules: { ...call.rules, writes } });
  expect(callPrompt(scoped([]), { context: [] })).toContain('Change no files.');
  const prompt = callPrompt(scoped(['docs/**']), place, ['## Earlier stages']);
  expect(prompt).toMatch(
    /^\/spec PLAN[\s\S]+- docs\/\*\*[\s\S]+## Earlier stages[\s\S]+a\.md \(data\)[\s\S]+one/,
  );
});

test('calls that share a turn have a line each, and are another call than the first one alone', () => {
  const shared = { ...call, also: [{ executor: 'spec', action: 'TEST', args: ['x'] }] };
  expect(callLines(shared)).toBe("/spec PLAN docs/api.md 'two words' ''\n/spec TEST x");
  expect(callPrompt(shared, { context: [] })).toContain('Carry out these calls in this order');
  expect(callIdentity(shared, place)).not.toEqual(callIdentity(call, place));
  expect([lastAction(shared), lastAction(call)]).toEqual(['TEST', 'PLAN']);
});

test('the only step of a call has the name of the executor', () => {
  const input: ExecutorInput = {
    layer: 'executor',
    projectDir: '/p',
    from: { parent: null, requester: 'user:ada' },
    source: 'executor spec PLAN',
    call,
    judges: {},
    ...place,
  };
  expect([...identifySteps(input)]).toEqual([['spec', callIdentity(call, place)]]);
});
