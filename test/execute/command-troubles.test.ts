import { expect, test } from 'vitest';
import type { ExecuteInput } from '../../src/model/plan/execute-input.ts';
import { inputOf, task } from './plan.ts';
import { type Script, SteeredPlan } from './steered-plan.ts';
import { ExecuteWorld, type Played } from './world.ts';

const two = [task('T001'), task('T002')];
const own = 'test -f src/T001.txt';

interface Told {
  readonly world: ExecuteWorld;
  readonly end: Played;
  readonly questions: readonly string[];
}

async function played(
  scripts: Readonly<Record<string, Script>>,
  answers: readonly string[],
  more: Partial<ExecuteInput> = {},
  redOnBase: readonly string[] = [],
): Promise<Told> {
  const world = new ExecuteWorld(scripts);
  world.machine.redOnBase = redOnBase;
  await world.submit({ ...inputOf(two), ...more });
  const questions: string[] = [];
  const left = [...answers];
  const end = await world.play((question) => {
    questions.push(question);
    return left.shift() ?? null;
  });
  return { world, end, questions };
}

function turnsOf({ world }: Told, id: string): readonly string[] {
  return world.machine.turns.filter((turn) => turn.startsWith(id));
}

test.for([126, 127])(
  'a criterion that ends with %d starts no healing turn: a person is asked',
  async (code) => {
    const told = await played({ T001: { accepts: [code] } }, ['fail']);
    using _ = told.world;
    expect(told.questions).toHaveLength(1);
    expect(told.questions[0]).toContain(`\`${own}\` cannot be run (exit code ${code})`);
    expect(turnsOf(told, 'T001')).toEqual(['T001']);
    expect(told.end.verdicts['T001']).toMatchObject({
      at: 'failed',
      failure: { outcome: 'NEEDS_ESCALATION' },
    });
    expect(told.end.verdicts['T002']?.at).toBe('done');
  },
);

test('a criterion that cannot be run is run again when a person says so', async () => {
  const told = await played({ T001: { accepts: [127, true] } }, ['again']);
  using _ = told.world;
  expect(told.end.outcome).toBe('SUCCESS');
  expect(turnsOf(told, 'T001')).toEqual(['T001', 'T001/verify']);
});

test('a criterion that a person continues without is recorded as waived, and judges no landing', async () => {
  const told = await played({ T001: { accepts: [127] } }, ['without']);
  using _ = told.world;
  expect(told.end.outcome).toBe('SUCCESS');
  const ending = told.world.machine.endings.find((each) => each.task === 'T001')?.ending;
  expect(ending?.verification.criteria).toMatchObject([{ status: 'WAIVED' }]);
  expect(told.world.machine.waived).toEqual([[own]]);
  expect(told.world.machine.landings).toContainEqual([own]);
});

test('a person may hand a command that cannot be run back to the agent', async () => {
  const told = await played({ T001: { accepts: [127, true] } }, ['agent']);
  using _ = told.world;
  expect(told.end.outcome).toBe('SUCCESS');
  expect(turnsOf(told, 'T001')).toEqual(['T001', 'T001/heal-1', 'T001/verify']);
});

test("a project's own command that also fails on the base is asked about, and starts no healing turn", async () => {
  const told = await played({ T001: { accepts: [1] } }, ['fail'], { projectCommands: [own] }, [own]);
  using _ = told.world;
  expect(told.questions[0]).toContain(`\`${own}\` fails without the task's work too`);
  expect(turnsOf(told, 'T001')).toEqual(['T001']);
  expect(told.world.machine.onBase).toEqual([own]);
});

test("a project's own command that passes on the base is the agent's to heal, and runs there once", async () => {
  const told = await played({ T001: { accepts: [1, 1, 1] } }, [], { projectCommands: [own] });
  using _ = told.world;
  expect(told.questions).toEqual([]);
  expect(turnsOf(told, 'T001')).toEqual(['T001', 'T001/heal-1', 'T001/heal-2']);
  expect(told.world.machine.onBase).toEqual([own]);
});

test("a task's own new criterion that fails is never compared with the base", async () => {
  const told = await played({ T001: { accepts: [1, true] } }, [], { projectCommands: ['npm test'] });
  using _ = told.world;
  expect(told.questions).toEqual([]);
  expect(told.world.machine.onBase).toEqual([]);
});

test('a command that was left out on the base judges nothing and is not run', async () => {
  const told = await played({ T001: { accepts: [1] } }, [], { without: [own] });
  using _ = told.world;
  expect(told.end.outcome).toBe('SUCCESS');
  expect(told.world.machine.parts).not.toContain('T001/accept-1');
});

test('a landing whose command cannot be run starts no rebase: a person is asked', async () => {
  const told = await played({ T001: { lands: ['broken', 'landed'], landsWith: 127 } }, ['without']);
  using _ = told.world;
  expect(told.end.outcome).toBe('SUCCESS');
  expect(told.questions).toHaveLength(1);
  expect(turnsOf(told, 'T001')).toEqual(['T001', 'T001/verify']);
  expect(told.world.machine.landings).toContainEqual(['make check']);
});

