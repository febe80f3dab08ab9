import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { costsForm, estimateForm } from '../../src/model/schemas/costs-output.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { contentsOf, write } from './project.ts';
import { cli } from './rig.ts';

/** Tells tokens and no cost, as some CLIs do; with UNTOLD it tells nothing at all. */
const agent = `#!/bin/sh
cat > /dev/null
printf '{"status":"success","summary":"done"}' > "$TUTTI_RESULT"
usage='"usage":{"input_tokens":600000,"output_tokens":40000},'
test -e untold && usage=
printf '{"type":"result","subtype":"success","is_error":false,%s"result":"done"}\\n' "$usage"
`;

const config = `driver: cx
drivers:
  cx: { type: claude, program: ./fake, models: { medium: big, high: huge } }
agents: { reviewer: { tier: high } }
`;

const prices = 'prices: { as_of: 2026-11-01, models: { big: { input: 3, output: 15 } } }\n';

const flow = (rest = ''): string => `name: work
${rest}steps:
  - { id: build, agent: coder, prompt: build it }
  - { id: review, agent: reviewer, prompt: look at it, needs: [build], estimate: 90s }
  - { id: ship, command: [echo, shipped], needs: [review] }
`;

function project(folder: string, files: Readonly<Record<string, string>> = {}): string {
  write(folder, { 'tutti.yaml': config + prices, 'flow.yaml': flow(), fake: agent, ...files });
  chmodSync(join(folder, 'fake'), 0o755);
  return folder;
}

async function run(folder: string, id: string): Promise<void> {
  const { code, err } = await cli({ folder }, 'run', 'flow.yaml', '--run-id', id);
  expect([code, err]).toEqual([0, '']);
}

function json(text: string): unknown {
  return JSON.parse(text);
}

test('tokens are priced where their price is known, and are unknown and not zero where it is not', async () => {
  using temp = tempFolder();
  const folder = project(temp.path);
  await run(folder, 'first');
  const { out, code } = await cli({ folder }, 'costs', 'first');
  expect(code).toBe(0);
  expect(out).toBe(`STEP    TURNS      INPUT  OUTPUT                  COST
build       1    600,000  40,000              ~$2.4000
review      1    600,000  40,000               unknown
total       2  1,200,000  80,000  ~$2.4000 + 1 unknown
~ $2.4000 of it is computed from tokens, by the prices of 2026-11-01
and 1 turn of unknown price
  → name the model and its price in tutti.yaml for the turns to come: tutti help costs
`);
  const total = costsForm.parse(json((await cli({ folder }, 'costs', '--json')).out));
  expect(total).toMatchObject({
    by: 'run',
    groups: [{ name: 'first', turns: 2, cost_usd: 2.4, turns_without_price: 1 }],
    total: { computed_cost_usd: 2.4, price_dates: ['2026-11-01'] },
  });
});

test('a price that changes later changes nothing that was recorded', async () => {
  using temp = tempFolder();
  const folder = project(temp.path);
  await run(folder, 'first');
  write(folder, { 'tutti.yaml': config + prices.replace('input: 3', 'input: 300') });
  const { out } = await cli({ folder }, 'costs', '--by', 'model', '--json');
  expect(costsForm.parse(json(out)).groups.map(({ name, cost_usd: cost }) => [name, cost])).toEqual([
    ['big', 2.4],
    ['huge', null],
  ]);
});

test('costs are added up by what is asked for, over the runs of the time that is asked for', async () => {
  using temp = tempFolder();
  const folder = project(temp.path);
  await run(folder, 'first');
  write(folder, { untold: '' });
  await run(folder, 'second');
  const names = async (...args: readonly string[]): Promise<readonly (readonly [string, number])[]> => {
    const { out } = await cli({ folder }, 'costs', ...args, '--json');
    return costsForm.parse(json(out)).groups.map(({ name, turns }) => [name, turns]);
  };
  expect(await names()).toEqual([
    ['first', 2],
    ['second', 2],
  ]);
  expect(await names('--by', 'tier')).toEqual([
    ['medium', 2],
    ['high', 2],
  ]);
  expect(await names('--by', 'agent', '--since', '1h')).toEqual([
    ['coder', 2],
    ['reviewer', 2],
  ]);
  expect(await names('--by', 'driver')).toEqual([['cx', 4]]);
  expect((await names('second', '--by', 'session')).length).toBe(2);
  expect(await names('--since', '1ms')).toEqual([]);
  const { out } = await cli({ folder }, 'costs', 'second');
  expect(out).toContain('and 2 turns that did not tell all tokens');
  expect((await cli({ folder }, 'costs', 'third')).code).toBe(64);
  expect((await cli({ folder }, 'costs', '--since', '1ms')).out).toContain('nothing was spent');
});

