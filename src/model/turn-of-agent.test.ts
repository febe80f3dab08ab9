import { expect, test } from 'vitest';
import { agentsOfStep, type AgentSnapshot, type FlowStep } from './flow.ts';
import { beginning, workflowHandoff } from './turn.ts';
import { turnOfAgent } from './turn-of-agent.ts';

const agent: AgentSnapshot = {
  name: 'coder',
  systemPrompt: 'You build.',
  driver: 'claude',
  tier: 'high',
  result: 'optional',
  role: 'planner',
};
const turn = { ...beginning, prompt: 'Build it.' };
const place = { workspace: '/work', timeoutMs: 1000, priority: 3 };

test('a turn has what its agent, its words and its place say', () => {
  const { name: _, ...definition } = agent;
  expect(turnOfAgent(agent, turn, place)).toEqual({
    agent: 'coder',
    ...definition,
    ...place,
    ...turn,
    handoff: workflowHandoff,
  });
});

test('the role of the place goes before that of the agent, and only what differs of the handoff is told', () => {
  const spec = turnOfAgent(agent, turn, { ...place, role: 'verifier', handoff: { tags: ['t'] } });
  expect(spec.role).toBe('verifier');
  expect(spec.handoff).toEqual({ ...workflowHandoff, tags: ['t'] });
});

test('the agents of a step are the one that works and those that judge', () => {
  const step: FlowStep = {
    id: 'a',
    needs: [],
    work: { kind: 'agent', agent: 'coder', prompt: 'x' },
    cwd: '.',
    inputs: [],
    gates: [{ kind: 'diff' }, { kind: 'verifier', agent: 'reviewer' }],
    retryMax: 0,
    timeoutMs: null,
    required: true,
    estimateMs: null,
  };
  expect(agentsOfStep(step)).toEqual(['coder', 'reviewer']);
  expect(agentsOfStep({ ...step, work: { kind: 'command', argv: ['x'] } })).toEqual(['reviewer']);
});
