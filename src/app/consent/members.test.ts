import { expect, test } from 'vitest';
import { flowForm, flowOf } from '../../model/schemas/flow.ts';
import { readForm } from '../../model/schemas/yaml-document.ts';
import { flowLines } from '../../model/flow.ts';

test('a recorded flow is told with its commands, its gates, and what it tells which agent', () => {
  const text =
    'steps: [{id: a, command: [make, all]}, {id: b, agent: coder, prompt: Go on., gates: [{command: [x]}]}]';
  const form = readForm(flowForm, text, 'flow.yaml');
  if (!form.ok) throw new Error('no flow');
  const flow = flowOf(form.value, 'f', (prompt) => ('text' in prompt ? prompt.text : ''));
  expect(flowLines(flow)).toEqual(['make all', 'agent coder: Go on.', 'x']);
});
