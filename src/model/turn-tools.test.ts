import { expect, test } from 'vitest';
import { isReadOnly, toolName, turnTools, writableFolders } from './turn-tools.ts';
import { workflowHandoff } from './turn.ts';

test('a role decides what an agent may do that names no tools', () => {
  expect(turnTools({})).toEqual({ writes: 'workspace', runs: true, fetches: false });
  expect(turnTools({ role: 'executor' })).toEqual(turnTools({}));
  expect(turnTools({ role: 'verifier' })).toEqual({ writes: 'scratch', runs: true, fetches: false });
  expect(turnTools({ role: 'planner' })).toEqual({ writes: 'plan', runs: true, fetches: false });
});

test.each([
  [['Read', 'Grep'], { writes: 'scratch', runs: false, fetches: false }],
  [['Read', 'Bash(git log:*)'], { writes: 'workspace', runs: true, fetches: false }],
  [['NotebookEdit'], { writes: 'workspace', runs: false, fetches: false }],
  [['WebFetch'], { writes: 'scratch', runs: false, fetches: true }],
])('an agent with the tools %j may do what they do, whatever the role', (tools, expected) => {
  expect(turnTools({ tools, role: 'planner' })).toEqual(expected);
});

test('a turn is read-only where neither a tool nor a command can change anything', () => {
  expect(isReadOnly(turnTools({ tools: ['Read'] }))).toBe(true);
  expect(isReadOnly(turnTools({ tools: ['Bash'] }))).toBe(false);
  expect(isReadOnly(turnTools({ tools: ['Write'] }))).toBe(false);
  expect(isReadOnly(turnTools({ role: 'verifier' }))).toBe(false);
});

test('the name of a tool stands before the parenthesis of its rule', () => {
  expect(['Bash(npm test:*)', 'Read', ' Edit '].map(toolName)).toEqual(['Bash', 'Read', 'Edit']);
});

test('folders that a turn may write follow from its role, and that of the session is always among them', () => {
  const handoff = { ...workflowHandoff, addDirs: ['/plan'] };
  const folders = (more: object) => writableFolders({ workspace: '/w', handoff, ...more }, '/s');
  expect(folders({})).toEqual(['/w', '/plan', '/s']);
  expect(folders({ role: 'planner' })).toEqual(['/plan', '/s']);
  expect(folders({ role: 'verifier' })).toEqual(['/s']);
  expect(folders({ tools: ['Read'] })).toEqual(['/s']);
  expect(folders({ role: 'verifier', resultDir: '/results' })).toEqual(['/results', '/s']);
});
