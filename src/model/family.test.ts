import { expect, test } from 'vitest';
import { task } from '../../test/execute/plan.ts';
import { families, familyOf } from './family.ts';

const later = { tasks: [], undeclared: 'ask' } as const;
const ceiling = { member: 'launches', option: '--max-launches', now: '3' };

test('a run of an unknown family is handled like any run', () => {
  expect(familyOf({ workflow: 'session' })).toBe(families.session);
  const family = familyOf({ workflow: 'toString' });
  expect(family).toMatchObject({ isSession: false, isOfPlan: false, hasTasks: false, staysInProject: false });
  expect(family.startedIn({ projectDir: '/p' })).toBe('/p');
  expect(family.startedIn({})).toBeNull();
  expect(family.movedTo({}, '/q')).toBeNull();
  expect(family.writes({}, 'a')).toBeNull();
  expect(family.withoutOnce({}, later)).toBeNull();
  expect(family.waivesOnce({})).toBe(false);
  expect(family.starts({}, [])).toEqual([]);
  expect(family.raise('r', ceiling, null)).toBeNull();
});

test('each family says where its run was started, and whether it can move', () => {
  expect(families.flow.movedTo({ projectDir: '/p', flow: null }, '/q')).toEqual({
    projectDir: '/q',
    flow: null,
  });
  expect(families.plan.startedIn({ planDir: '/p/.tutti/plans/api' })).toBe('/p');
  expect(families.plan.startedIn({})).toBeNull();
  expect(families.compose.movedTo({ projectDir: '/p', cwd: 'web' }, '/q')).toEqual({
    projectDir: '/q',
    cwd: 'web',
  });
  expect(families.execute.startedIn({ projectDir: '/p' })).toBe('/p');
  expect(families.execute.movedTo({ projectDir: '/p' }, '/q')).toBeNull();
});

test('an approval in advance counts for one command', () => {
  expect(families.plan.withoutOnce({ approvedBy: 'ann' }, later)).toEqual({ approvedBy: null });
  expect(families.plan.withoutOnce({ approvedBy: null }, later)).toBeNull();
  expect(families.plan.withoutOnce({}, later)).toBeNull();
  expect(families.plan.waivesOnce({ approvedBy: 'ann' })).toBe(true);
  expect(families.plan.waivesOnce({})).toBe(false);
});

test('a waiver counts for one command', () => {
  const input = { plan: 'api', verify: true, waivedVerify: true, undeclared: 'accept', tasks: [] };
  expect(families.execute.withoutOnce(input, later)).not.toBeNull();
  const ordinary = { plan: 'api', verify: true, undeclared: 'ask', tasks: [] };
  expect(families.execute.withoutOnce(ordinary, later)).toBeNull();
  expect([input, ordinary].map((each) => families.execute.waivesOnce(each))).toEqual([true, false]);
});

test('each family names the commands and agents that its run would start', () => {
  const flow = {
    steps: [{ id: 'a', work: { kind: 'command', argv: ['make', 'all'] }, cwd: '.', gates: [] }],
  };
  const agent = { name: 'coder', driver: 'claude', systemPrompt: 'Code.' };
  const told = [
    { name: 'agent coder (driver)', value: 'claude' },
    { name: 'agent coder (prompt)', value: 'Code.' },
  ];
  expect(families.flow.starts({ flow }, [])).toEqual([{ name: 'a', value: ['make', 'all'] }]);
  expect(families.flow.starts({ flow: { steps: [] }, agents: { coder: agent } }, [])).toEqual(told);
  const handoff = { addDirs: [] };
  const spec = {
    agent: 'coder',
    driver: 'claude',
    prompt: 'Go.',
    systemPrompt: '',
    workspace: '/w',
    handoff,
  };
  expect(families.session.starts({ spec }, [])).toContainEqual({ name: 'prompt', value: 'Go.' });
  const spawned = { layer: 'primitive', agent, cwd: '', prompt: 'Go.', context: [] };
  expect(families.compose.starts(spawned, [])).toEqual([{ name: 'prompt', value: 'Go.' }, ...told]);
  const context = [{ name: 'a.md', text: 'More.' }];
  expect(families.compose.starts({ ...spawned, cwd: 'web', context }, [])).toEqual([
    { name: 'cwd', value: 'web' },
    { name: 'prompt', value: 'Go.' },
    { name: 'extra context a.md', value: 'More.' },
    ...told,
  ]);
  const gates = [{ kind: 'command', argv: ['make', 'test'] }];
  const call = { executor: 'spec', action: 'PLAN', args: ['a b'], agent, rules: { gates } };
  const called = { layer: 'executor', cwd: '', context: [], call, judges: {} };
  expect(families.compose.starts(called, [])).toEqual([
    { name: 'prompt', value: "/spec PLAN 'a b'" },
    { name: 'gate', value: ['make', 'test'] },
    ...told,
  ]);
  const rows = [{ task: task('T001'), state: { at: 'pending' } as const }];
  const accepted = task('T001').acceptance_criteria.map(({ verification }) => ({
    name: 'T001 (accept)',
    value: verification,
  }));
  expect(families.execute.starts({}, rows)).toEqual(accepted);
  const agents = { executor: agent, verifier: agent };
  expect(families.execute.starts({ projectCommands: ['npm test'], agents }, rows)).toEqual([
    { name: 'command', value: 'npm test' },
    ...accepted,
    ...told,
  ]);
  expect(families.plan.starts({ testCommands: ['make'] }, [])).toEqual([{ name: 'command', value: 'make' }]);
});

test('each family names the command that continues its run with a higher ceiling', () => {
  expect(families.flow.raise('r', ceiling, 'flows/a b.yaml')).toBe(
    "raise launches (now 3) under budget in 'flows/a b.yaml', then: tutti run 'flows/a b.yaml' --run-id r",
  );
  // A run of an earlier release does not know its file.
  expect(families.flow.raise('r', ceiling, null)).toBe(
    'raise launches (now 3) under budget in the flow file, then: tutti run FILE --run-id r',
  );
  expect(families.execute.raise('api-execute', ceiling, null)).toBe(
    'continue with a higher ceiling (now 3): tutti execute --plan api --max-launches N',
  );
  expect(families.compose.raise('spawn-1', ceiling, null)).toBe(
    'repeat the command with a higher ceiling (now 3): tutti spawn … --run-id spawn-1 --max-launches N',
  );
  expect(families.compose.raise('x', ceiling, 'executor spec PLAN')).toContain(
    'tutti executor spec PLAN … --run-id x --max-launches N',
  );
  expect(families.plan.raise('api-plan', ceiling, null)).toContain('tutti plan --plan api --max-launches N');
});

test('a ceiling that a command has no option for is raised by no command', () => {
  const wall = { member: 'wall', option: null, now: '30m' };
  const depth = { member: 'depth', option: '--max-depth', now: '3' };
  for (const family of [families.plan, families.execute, families.compose])
    expect(family.raise('api-plan', wall, null)).toBeNull();
  expect(families.execute.raise('api-execute', depth, null)).toBeNull();
  expect(families.compose.raise('s', depth, null)).toContain('tutti spawn … --run-id s --max-depth N');
  expect(families.flow.raise('r', wall, 'f.yaml')).toBe(
    'raise wall (now 30m) under budget in f.yaml, then: tutti run f.yaml --run-id r',
  );
});

test('a call of an executor declares what it may write', () => {
  const input = { layer: 'executor', call: { rules: { writes: ['docs/**'] } } };
  expect(families.compose.writes(input, 'spec')).toEqual(['docs/**']);
});
