import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../rig/repository.ts';
import { testSeed } from '../rig/test-seed.ts';
import { trustProject } from '../rig/trust.ts';
import { Random } from '../simulation/random.ts';
import { describeFindings, type Evidence, judge } from './judge.ts';
import { Killer, type Pace } from './killer.ts';
import { namesIn, play, type Story, stories } from './stories.ts';

/** Kills in all, spread over the stories; `npm test` takes one story. */
const kills = { few: 4, many: 60, all: 330 };
const asked = process.env['KILLS'];
const wanted = asked === 'all' || asked === 'many' ? kills[asked] : kills.few;
const endless = { timeout: 7_200_000 };

interface Told {
  readonly stories: number;
  readonly kills: number;
  readonly wrong: readonly string[];
}

/** Plays a story until it has had as many kills. Its first, undisturbed one says what has to happen. */
async function playUntil(name: string, story: Story, least: number): Promise<Told> {
  const pace: Pace = new Map();
  const undisturbed = await play(story, 0, { random: new Random(testSeed), pace, expected: null });
  const expected = namesIn(undisturbed.evidence.ledger);
  const wrong = describeFindings(judge({ ...undisturbed.evidence })).map((line) => `undisturbed: ${line}`);
  let [count, played] = [0, 0];
  while (count < least) {
    const seed = testSeed * 1000 + played;
    const one = await play(story, Math.min(story.kills, least - count), {
      random: new Random(seed),
      pace,
      expected,
    }).catch((error: unknown) => {
      wrong.push(`${name}, seed ${seed}: ${String(error)}`);
      return null;
    });
    played += 1;
    if (one === null) break;
    count += one.kills;
    wrong.push(...describeFindings(judge(one.evidence)).map((line) => `${name}, seed ${seed}: ${line}`));
  }
  process.stdout.write(
    `random kills, ${name}: ${count} kills in ${played} stories, ${wrong.length} problems\n`,
  );
  for (const line of wrong) process.stdout.write(`  ${line}\n`);
  return { stories: played, kills: count, wrong };
}

const chosen = Object.entries<Story>(stories).filter(
  ([name]) => asked !== undefined || name === 'parallel flow',
);

for (const [name, story] of chosen) {
  test(
    `${name}: nothing is launched again, lost, left alive or stuck after kill -9 at any moment`,
    endless,
    async () => {
      const least = asked === undefined ? wanted : Math.ceil(wanted * story.share);
      const told = await playUntil(name, story, least);
      expect(told.wrong).toEqual([]);
      expect(told.kills).toBeGreaterThanOrEqual(least);
    },
  );
}

const good: Evidence = { ledger: ['a begin', 'a end'], expected: ['a'], survivors: [], stuck: [], left: [] };

test('each kind of damage is found in the evidence of a story', () => {
  const planted: readonly [string, Partial<Evidence>][] = [
    ['launchedAgain', { ledger: ['a begin', 'a end', 'a begin', 'a end'] }],
    ['launchedAgain', { ledger: ['a begin', 'a end', 'b begin'] }],
    ['lost', { ledger: ['a begin'] }],
    ['lost', { expected: ['a', 'b'] }],
    ['survivors', { survivors: ['1 sleep'] }],
    ['stuck', { stuck: ['run r is running'] }],
    ['lostRuns', { left: ['tutti run ended with 1'] }],
  ];
  expect(describeFindings(judge(good))).toEqual([]);
  for (const [what, change] of planted) {
    expect(describeFindings(judge({ ...good, ...change }))).toEqual([
      expect.stringMatching(new RegExp(`^${what}: `)),
    ]);
  }
});

test('a process that outlives a story, a run without an end and a refused command are seen', async () => {
  using project = stories['linear flow'].make(undefined);
  const killer = new Killer(project, new Random(1), new Map());
  await killer.finish(['run', 'flow.yaml', '--run-id', 'r']);
  await killer.finish(['run', 'missing.yaml']);
  const sleeper = spawn('sleep', ['600'], { env: { PATH: process.env['PATH'], HOME: project.home } });
  appendFileSync(join(project.path, 'ledger'), 'third begin\n');
  try {
    const { survivors, left, ledger } = await killer.evidence(namesIn(killer.ledger()), 0);
    expect(survivors).toEqual([`${sleeper.pid} sleep 600`]);
    expect(left).toEqual([expect.stringContaining('tutti run missing.yaml ended with 64')]);
    expect(judge({ ...good, ledger, expected: namesIn(ledger) }).launchedAgain).toEqual(['third']);
  } finally {
    sleeper.kill('SIGKILL');
  }
});

test('control: a program that forgets what it launched is caught', endless, async () => {
  const program = repository('test/kills/tutti-without-adoption.ts');
  const story: Story = {
    ...stories['parallel flow'],
    make: () => {
      const project = stories['parallel flow'].make(program);
      trustProject(project.path, { HOME: project.home });
      return project;
    },
  };
  const pace: Pace = new Map();
  const { evidence } = await play(story, 0, { random: new Random(0), pace, expected: null });
  const expected = namesIn(evidence.ledger);
  const again: string[] = [];
  for (let seed = 0; seed < 20 && again.length === 0; seed += 1) {
    const one = await play(story, 3, { random: new Random(seed), pace, expected });
    again.push(...judge(one.evidence).launchedAgain);
  }
  expect(again).not.toEqual([]);
});
