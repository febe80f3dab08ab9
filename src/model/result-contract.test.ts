import { expect, test } from 'vitest';
import { plainSpec } from '../../test/rig/session-spec.ts';
import { ownResultSchema, owedSchema, withContract } from './result-contract.ts';
import type { SessionSpec } from './turn.ts';

const spec: SessionSpec = {
  ...plainSpec,
  driver: 'mine',
  tier: 'low',
  systemPrompt: 'You build.\n',
  prompt: ' build it',
  workspace: '/work',
  result: 'required',
};
const file = { by: 'file', path: '/project/.tutti/result.json' } as const;

test('a first turn keeps the prompt byte for byte and learns the path with its role', () => {
  const { prompt, systemPrompt } = withContract(spec, file, 'remembers');
  expect(prompt).toBe(spec.prompt);
  expect(systemPrompt).toMatch(/^You build\.\n\n## Handing over your result\n/);
  expect(systemPrompt).toContain('\n/project/.tutti/result.json\n{"status"');
  expect(systemPrompt).toContain('without it this turn counts as failed');
  expect(withContract({ ...spec, systemPrompt: '' }, file, 'remembers').systemPrompt).toMatch(/^## Handing/);
});

test('a turn that continues a conversation has the path in its prompt', () => {
  const { prompt } = withContract({ ...spec, continues: 'before' }, file, 'remembers');
  expect(prompt).toMatch(/^ build it\n\n## Handing over/);
  expect(prompt).toContain(file.path);
  expect(withContract({ ...spec, continues: 'before' }, file, 'forgets').prompt).toBe(spec.prompt);
});

test('a structured result names no path, and a result that is not owed is offered', () => {
  const structured = withContract(
    spec,
    { by: 'structured', schema: ownResultSchema },
    'remembers',
  ).systemPrompt;
  expect(structured).toContain('Write no file');
  expect(structured).not.toContain('/');
  const own = { ...spec, handoff: { ...spec.handoff, resultSchema: { type: 'object' } } };
  const offered = withContract({ ...own, result: 'optional' }, file, 'remembers').systemPrompt;
  expect(offered).toContain('If you have something to hand over');
  expect(offered).not.toContain('"status"');
});

test("the caller's schema is owed before our own, and none where the log is enough", () => {
  expect(owedSchema(spec)).toBe(ownResultSchema);
  expect(owedSchema({ ...spec, handoff: { ...spec.handoff, resultSchema: true } })).toBe(true);
  expect(owedSchema({ ...spec, result: 'optional' })).toBeNull();
});
