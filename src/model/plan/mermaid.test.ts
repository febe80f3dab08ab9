import { expect, test } from 'vitest';
import { mermaidOf } from './mermaid.ts';

test('a plan is drawn with its tasks and what they need', () => {
  const nodes = [
    { id: 'T001', name: 'Parse numbers', needs: [] },
    { id: 'T002', name: 'Add them', needs: ['T001'] },
  ];
  expect(mermaidOf(nodes)).toBe(
    'graph TD\n  T001["T001 Parse numbers"]\n  T002["T002 Add them"]\n  T001 --> T002\n',
  );
});

test('a hostile name cannot end its label', () => {
  expect(mermaidOf([{ id: 'T001', name: 'x"]; click T001 "javascript:alert(1)"\n%%', needs: [] }])).toBe(
    'graph TD\n  T001["T001 x click T001 javascript:alert 1"]\n',
  );
});
