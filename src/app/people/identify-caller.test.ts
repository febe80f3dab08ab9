import { expect, test } from 'vitest';
import { playedPerson } from '../../../test/rig/person.ts';
import type { CallerFacts } from '../../model/ports/caller.ts';
import { identifyCaller, usualReason } from './identify-caller.ts';

const person = playedPerson({ HOME: '/home/ada' });

test('a caller without any sign of an agent is a person, whatever else surrounds it', () => {
  const facts: CallerFacts = {
    ...person,
    user: { name: 'ada', home: '/home/ada' },
    programs: () => [
      { pid: 9, names: ['bash'] },
      { pid: 2, names: ['tmux', 'tmux:'] },
    ],
    groups: () => ['user.slice', 'session-3.scope'],
  };
  expect(identifyCaller(facts)).toEqual({ kind: 'person', name: 'user:ada' });
});

const variables = (values: Readonly<Record<string, string>>): CallerFacts => ({
  ...person,
  variable: (name) => (values[name] === undefined ? [] : [values[name]]),
});

test.each<[string, CallerFacts, object]>([
  ['a session', variables({ TUTTI_SESSION_ID: 's1' }), { name: 'session:s1', session: 's1' }],
  [
    'a session without a usable id',
    variables({ TUTTI_SESSION_ID: '../x' }),
    { name: 'session:unknown', session: null },
  ],
  ['a command of a run', variables({ TUTTI_ATTEMPT_ID: 'r#step#1' }), { name: 'step:r#step#1' }],
  ['a tool by a variable of its CLI', variables({ CLAUDECODE: '1' }), { name: 'claude', sign: 'CLAUDECODE' }],
  [
    'a tool by a program above',
    {
      ...person,
      programs: () => [
        { pid: 8, names: ['sh'] },
        { pid: 7, names: ['node', 'codex'] },
      ],
    },
    { name: 'codex', sign: 'process 7' },
  ],
  [
    'a process in the control group of a session',
    { ...person, groups: () => ['user.slice', 'tutti@p%3Ar@0123'] },
    { name: 'a session', sign: 'control group tutti@p%3Ar@0123' },
  ],
  [
    'a process in the control group of the commands of a run',
    { ...person, groups: () => ['tutti@p%3Ar@commands-7'] },
    { name: 'a step', sign: 'control group tutti@p%3Ar@commands-7' },
  ],
])('%s is an agent', (_what, facts, told) => {
  expect(identifyCaller(facts)).toMatchObject({ kind: 'agent', ...told });
});

test('a command without a reason gives one that says who called', () => {
  expect(usualReason(person)).toBe('a person asked for it');
  expect(usualReason(variables({ TUTTI_SESSION_ID: 's1' }))).toBe('an agent asked for it');
});
