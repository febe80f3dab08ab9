import { expect, test } from 'vitest';
import { permissions, sessionPrompt } from './session-prompt.ts';

test('an agent is told every limit that its definition does not lift', () => {
  const validator = sessionPrompt('You validate.\n\n', { allow: [], tools: [] });
  expect(validator).toMatch(/^You validate\.\n\n## Limits of this session\n\n- Change no file/);
  expect(validator).toContain('no commits, branches, pushes');
  expect(validator).toContain('Start no further agent sessions');
  expect(validator).toContain('Install no packages');
  const trusted = sessionPrompt('You do all.', { allow: permissions, tools: [] });
  expect(trusted).not.toMatch(/Change no file|no commits|Start no further|Install no/);
});

test('nothing lifts what a hook refuses', () => {
  expect(sessionPrompt('x', { allow: permissions, tools: [] })).toContain('stays refused');
});

test('tools that an agent names decide whether it is told to change no file', () => {
  const told = (tools: readonly string[], allow: readonly ['code'] | readonly []): boolean =>
    sessionPrompt('x', { allow, tools }).includes('Change no file');
  expect(told(['Read', 'Edit'], [])).toBe(false);
  expect(told(['Read', 'Grep'], ['code'])).toBe(true);
  expect(told([], ['code'])).toBe(false);
  expect(told([], [])).toBe(true);
});
