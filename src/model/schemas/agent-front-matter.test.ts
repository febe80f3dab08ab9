import { expect, test } from 'vitest';
import { agentFrontMatterForm, agentFrontMatterOf } from './agent-front-matter.ts';
import { check, issueSentence } from './issue.ts';

function frontMatter(value: unknown) {
  const form = check(agentFrontMatterForm, value);
  return form.ok ? agentFrontMatterOf(form.value) : form.error.map(issueSentence);
}

test('an agent that says nothing is of medium tier, owes a result and has no driver of its own', () => {
  expect(frontMatter({})).toEqual({
    description: '',
    driver: null,
    tier: 'medium',
    result: 'required',
    minTools: null,
    tools: [],
    model: null,
    skills: [],
    allow: ['code'],
  });
});

test('what is said arrives; members of other tools are none of our business', () => {
  const said = {
    name: 'x',
    description: 'd',
    tier: 'high',
    driver: 'mine',
    result: 'optional',
    min_tools: 0,
    tools: ['Read', 'Edit'],
    skills: ' testing, review ,',
    allow: ['git', 'sessions'],
    model: 'opus',
    color: 5,
  };
  expect(frontMatter(said)).toEqual({
    description: 'd',
    driver: 'mine',
    tier: 'high',
    result: 'optional',
    minTools: 0,
    tools: ['Read', 'Edit'],
    model: 'opus',
    skills: ['testing', 'review'],
    allow: ['git', 'sessions'],
  });
});

test('tools may also be one text with commas, as other tools write them', () => {
  expect(frontMatter({ tools: 'Read, Grep ,, Bash(git:*)' })).toMatchObject({
    tools: ['Read', 'Grep', 'Bash(git:*)'],
  });
  expect(frontMatter({ tools: 'Bash(git log, x),Edit' })).toMatchObject({
    tools: ['Bash(git log, x)', 'Edit'],
  });
  expect(frontMatter({ tools: null, description: null })).toMatchObject({ tools: [], description: '' });
  expect(frontMatter({ tools: '*' })).toMatchObject({ tools: [] });
});

test.each([['inherit'], [' '], [null]])('the model %j is that of the tier', (model) => {
  expect(frontMatter({ model })).toMatchObject({ model: null });
});

test.each([
  ['text', 'must be a mapping with description, tier, driver, result, min_tools, tools, skills, allow'],
  [{ min_tools: -1 }, 'min_tools: must be'],
  [{ min_tools: '1' }, 'min_tools: must be'],
  [{ allow: ['root'] }, 'allow[0]: must be one of code, git, sessions, system'],
  [{ tier: 'opus' }, 'tier: must be one of low, medium, high'],
  [{ result: false }, 'result: must be one of required, optional'],
  [{ driver: '../x' }, 'driver: must be a name of letters'],
  [{ tools: 5 }, 'tools: must be a list of names'],
])('%j is refused with the sentence %j', (value, sentence) => {
  expect(frontMatter(value)).toEqual([expect.stringContaining(sentence)]);
});
