import { expect, test } from 'vitest';
import { session, World } from '../../test/conformance/world.ts';
import { sqliteMemory } from '../../test/conformance/subjects.ts';
import { plain, type Json } from '../lib/json.ts';
import { failure } from '../model/failure.ts';
import { keyOf, stepIdOf } from '../model/key.ts';
import type { LaunchedAttempt } from '../model/ports/host.ts';
import type { TurnOutcome } from '../model/turn.ts';
import { unknownUsage } from '../model/usage.ts';
import { runsAgain } from '../model/try-again.ts';
import { agentWork, type AgentWork } from './agent-work.ts';
import type { Ctx } from './ctx.ts';

const identity = { agent: 'builder', inputs: 'digest' };

function turnEnd({ sessionId }: Pick<LaunchedAttempt, 'sessionId'>, change: Partial<TurnOutcome> = {}): Json {
  return plain({
    outcome: 'SUCCESS',
    stop: 'finished',
    sessionId,
    result: null,
    text: '',
    usage: unknownUsage,
    conversation: null,
    ...change,
  });
}

/** Every turn succeeds at once. */
function answering(world: World): void {
  world.host.auto = (attempt) => ({ at: 'done', outcome: 'SUCCESS', value: turnEnd(attempt) });
}

/** Work whose first turn does not pass its judgement, and whose second does. */
function healed(prompt: string, change: Partial<AgentWork> = {}): AgentWork {
  return {
    id: 'work',
    identity,
    words: 'build it',
    prompt,
    retryMax: 2,
    gated: true,
    spec: (turn) => ({ ...session, ...turn }),
    judge: async (_ended, after) =>
      stepIdOf(after) === 'work'
        ? { failure: failure('gate', `${prompt}: not there`), of: { gate: 'file' } }
        : null,
    progress: async (_ended, after) => after,
    ...change,
  };
}

function launched(world: World): readonly string[] {
  return world.host.launches.map((id) => stepIdOf(id.split('#')[1] ?? ''));
}

async function advance(
  world: World,
  n: number,
  run: (ctx: Ctx) => Promise<Json>,
): Promise<readonly string[]> {
  const before = world.host.launches.length;
  world.define('w', run);
  // Amending wakes a run that has ended, as starting the same work again does.
  if (n > 1) await world.store.amend('r', { input: null, concurrency: 8, limits: { depth: 5 } });
  const end = world.engine(n).advance('r', { stay: true });
  await world.value(end);
  return launched(world).slice(before);
}

const working = (work: AgentWork) => async (ctx: Ctx) => (await agentWork(ctx, work)).key;

test('a changed word in a prompt launches no finished turn again', async () => {
  using world = new World(sqliteMemory);
  answering(world);
  await world.start('r');
  expect(await advance(world, 1, working(healed('Build it.')))).toEqual(['work', 'work/heal-1']);
  expect(await advance(world, 2, working(healed('Please build it.')))).toEqual([]);
});

test('control: keys that contain the rendered prompt launch every turn again', async () => {
  using world = new World(sqliteMemory);
  answering(world);
  await world.start('r');
  const rendered = (prompt: string) => healed(prompt, { words: [prompt] });
  expect(await advance(world, 1, working(rendered('Build it.')))).toEqual(['work', 'work/heal-1']);
  expect(await advance(world, 2, working(rendered('Please build it.')))).toEqual(['work', 'work/heal-1']);
});

test('changed words of a person, a changed identity and another judgement are other work', async () => {
  using world = new World(sqliteMemory);
  answering(world);
  await world.start('r');
  await advance(world, 1, working(healed('Build it.')));
  const said = healed('Build it.', { words: 'build it twice' });
  expect(await advance(world, 2, working(said))).toEqual(['work', 'work/heal-1']);
  const other = healed('Build it.', { identity: { agent: 'other' } });
  expect(await advance(world, 3, working(other))).toEqual(['work', 'work/heal-1']);
  const judged = healed('Build it.', {
    judge: async (_ended, after) =>
      stepIdOf(after) === 'work' ? { failure: failure('gate', 'x'), of: { gate: 'command' } } : null,
  });
  expect(await advance(world, 4, working(judged))).toEqual(['work/heal-1']);
});