test('a landing that a person gives up fails the task without a rebase', async () => {
  const told = await played({ T001: { lands: ['broken'], landsWith: 126 } }, ['fail']);
  using _ = told.world;
  expect(told.end.verdicts['T001']).toMatchObject({ at: 'failed', failure: { outcome: 'NEEDS_ESCALATION' } });
  expect(turnsOf(told, 'T001')).toEqual(['T001', 'T001/verify']);
});

test('two tasks that meet the same missing program ask one question', async () => {
  const same = two.map((each) => ({
    ...each,
    acceptance_criteria: [{ criterion: 'the linter finds nothing', verification: 'lint .' }],
  }));
  const world = new ExecuteWorld({ T001: { accepts: [127] }, T002: { accepts: [127] } });
  using _ = world;
  await world.submit(inputOf(same));
  const questions: string[] = [];
  const end = await world.play((question) => {
    questions.push(question);
    return 'without';
  });
  expect(end.outcome).toBe('SUCCESS');
  expect(questions).toHaveLength(1);
  expect(world.machine.waived).toEqual([['lint .']]);
});

const { setup } = SteeredPlan;

test.for([1, 126, 127])(
  'a setup that ends with %d in the workspaces of two tasks asks one question and starts no turn',
  async (code) => {
    const world = new ExecuteWorld({ T001: { opens: [code] }, T002: { opens: [code] } });
    using _ = world;
    await world.submit(inputOf(two));
    const asked: string[] = [];
    const parked = await world.play((question) => {
      asked.push(question);
      return null;
    });
    expect(parked.outcome).toBe('parked');
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain(`\`${setup}\` ${code === 1 ? 'fails before any work' : 'cannot be run'}`);
    expect(world.machine.turns).toEqual([]);
    const [open] = await world.queries.openQuestions('p-execute');
    expect(open?.question.options).toEqual(['again', 'without', 'fail']);
    const end = await world.play(() => 'without');
    expect(end.outcome).toBe('SUCCESS');
    expect(world.machine.turns.toSorted()).toEqual(['T001', 'T001/verify', 'T002', 'T002/verify']);
    expect(world.machine.landings).toEqual([[setup], [setup]]);
  },
);

test('a setup that a person has fixed runs again in every workspace', async () => {
  const told = await played({ T001: { opens: [1, 0] }, T002: { opens: [1, 0] } }, ['again']);
  using _ = told.world;
  expect(told.end.outcome).toBe('SUCCESS');
  expect(told.questions).toHaveLength(1);
  expect(told.world.machine.parts.filter((part) => part.includes('/workspace')).toSorted()).toEqual([
    'T001/workspace',
    'T001/workspace-again-1',
    'T002/workspace',
    'T002/workspace-again-1',
  ]);
});

test('a setup that a person gives up fails its tasks unpaid, and is asked about once more when they are tried again', async () => {
  const scripts = { T001: { opens: [1] }, T002: { opens: [1] } };
  const told = await played(scripts, ['fail']);
  using world = told.world;
  expect(told.questions).toHaveLength(1);
  expect(told.end.outcome).toBe('NEEDS_ESCALATION');
  expect(told.end.verdicts['T002']).toMatchObject({ at: 'failed', failure: { outcome: 'NEEDS_ESCALATION' } });
  const input = inputOf(two);
  await world.submit({ ...input, tasks: input.tasks.map((entry) => ({ ...entry, attempt: 2 })) });
  const questions: string[] = [];
  const again = await world.play((question) => {
    questions.push(question);
    return 'without';
  });
  expect(questions).toHaveLength(1);
  expect(again.outcome).toBe('SUCCESS');
});

test('a landing whose setup fails on the tip too starts no rebase: a person is asked', async () => {
  const script = { lands: ['broken', 'landed'], landsUnprepared: true } as const;
  const told = await played({ T001: script }, ['without'], {}, [setup]);
  using _ = told.world;
  expect(told.end.outcome).toBe('SUCCESS');
  expect(told.questions[0]).toContain(`\`${setup}\` fails without the task's work too`);
  expect(turnsOf(told, 'T001')).toEqual(['T001', 'T001/verify']);
  expect(told.world.machine.landings).toContainEqual([setup]);
});

test("a landing whose setup passes on the tip is the agent's to repair", async () => {
  const told = await played({ T001: { lands: ['broken', 'landed'], landsUnprepared: true } }, []);
  using _ = told.world;
  expect(told.questions).toEqual([]);
  expect(turnsOf(told, 'T001')).toContain('T001/rebase-1');
});

test('a setup that cannot be run in an updated workspace is asked about before the rebase is paid', async () => {
  const told = await played({ T001: { lands: ['conflict', 'landed'], brings: [127] } }, ['fail']);
  using _ = told.world;
  expect(told.questions).toHaveLength(1);
  expect(turnsOf(told, 'T001')).toEqual(['T001', 'T001/verify']);
  expect(told.end.verdicts['T001']).toMatchObject({ at: 'failed', failure: { outcome: 'NEEDS_ESCALATION' } });
});

test('a setup that fails in an updated workspace and passes on the tip is left to the rebase', async () => {
  const told = await played({ T001: { lands: ['conflict', 'landed'], brings: [1] } }, []);
  using _ = told.world;
  expect(told.questions).toEqual([]);
  expect(told.end.outcome).toBe('SUCCESS');
  expect(turnsOf(told, 'T001')).toContain('T001/rebase-1');
});
