import { expect, test } from 'vitest';
import { inputOf, task } from './plan.ts';
import type { Script } from './steered-plan.ts';
import { ExecuteWorld, type Played } from './world.ts';

/** T001 ── T002 ── T004, T003 beside them. */
const four = [task('T001'), task('T002', ['T001']), task('T003'), task('T004', ['T002'])];

async function played(
  scripts: Readonly<Record<string, Script>>,
  answer?: (question: string) => string | null,
): Promise<{ readonly world: ExecuteWorld; readonly end: Played }> {
  const world = new ExecuteWorld(scripts);
  await world.submit(inputOf(four));
  return { world, end: await world.play(answer) };
}

function ends({ verdicts }: Played): Record<string, string> {
  return Object.fromEntries(Object.entries(verdicts).map(([id, { at }]) => [id, at]));
}

const allDone = { T001: 'done', T002: 'done', T003: 'done', T004: 'done' };

test('every task is executed, judged, verified by another agent and landed, in the order of its needs', async () => {
  const { world, end } = await played({});
  using _ = world;
  expect(end.outcome).toBe('SUCCESS');
  expect(ends(end)).toEqual(allDone);
  expect(world.machine.parts.filter((part) => part.startsWith('T001'))).toEqual([
    'T001/begin',
    'T001/workspace',
    'T001/bundle',
    'T001',
    'T001/declared',
    'T001/accept-1',
    'T001/diff',
    'T001/restore-before',
    'T001/verify',
    'T001/restore',
    'T001/seal',
    'T001/land',
    'T001/result',
  ]);
  expect(world.machine.prompts.get('T001/verify')).toContain('+T001');
  expect(world.machine.prompts.get('T002')).toContain('- T001 Work of T001: ');
  const order = world.machine.begun;
  expect(order.indexOf('T002')).toBeGreaterThan(order.indexOf('T001'));
  expect(order.indexOf('T004')).toBeGreaterThan(order.indexOf('T002'));
  expect(world.machine.parts.at(-1)).toBe('plan/complete');
  const [first] = world.machine.endings;
  expect(first?.ending).toMatchObject({
    error: null,
    verification: { verdict: 'PASS', criteria: [{ status: 'PASS' }] },
  });
});

test('a claim of success with an acceptance command that fails is healed twice and then failed, never done', async () => {
  const { world, end } = await played({ T001: { accepts: [false] } });
  using _ = world;
  expect(world.machine.turns.filter((turn) => turn.startsWith('T001'))).toEqual([
    'T001',
    'T001/heal-1',
    'T001/heal-2',
  ]);
  expect(world.machine.parts).not.toContain('T001/land');
  expect(ends(end)).toEqual({ T001: 'failed', T002: 'blocked', T003: 'done', T004: 'blocked' });
  expect(end.outcome).toBe('FAILURE');
  expect(world.machine.prompts.get('T001/heal-1')).toContain('not there, try 1');
});

test('what the healing turn mends is done', async () => {
  const { world, end } = await played({ T001: { accepts: [false, true] } });
  using _ = world;
  expect(ends(end)).toEqual(allDone);
  expect(world.machine.turns.filter((turn) => turn.startsWith('T001'))).toEqual([
    'T001',
    'T001/heal-1',
    'T001/verify',
  ]);
});

test('a claim of success with an empty diff is never done', async () => {
  const { world, end } = await played({ T001: { writes: [[]] } });
  using _ = world;
  expect(end.verdicts['T001']).toMatchObject({ at: 'failed' });
  expect(world.machine.parts).not.toContain('T001/accept-1');
  expect(world.machine.parts).not.toContain('T001/land');
});

test('files beyond the declared ones wait for a person; accepted they land, and it is written down', async () => {
  const writes = [['src/T001.txt', 'src/other.txt']];
  const world = new ExecuteWorld({ T001: { writes } });
  using _ = world;
  await world.submit(inputOf(four));
  const waiting = await world.play();
  expect(waiting.outcome).toBe('parked');
  expect(world.machine.parts).not.toContain('T001/land');
  const [question] = await world.queries.openQuestions('p-execute');
  expect(question?.question).toMatchObject({
    options: ['accept', 'refuse', 'heal'],
    evidence: { paths: ['src/other.txt'] },
  });
  const end = await world.play(() => 'accept');
  expect(ends(end)).toEqual(allDone);
  expect(world.machine.turns.filter((turn) => turn === 'T001')).toHaveLength(1);
  const ending = world.machine.endings.find((one) => one.task === 'T001')?.ending;
  expect(ending?.paths).toEqual(['src/T001.txt', 'src/other.txt']);
  expect(ending?.notes).toContain('src/other.txt');
});