test('a ceiling of money ends a run whose CLI tells tokens only', async () => {
  using temp = tempFolder();
  const budget = 'budget: { cost_usd: 1 }\nconcurrency: 1\n';
  const folder = project(temp.path, { 'flow.yaml': flow(budget) });
  const { code, out } = await cli({ folder }, 'run', 'flow.yaml', '--run-id', 'capped');
  expect(code).not.toBe(0);
  expect(out).toContain("$2.40 of $1.00 of the run's budget are used");
  expect(out).toContain(
    '  → raise cost_usd (now 1) under budget in flow.yaml, then: tutti run flow.yaml --run-id capped\n',
  );
  expect(out).not.toContain('tutti resume');
  write(folder, { 'flow.yaml': flow('budget: { cost_usd: 9 }\n') });
  expect((await cli({ folder }, 'run', 'flow.yaml', '--run-id', 'capped')).code).toBe(0);
  write(folder, { 'flow.yaml': flow(budget) });
  // The control: without the price nothing is known to be spent, and the run goes to its end.
  write(folder, { 'tutti.yaml': config });
  expect((await cli({ folder }, 'run', 'flow.yaml', '--run-id', 'open')).code).toBe(0);
});

test('a ceiling of money that nothing could reach is refused, and leaves nothing behind', async () => {
  using temp = tempFolder();
  const silent = 'driver: sh\ndrivers: { sh: { type: command, command: [./fake] } }\n';
  const folder = project(temp.path, { 'tutti.yaml': silent, 'flow.yaml': flow('budget: { cost_usd: 1 }\n') });
  const before = contentsOf(folder);
  const { code, err } = await cli({ folder }, 'run', 'flow.yaml');
  expect([code, contentsOf(folder)]).toEqual([64, before]);
  expect(err).toBe(
    "tutti: a budget of $1.00 cannot hold agent 'coder': driver sh reports neither cost nor tokens\n" +
      '  → cap launches or tokens in the budget of the flow too, or name the price: tutti help costs\n',
  );
  write(folder, { 'flow.yaml': flow('budget: { cost_usd: 1, launches: 9 }\n') });
  expect((await cli({ folder }, 'run', 'flow.yaml')).code).toBe(0);
});

test('an estimate before the first run says what is declared and what is unknown, and makes nothing', async () => {
  using temp = tempFolder();
  const folder = project(temp.path, { 'flow.yaml': flow('budget: { launches: 5 }\n') });
  const before = contentsOf(folder);
  const { out, code } = await cli({ folder }, 'run', 'flow.yaml', '--estimate');
  expect([code, contentsOf(folder)]).toEqual([0, before]);
  expect(out).toBe(`STEP    AGENT      FROM            TOKENS     COST     TIME
build   coder      nothing yet    unknown  unknown  unknown
review  reviewer   declared time  unknown  unknown   1m 30s
ship    (command)                       -        -  unknown
total              what is known  unknown  unknown   1m 30s
and 2 steps of unknown tokens
and 2 steps of unknown cost
and 2 steps of unknown time
the budget ends it at 5 launches
nothing was started; the time is that of the longest chain of steps
`);
});

test('an estimate names the model of the agent’s own file where its CLI has it', async () => {
  using temp = tempFolder();
  write(temp.path, {
    'tutti.yaml':
      'driver: claude\ndrivers: {claude: {type: claude, program: /bin/true, models: {high: sonnet}}}\n',
    'agents/own.md': '---\ntier: high\nmodel: opus\n---\nYou work.\n',
    'agents/tier.md': '---\ntier: high\nmodel: gpt-5\n---\nYou work.\n',
    'flow.yaml': 'steps:\n  - {id: a, agent: own, prompt: x}\n  - {id: b, agent: tier, prompt: x}\n',
  });
  const { out, err } = await cli({ folder: temp.path }, 'run', 'flow.yaml', '--estimate', '--json');
  expect(estimateForm.parse(json(out === '' ? err : out)).steps.map(({ model }) => model)).toEqual([
    'opus',
    'sonnet',
  ]);
});