/** The turns of `healed` as the first releases recorded them: keys made of identity and rendered prompt. */
async function firstRelease(ctx: Ctx, note = ''): Promise<Json> {
  const turn = async (id: string, prompt: string, continues: string | null) => {
    const key = keyOf(id, { identity, prompt });
    return ctx.session(key, { ...session, prompt: `${prompt}${note}`, continues });
  };
  const { sessionId } = await turn('work', 'Old words.', null);
  await turn('work/heal-1', 'Old words.\n\n---\n\nPrevious attempt failed with: x', sessionId);
  return null;
}

test('turns that the first releases recorded are found by the prompt that they were launched with', async () => {
  using world = new World(sqliteMemory);
  answering(world);
  await world.start('r');
  expect(await advance(world, 1, (ctx) => firstRelease(ctx))).toEqual(['work', 'work/heal-1']);
  expect(await advance(world, 2, working(healed('New words.')))).toEqual([]);
});

test('a note that was added to a recorded prompt does not hide the turn', async () => {
  using world = new World(sqliteMemory);
  answering(world);
  await world.start('r');
  await advance(world, 1, (ctx) => firstRelease(ctx, '\n---\n\nThis was planned before.\n'));
  expect(await advance(world, 2, working(healed('New words.')))).toEqual([]);
});

test('a recorded turn of another identity or of other words is not taken', async () => {
  using world = new World(sqliteMemory);
  answering(world);
  await world.start('r');
  await advance(world, 1, (ctx) => firstRelease(ctx));
  const other = healed('New words.', { identity: { agent: 'other' } });
  expect(await advance(world, 2, working(other))).toEqual(['work', 'work/heal-1']);
  const said = healed('New words.', { recognizes: (prompt) => !prompt.startsWith('Old') });
  expect(await advance(world, 3, working(said))).toEqual(['work', 'work/heal-1']);
});

test('a living turn of the first releases is adopted, and keeps its prompt when it has to start again', async () => {
  using world = new World(sqliteMemory);
  await world.start('r');
  world.define('w', (ctx) => firstRelease(ctx));
  void world.engine(1).advance('r', { stay: true });
  await world.quiet();
  world.kill(1);
  const [living = ''] = world.host.launches;
  world.define('w', working(healed('New words.')));
  void world.engine(2).advance('r', { stay: true });
  await world.quiet();
  expect(world.host.adopted).toEqual([living]);
  world.host.finish(living, { at: 'lost' });
  await world.quiet();
  const [, again = ''] = world.host.launches;
  expect(world.host.attempt(again)).toMatchObject({ attempt: 2, spec: { prompt: 'Old words.' } });
});

const result = { status: 'success', summary: '', artifacts: [], notes: [], usage: null };
const asking = (...questions: readonly string[]): Partial<TurnOutcome> =>
  ({ result: { ...result, questions: questions.map((text) => ({ text })) } }) as Partial<TurnOutcome>;

/** Each turn ends as the list says; those after its end succeed without a word. */
function ending(world: World, ends: readonly Partial<TurnOutcome>[]): void {
  let turns = 0;
  world.host.auto = (attempt) => {
    const change = ends[turns] ?? {};
    turns += 1;
    return { at: 'done', outcome: 'SUCCESS', value: turnEnd(attempt, change) };
  };
}

async function answerAll(world: World): Promise<readonly string[]> {
  const asked: string[] = [];
  for (;;) {
    await world.quiet();
    const [open] = await world.data.queries.openQuestions('r');
    if (open === undefined) return asked;
    asked.push(open.question.text);
    await world.store.answer('r', open.key, { text: `${open.question.text} yes`, by: 'ann', at: 1 });
  }
}

const promptOf = (world: World, step: string, n = 1): string => {
  const id = world.host.launches.filter((one) => stepIdOf(one.split('#')[1] ?? '') === step)[n - 1] ?? '';
  return (world.host.attempt(id).spec as { readonly prompt: string }).prompt;
};

test('every question of a step is asked, the fourth as well', async () => {
  using world = new World(sqliteMemory);
  ending(
    world,
    ['a?', 'b?', 'c?', 'd?', 'e?'].map((text) => asking(text)),
  );
  const { advanced: end } = await world.run(working({ ...healed('Build it.'), judge: async () => null }));
  expect(await answerAll(world)).toEqual(['a?', 'b?', 'c?', 'd?', 'e?']);
  await world.value(end);
  // Without a conversation the last turn knows the earlier answers from its prompt alone, and each of them once.
  const prompt = promptOf(world, 'work/answer-5');
  for (const letter of ['a', 'b', 'c', 'd', 'e']) {
    expect(prompt.split(`Question: ${letter}?\nAnswer: ${letter}? yes`)).toHaveLength(2);
  }
});