test('the question about undeclared files quotes a name that one line cannot show', async () => {
  const world = new ExecuteWorld({ T001: { writes: [['src/T001.txt', 'src/a\nb']] } });
  using _ = world;
  await world.submit(inputOf(four));
  await world.play();
  const [question] = await world.queries.openQuestions('p-execute');
  expect(question?.question.text).toContain("T001 wrote files that it does not declare: $'src/a\\nb'. ");
});

test('files beyond the declared ones that are refused fail the task; sent to heal, the agent is told', async () => {
  const writes = [['src/T001.txt', 'src/other.txt'], ['src/T001.txt']];
  const refused = await played({ T001: { writes } }, () => 'refuse');
  using _ = refused.world;
  expect(refused.end.verdicts['T001']).toMatchObject({
    at: 'failed',
    failure: { outcome: 'NEEDS_ESCALATION' },
  });
  const healed = await played({ T001: { writes } }, () => 'heal');
  using __ = healed.world;
  expect(ends(healed.end)).toEqual(allDone);
  expect(healed.world.machine.prompts.get('T001/heal-1')).toContain('src/other.txt');
});

test('a policy answers for the person', async () => {
  for (const [policy, at] of [
    ['accept', 'done'],
    ['refuse', 'failed'],
  ] as const) {
    using world = new ExecuteWorld({ T001: { writes: [['src/T001.txt', 'src/other.txt']] } });
    await world.submit(inputOf(four, { undeclared: policy }));
    expect((await world.play()).verdicts['T001']).toMatchObject({ at });
  }
});

test('work that a healing turn left as it was is not judged by the verifier again', async () => {
  const { world, end } = await played({ T001: { verifies: ['failed', 'success'], sameTree: true } });
  using _ = world;
  expect(world.machine.turns.filter((turn) => turn.startsWith('T001'))).toEqual([
    'T001',
    'T001/verify',
    'T001/heal-1',
    'T001/heal-2',
  ]);
  expect(end.verdicts['T001']).toMatchObject({ at: 'failed', failure: { message: /a test is missing/ } });
});

test('a ceiling before the verifier keeps the work, and a higher one pays for the verifier alone', async () => {
  using world = new ExecuteWorld();
  const input = inputOf([task('T001', [])]);
  await world.submit(input, 3, { launches: 1 });
  const first = await world.play();
  expect(first).toMatchObject({ outcome: 'BUDGET_EXCEEDED', verdicts: { T001: { at: 'failed' } } });
  expect(world.machine.endings).toEqual([]);
  await world.submit(input, 3, { launches: 2 });
  expect(await world.play()).toMatchObject({ outcome: 'SUCCESS' });
  expect(world.machine.turns).toEqual(['T001', 'T001/verify']);
  expect(world.machine.begun).toEqual(['T001']);
});

test('what the verifier finds heals the executor', async () => {
  const healed = await played({ T001: { verifies: ['failed', 'success'] } });
  using _ = healed.world;
  expect(ends(healed.end)).toEqual(allDone);
  expect(healed.world.machine.turns.filter((turn) => turn.startsWith('T001'))).toEqual([
    'T001',
    'T001/verify',
    'T001/heal-1',
    'T001/verify',
  ]);
  expect(healed.world.machine.prompts.get('T001/heal-1')).toContain('a test is missing');
});

test('a verifier without a verdict is tried once more, then a person says whether the kept work is verified again', async () => {
  const asked: string[] = [];
  const turns = (world: ExecuteWorld) => world.machine.turns.filter((turn) => turn.startsWith('T001'));
  const again = await played({ T001: { verifies: ['silent', 'silent', 'success'] } }, (question) => {
    asked.push(question);
    return 'again';
  });
  using _ = again.world;
  expect(ends(again.end)).toEqual(allDone);
  expect(asked).toEqual([expect.stringContaining('T001: the verifier gave no verdict: there is no result')]);
  expect(turns(again.world)).toEqual(['T001', 'T001/verify', 'T001/verify-again', 'T001/verify-asked-1']);
  // Nothing is accepted unverified, and until a person has answered the workspace is kept.
  const waits = await played({ T001: { verifies: ['silent'] } });
  using __ = waits.world;
  expect(waits.end.advanced.at).toBe('parked');
  expect(waits.world.machine.parts).not.toContain('T001/result');
  const [question] = await waits.world.queries.openQuestions('p-execute');
  expect(question?.question.options).toEqual(['again', 'fail']);
  const given = await played({ T001: { verifies: ['silent'] } }, () => 'fail');
  using ___ = given.world;
  expect(given.end.verdicts['T001']).toMatchObject({ at: 'failed', failure: { reason: 'no-result' } });
  expect(turns(given.world)).toEqual(['T001', 'T001/verify', 'T001/verify-again']);
});