test('an estimate is the median of what the same step took with the same agent, driver and tier', async () => {
  using temp = tempFolder();
  const folder = project(temp.path);
  for (const id of ['first', 'second', 'third']) await run(folder, id);
  const { out } = await cli({ folder }, 'run', 'flow.yaml', '--estimate', '--json');
  const found = estimateForm.parse(json(out));
  expect(found.steps).toMatchObject([
    { step: 'build', model: 'big', runs: 3, tokens: 640_000, cost_usd: 2.4, time_from: 'history' },
    { step: 'review', model: 'huge', runs: 3, tokens: 640_000, cost_usd: null, time_from: 'history' },
    { step: 'ship', agent: null, runs: 0, tokens: 0, cost_usd: 0, time_from: 'unknown' },
  ]);
  expect(found.total).toMatchObject({ tokens: 1_280_000, cost_usd: 2.4, steps_without_cost: 1 });
  write(folder, { 'tutti.yaml': `${config}${prices}`.replace('tier: high', 'tier: low') });
  const other = await cli({ folder }, 'run', 'flow.yaml', '--estimate', '--json');
  expect(estimateForm.parse(json(other.out)).steps[1]).toMatchObject({ runs: 0, seconds: 90, tokens: null });
});

test('an estimate says where the budget would end the run, and on a terminal no line is too long', async () => {
  using temp = tempFolder();
  const budget = 'budget: { cost_usd: 20, tokens: 1000000, launches: 1 }\n';
  const folder = project(temp.path, { 'flow.yaml': flow(budget) });
  const { out } = await cli({ folder, terminal: [40, 10] }, 'run', 'flow.yaml', '--estimate');
  expect(out).toContain('the budget ends it at $20.00 or 1,000,000 tokens or 1 launch');
  expect(out.split('\n')[1]).toBe('build   coder      nothing yet    unkno…');
  const costs = await cli({ folder }, 'costs');
  expect(costs).toMatchObject({ code: 0, out: expect.stringContaining('no runs yet') });
  const empty = await cli({ folder }, 'costs', '--json');
  expect(costsForm.parse(json(empty.out))).toMatchObject({ run_id: null, by: 'run', groups: [] });
});

/** Tells what the whole conversation used, as Codex does: the second turn counts the first once more. */
const cumulative = `#!/bin/sh
cat > /dev/null
status=failed input=1000000 cached=400000
case " $* " in *" fork "*) status=success input=3000000 cached=1400000;; esac
printf '{"status":"%s","summary":"it is %s"}' $status $status > "$TUTTI_RESULT"
echo '{"type":"thread.started","thread_id":"t1"}'
printf '{"type":"turn.completed","usage":{"input_tokens":%s,"cached_input_tokens":%s,"output_tokens":0}}\\n' $input $cached
`;

test('a conversation that goes on is paid once, and what came out of the cache at its own price', async () => {
  using temp = tempFolder();
  const folder = project(temp.path, {
    'tutti.yaml': `driver: cx
drivers: { cx: { type: codex, program: ./fake, models: { medium: big } } }
prices: { as_of: 2026-11-01, models: { big: { input: 3, output: 15, cached_input: 0.5 } } }
`,
    'flow.yaml': 'name: f\nsteps: [{ id: build, agent: coder, prompt: build it }]\n',
    fake: cumulative,
  });
  await run(folder, 'first');
  const { out } = await cli({ folder }, 'costs', 'first', '--by', 'session', '--json');
  const { groups, total } = costsForm.parse(json(out));
  expect(groups.map((turn) => [turn.input_tokens, turn.cost_usd])).toEqual([
    [1_000_000, 2],
    [2_000_000, 3.5],
  ]);
  expect(total).toMatchObject({ input_tokens: 3_000_000, cost_usd: 5.5 });
});