test('a healing turn after an answered question contains the answer', async () => {
  using world = new World(sqliteMemory);
  ending(world, [asking('which?')]);
  const judge: AgentWork['judge'] = async (_ended, after) =>
    stepIdOf(after) === 'work/answer-1' ? { failure: failure('gate', 'not there'), of: null } : null;
  const { advanced: end } = await world.run(working(healed('Build it.', { judge })));
  await answerAll(world);
  await world.value(end);
  expect(promptOf(world, 'work/heal-1')).toContain('Question: which?\nAnswer: which? yes');
});

test('a step that is tried again begins with the answers that it got, and asks nobody twice', async () => {
  using world = new World(sqliteMemory);
  ending(world, [asking('which?')]);
  const judge: AgentWork['judge'] = async () => ({ failure: failure('gate', 'x'), of: null });
  const work = { ...healed('Build it.', { judge }), retryMax: 0 };
  const { engine, advanced: first } = await world.run(
    async (ctx) => (await agentWork(ctx, work)).failure?.message ?? '',
  );
  await answerAll(world);
  expect(await world.value(first)).toBe('x');
  ending(world, [asking('which?')]);
  await world.reopen(runsAgain(await world.data.queries.entries('r'), new Set(['work'])));
  const second = engine.advance('r', { stay: true });
  expect(await answerAll(world)).toEqual([]);
  await world.value(second);
  expect(promptOf(world, 'work', 1)).not.toContain('Answer');
  expect(promptOf(world, 'work', 2)).toContain('Question: which?\nAnswer: which? yes');
});

test('a question goes to whoever resolves it first, and to a person only when that one cannot', async () => {
  using world = new World(sqliteMemory);
  ending(world, [asking('which colour?', 'which price?'), asking('which shape?')]);
  const resolve: AgentWork['resolve'] = async (ctx, key, { text }) => {
    const said = await ctx.step(`${stepIdOf(key)}/architect`, () =>
      text === 'which price?' ? '' : `${text} blue`,
    );
    return said === '' ? null : { text: said, by: 'architect', at: 1 };
  };
  const judge: AgentWork['judge'] = async () => null;
  const { advanced: end } = await world.run(working(healed('Build it.', { judge, resolve })));
  expect(await answerAll(world)).toEqual(['which price?']);
  await world.value(end);
  // The last turn knows all answers, whoever gave them.
  const prompt = promptOf(world, 'work/answer-2');
  for (const said of ['which colour? blue', 'which price? yes', 'which shape? blue']) {
    expect(prompt).toContain(`Answer: ${said}`);
  }
});

test('a healing turn that the budget refuses is named beside the failure that it would have healed', async () => {
  using world = new World(sqliteMemory);
  answering(world);
  const limits = { depth: 5, launches: 1 };
  const { engine, advanced: first } = await world.run(
    async (ctx) => plain((await agentWork(ctx, healed('Build it.'))).failure),
    { limits },
  );
  expect(await world.value(first)).toMatchObject({
    outcome: 'BUDGET_EXCEEDED',
    message:
      "Build it.: not there; there was no budget to heal it: 1 of 1 launch of the run's budget is used",
  });
  const select = runsAgain(await world.data.queries.entries('r'), new Set(['work']));
  await world.store.amend('r', { input: null, concurrency: 8, limits: { depth: 5, launches: 2 } });
  await world.reopen(select);
  expect(await world.value(engine.advance('r', { stay: true }))).toBeNull();
  expect(launched(world)).toEqual(['work', 'work/heal-1']);
});

test('a healing turn learns which tools the turn before it was not permitted to use', async () => {
  using world = new World(sqliteMemory);
  const prompts: string[] = [];
  world.host.auto = (attempt) => ({
    at: 'done',
    outcome: 'SUCCESS',
    value: turnEnd(attempt, { deniedTools: ['Write', 'Bash'] }),
  });
  await world.start('r');
  const work = healed('Build it.');
  const spec: AgentWork['spec'] = (turn) => {
    prompts.push(turn.prompt);
    return work.spec(turn);
  };
  await advance(world, 1, working({ ...work, spec }));
  expect(prompts.at(-1)).toContain(
    'Build it.: not there; in this turn the agent was not permitted to use Write, Bash',
  );
});