test('a verifier that cannot sign in keeps the work waiting for a person, and the executor is not paid again', async () => {
  const asked: string[] = [];
  const fixed = await played({ T001: { verifies: ['signed-out', 'success'] } }, (question) => {
    asked.push(question);
    return 'again';
  });
  using _ = fixed.world;
  expect(ends(fixed.end)).toEqual(allDone);
  expect(asked).toEqual([expect.stringContaining('the verifier cannot sign in: the model answered 401')]);
  const turns = (world: typeof fixed.world) => world.machine.turns.filter((turn) => turn.startsWith('T001'));
  expect(turns(fixed.world)).toEqual(['T001', 'T001/verify', 'T001/verify-signed-in-1']);
  const given = await played({ T001: { verifies: ['signed-out'] } }, () => 'fail');
  using __ = given.world;
  expect(given.end.verdicts['T001']).toMatchObject({ at: 'failed', failure: { reason: 'no-result' } });
  expect(turns(given.world)).toEqual(['T001', 'T001/verify']);
});

test('a conflict at landing is brought up to date, judged again and landed', async () => {
  for (const first of ['conflict', 'broken'] as const) {
    const { world, end } = await played({ T001: { lands: [first, 'landed'] } });
    using _ = world;
    expect(ends(end)).toEqual(allDone);
    const parts = world.machine.parts.filter((part) => part.startsWith('T001'));
    expect(parts.slice(parts.indexOf('T001/land'))).toEqual([
      'T001/land',
      'T001/bring-1',
      'T001/rebase-1',
      'T001/declared',
      'T001/accept-1',
      'T001/diff',
      'T001/restore-before',
      'T001/verify',
      'T001/restore',
      'T001/seal',
      'T001/land',
      'T001/result',
    ]);
    expect(world.machine.prompts.get('T001/rebase-1')).toContain(
      first === 'conflict' ? 'src/T001.txt' : 'it does not',
    );
  }
});

test('a second conflict is a question; without a way on, the task has failed', async () => {
  const stuck = await played({ T001: { lands: ['conflict'] } }, () => 'fail');
  using _ = stuck.world;
  expect(stuck.end.verdicts['T001']).toMatchObject({
    at: 'failed',
    failure: { outcome: 'NEEDS_ESCALATION' },
  });
  expect(stuck.end.outcome).toBe('NEEDS_ESCALATION');
  const again = await played({ T001: { lands: ['conflict', 'conflict', 'landed'] } }, () => 'again');
  using __ = again.world;
  expect(ends(again.end)).toEqual(allDone);
});

test('a failed task blocks exactly what needs it, and names itself as the cause', async () => {
  const { world, end } = await played({ T002: { says: ['FAILURE'] } });
  using _ = world;
  expect(ends(end)).toEqual({ T001: 'done', T002: 'failed', T003: 'done', T004: 'blocked' });
  expect(end.verdicts['T004']).toMatchObject({ cause: 'T002', reason: 'said' });
  const ending = world.machine.endings.find((one) => one.task === 'T002')?.ending;
  expect(ending?.error).toMatchObject({ category: 'runtime', message: 'said' });
  expect(world.machine.parts).not.toContain('plan/complete');
});

test('a refused launch fails its task and not the run', async () => {
  const { world, end } = await played({ T003: { refused: true } });
  using _ = world;
  expect(ends(end)).toEqual({ ...allDone, T003: 'failed' });
  expect(end.outcome).toBe('UNAVAILABLE');
  expect(world.machine.endings.find((one) => one.task === 'T003')?.ending.error?.category).toBe('dependency');
});

test('no more tasks are under way than there are slots, although each has many parts', async () => {
  using world = new ExecuteWorld(Object.fromEntries(many.map(({ id }) => [id, { takesMs: 1000 }])));
  await world.submit(inputOf(many), 3);
  expect((await world.play()).outcome).toBe('SUCCESS');
  expect(world.machine.most).toBe(3);
});

const many = Array.from({ length: 12 }, (_, n) => task(`T1${String(n).padStart(2, '0')}`));

test('a halt lets what is under way finish and begins nothing; resumed, it goes on', async () => {
  using world = new ExecuteWorld(Object.fromEntries(many.map(({ id }) => [id, { takesMs: 1000 }])));
  let halted = false;
  world.machine.onBegin = () => {
    if (!halted && world.machine.begun.length < 3) return null;
    if (world.machine.endings.length > 3) return null;
    halted = true;
    return { at: 'dropped' };
  };
  await world.submit(inputOf(many), 3);
  const endless = world.play();
  // The begin that found the halt asks for it when the others are done; here the test does.
  while (world.machine.endings.length < 3) await world.clock.settle();
  await world.store.halt('p-execute', 'STOP');
  const end = await endless;
  expect(end.outcome).toBe('halted');
  expect(world.machine.endings.map(({ task: id }) => id).toSorted()).toEqual(world.machine.begun.toSorted());
  world.machine.onBegin = null;
  await world.store.resume('p-execute');
  const rest = await world.play();
  expect(rest.outcome).toBe('SUCCESS');
  expect(world.machine.turns.filter((turn) => turn === 'T100')).toHaveLength(1);
});
