import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { capabilityMap, pieces } from '../../src/app/example/plan.ts';
import { turn } from '../../src/app/example/turns.ts';
import type { Json } from '../../src/lib/json.ts';
import { complaintsOf, untilAlone } from '../e2e/example.ts';
import { until } from '../rig/attempt-rig.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { Desk, plan, spec } from './desk.ts';
import { contentsOf } from './project.ts';
import { cli, ctrlC } from './rig.ts';

async function sessionsOfRun(
  desk: Desk,
  run: string,
): Promise<readonly { readonly session_id: string; readonly step: string }[]> {
  const { out } = await desk.type('session', 'list', '--all', '--json');
  const rows = out.split('\n').filter((line) => line !== '');
  return rows
    .map((line) => JSON.parse(line) as { run_id: string; session_id: string; step: string })
    .filter(({ run_id: id }) => id === run);
}

const refusals: readonly (readonly [what: string, words: readonly string[], code: number, says: RegExp])[] = [
  ['no specification where there is none', ['plan', '--plan', 'nothing'], 64, /there is no plan 'nothing'/],
  ['a file that is not there', ['plan', 'no.md'], 64, /no\.md .*\n.*tutti plan FILE/],
  ['an empty text', ['plan', '-'], 64, /empty/],
  ['both kinds of project', ['plan', spec, '--new', '--existing'], 64, /either --new or --existing/],
  ['a name that is none', ['plan', spec, '--plan', '../x'], 64, /cannot be the name of a plan/],
  ['a target that is not there', ['plan', spec, '--target', 'app', '--existing'], 64, /does not exist/],
  ['executing nothing', ['execute'], 64, /no plan/],
  ['landing nothing', ['land'], 64, /no plan/],
  ['approving nothing', ['plan', 'approve'], 64, /no plan/],
  ['two ways of asking', ['execute', '--interactive', '--batch'], 64, /cannot be had with --batch/],
  ['no tasks at a time', ['execute', '--parallel', '0'], 64, /--parallel/],
  ['a policy nobody knows', ['execute', '--undeclared', 'maybe'], 64, /ask/],
];

test.each(refusals)(
  '%s is refused with one sentence and a next command, and leaves nothing',
  async (_, words, code, says) => {
    using desk = new Desk();
    const before = contentsOf(desk.path);
    const end = await desk.type(...words);
    expect(end).toMatchObject({ out: '', code });
    expect(end.err).toMatch(says);
    expect(end.err).toMatch(/^tutti: [^\n]+\n( {2}[^\n]+\n)* {2}→ [^\n]+\n/);
    expect(contentsOf(desk.path)).toEqual(before);
    const json = await desk.type(...words, '--json');
    expect(complaintsOf(JSON.parse(json.err) as Json, 'error')).toEqual([]);
  },
);

test('what is not planned yet is neither shown nor executed nor landed, and says what comes first', {
  timeout: 300_000,
}, async () => {
  using desk = new Desk();
  writeFileSync(join(desk.path, 'shop.md'), '# Shop\n\n- Sells things.\n');
  // The agents were recorded for another specification, and the player says so instead of playing them.
  const other = await desk.type('plan', 'shop.md');
  expect(other.code).toBe(1);
  expect(other.out).toContain('the prompt does not contain "/plans/tiny-duration"');
  for (const [words, says] of [
    [['plan', 'show'], /has no tasks yet: it is in phase logical\n {2}→ .*tutti plan --plan shop/],
    [['execute'], /in phase logical, not ready\n {2}→ .*tutti plan --plan shop/],
    [
      ['land'],
      /no task of plan shop is done, so there is nothing to land\n {2}→ .*tutti plan status --plan shop/,
    ],
    [['plan', 'approve'], /in phase logical, not ready/],
  ] as const) {
    const end = await desk.type(...words);
    expect(end, words.join(' ')).toMatchObject({ out: '' });
    expect(end.err).toMatch(says);
  }
});

test('a plan from its specification to its end, as programs read it', { timeout: 300_000 }, async () => {
  using desk = new Desk();
  const planned = await desk.type('plan', spec, '--new');
  expect(planned.code).toBe(3);
  const agreed =
    'T002 Parse a duration\n  create   src/parse.js, test/parse.test.js\n  accept   node --test ';
  expect(planned.out).toContain(agreed);
  expect((await desk.type('plan', 'show')).out).toContain(agreed);
  const show = await desk.json('plan', 'show');
  expect(complaintsOf(show, 'plan-show')).toEqual([]);
  expect(show).toMatchObject({
    verdict: 'READY',
    approval: null,
    steel_thread: ['T002', 'T003', 'T004', 'T006'],
    estimate: { tasks: 7, hours: 5, longest_chain_hours: 3, launches: 14, tokens: null, cost_usd: null },
    risks: ['deferred to phase 2: Later'],
  });
  expect(show).toHaveProperty('tasks.0.files.0', { path: 'package.json', action: 'create' });
  expect(show).toHaveProperty('tasks.0.acceptance_criteria.0.verification', 'node --test test/units.test.js');
  const { out: drawn } = await desk.type('plan', 'show', '--mermaid');
  expect(drawn).toMatch(/^(flowchart|graph) /);
  expect(drawn).toContain('T004');

  desk.edit('T005', 'Find the longest duration', 'Find the longest of durations');
  const edited = await desk.json('plan', 'edit', '--taken');
  expect(complaintsOf(edited, 'plan-edit')).toEqual([]);
  expect(edited).toMatchObject({ changed: ['T005'], removed: [], run_waits: true });
  await untilAlone(desk.path);

  desk.edit('T005', '"files"', '"filez"');
  const spoiled = await desk.type('plan', 'edit', '--taken');
  expect(spoiled).toMatchObject({ out: '', code: 1 });
  expect(spoiled.err).toMatch(/tasks\/T005\.json/);
  desk.edit('T005', '"filez"', '"files"');

  expect(complaintsOf(await desk.json('plan', 'approve'), 'plan-decision')).toEqual([]);
  await untilAlone(desk.path);
  expect((await desk.type('execute')).code).toBe(0);
  expect((await desk.type('execute')).err).toBe(
    `  → merge it into your checkout: tutti land --plan ${plan}\n`,
  );
  const idle = await desk.json('execute');
  expect(complaintsOf(idle, 'execute')).toEqual([]);
  const landing = `tutti land --plan ${plan}`;
  expect(await desk.json('plan', 'status')).toMatchObject({ phase: 'complete', next: landing });
  expect((await desk.type('plan', 'status')).out).toContain(`  → ${landing}\n`);
  const land = await desk.json('land');
  expect(complaintsOf(land, 'land')).toEqual([]);
  expect(land).toMatchObject({ at: 'delivered', files: 15, done: 7, tasks: 7 });
  expect(await desk.json('land')).toMatchObject({ at: 'nothing' });
  // Delivered and approved as it is: neither command has anything to hint at.
  const idleAgain = await desk.type('execute');
  expect(idleAgain).toEqual({
    out: 'plan tiny-duration: all 7 tasks done, nothing to do\n',
    err: '',
    code: 0,
  });
  expect((await desk.type('plan', 'edit', '--taken')).out).toBe(
    'plan tiny-duration: 7 tasks, no task changed since they were last loaded\n',
  );
  expect(await desk.json('plan', 'status')).toMatchObject({ phase: 'complete', next: null });
  expect((await desk.type('plan', 'status')).out).toContain('  → nothing is left to do\n');
  const { out: report } = await desk.type('report', `${plan}-execute`);
  expect(report).toContain('T001 Table of units');
  const sessions = await sessionsOfRun(desk, `${plan}-execute`);
  expect(sessions.length).toBeGreaterThanOrEqual(14);
  for (const { session_id: session, step } of sessions) {
    const [task = ''] = step.split(/[/@]/);
    expect(report.split('\n').find((line) => line.startsWith(`| ${task} `))).toContain(session);
  }
  expect(await desk.json('report', `${plan}-execute`)).toMatchObject({ incidents: [] });
  expect((await desk.type('plan', spec)).err).toMatch(
    /→ it is carried out and in \S+; nothing is left to do\n/,
  );
  const { out: known } = await desk.type('plan', 'show');
  expect(known).toContain('nothing is left to do');
});

test('the estimate is of what is left, from turns there were', { timeout: 300_000 }, async () => {
  using desk = new Desk();
  await desk.type('plan', spec, '--new', '--yes');
  expect((await desk.type('execute', '--task', 'T001', '--task', 'T002')).code).toBe(0);
  expect(await desk.json('plan', 'show')).toMatchObject({
    estimate: { tasks: 5, hours: 3.5, longest_chain_hours: 2.5, launches: 10, tokens: 22_200, from_turns: 4 },
  });
});

test('an answer at the terminal decides: no ends it, and planning again asks again', {
  timeout: 300_000,
}, async () => {
  using desk = new Desk();
  const refused = await desk.answer('no', 'plan', spec, '--new');
  expect(refused.code).toBe(1);
  // Nobody agrees to a command unseen.
  expect(refused.out).toContain('\n  accept   node --test test/units.test.js\n');
  expect(refused.out).toContain('the plan was refused by user:');
  expect(refused.out).toMatch(/→ say what to change: tutti plan refuse --reason TEXT --plan \S+; or edit/);
  expect(refused.out).not.toContain('tutti resume');
  const interrupted = await desk.answer(['no', ctrlC], 'plan', '--plan', plan);
  expect(interrupted.code).toBe(3);
  expect(interrupted.err).toContain('nothing is decided: the question stays open\n');
  expect(interrupted.err).toContain(`tutti plan approve --plan ${plan}`);
  expect((await desk.type('inbox')).out).toContain('Approve plan');
  const why = await desk.answer(['no', 'fewer tasks'], 'plan', '--plan', plan);
  expect(why.err).toContain('What should change? The task author gets your words (nothing: no reason): ');
  expect(why.out).toMatch(/✕ approval .*refused by user:\S+: fewer tasks/);
  expect(why.out).toContain(`→ plan again with that reason: tutti plan --plan ${plan}; `);
  expect((await desk.type('status', `${plan}-plan`)).out).toContain(
    '→ plan again with that reason: tutti plan',
  );
  expect((await desk.type('plan', 'status')).out).toContain('→ plan again with that reason: tutti plan');
  const silent = await desk.type('plan', 'refuse');
  // It takes nothing back of what was said before.
  expect(silent.out).toContain(`→ plan again with that reason: tutti plan --plan ${plan}; `);
  const later = await desk.answer('', 'plan', '--plan', plan);
  expect(later.code).toBe(3);
  expect(later.err).toContain(`tutti plan approve --plan ${plan}`);
  const piped = await desk.type('plan', 'edit', 'T003');
  expect(piped.out).toMatch(
    /no task changed since they were last loaded\n {2}→ no editor was opened, because this is no terminal; edit the files in \S+, then: tutti plan edit --taken --plan tiny-duration\n/,
  );
  const taken = await desk.type('plan', 'edit', '--taken');
  expect(taken.out).not.toContain('no editor');
  // Without an editor, the question is asked again, and not without end.
  const editor = await desk.answer('edit', 'plan', '--plan', plan);
  expect(editor.code).toBe(3);
  const without = 'tutti: neither VISUAL nor EDITOR says which editor to use\n';
  expect(editor.err.split(without)).toHaveLength(6);
  const approved = await desk.answer(['edit', 'yes'], 'plan', '--plan', plan);
  expect(approved.err).toContain(without);
  expect(approved.code).toBe(0);
  expect(approved.err).toContain(`tutti execute --plan ${plan}`);
  const none = await desk.answer('n', 'execute', '--interactive');
  expect(none.code).toBe(12);
  expect(none.out).toBe(
    `plan ${plan}: no task was executed; you left out T001\n` +
      `  → execute what is open: tutti execute --plan ${plan}; or be asked again: tutti execute --interactive --plan ${plan}\n`,
  );
  const one = await desk.answer(['y', 'n'], 'execute', '--interactive', '--task', 'T001', '--task', 'T002');
  expect(one.out).toContain(`\nplan ${plan}: you left out T002\n  → execute what is open: `);
  // They were approved: nothing is asked a second time. A ceiling that is reached is raised; the command of the hint continues.
  const capped = await desk.answer([], 'execute', '--max-launches', '2');
  expect(capped.err).not.toContain('[y/N]');
  expect(capped.code).toBe(23);
  expect(capped.out).toContain(
    `  → continue with a higher ceiling (now 2): tutti execute --plan ${plan} --max-launches N\n`,
  );
});

test.each(['yes', 'no', 'edit'])(
  'to %s, after another terminal approved the plan, the first terminal says that it is decided',
  { timeout: 300_000 },
  async (typed) => {
    using desk = new Desk();
    const decideElsewhere = async () => {
      expect((await desk.type('plan', 'approve', '--plan', plan)).code).toBe(0);
      return typed;
    };
    const late = await desk.answer([decideElsewhere], 'plan', spec, '--new');
    expect(late.err).toMatch(
      /tutti: Q1 was already answered with 'approve' by user:\S+, and the first decision counts\n {2}→ .*tutti status tiny-duration-plan\n/,
    );
    expect(late.code).toBe(1);
    await untilAlone(desk.path);
    expect(await desk.json('plan', 'status')).toMatchObject({ approval: { said: 'approved' } });
  },
);

test.each(['yes', 'no'])(
  'to %s at plan approve, after another terminal approved the plan, the first terminal says that it is decided',
  { timeout: 300_000 },
  async (typed) => {
    using desk = new Desk();
    expect((await desk.type('plan', spec, '--new')).code).toBe(3);
    const decideElsewhere = async () => {
      expect((await desk.type('plan', 'approve', '--plan', plan)).code).toBe(0);
      return typed;
    };
    const late = await desk.answer([decideElsewhere], 'plan', 'approve', '--plan', plan);
    expect(late.err).toMatch(/was approved by user:\S+ meanwhile, and the first decision counts/);
    expect(late.err + late.out).not.toContain('neither approved nor refused');
    expect(late.code).toBe(1);
    await untilAlone(desk.path);
  },
);

/** The first time it is blocked, then it may pass. */
const blockedOnce = (['BLOCKED', 'READY'] as const).map((verdict, index) =>
  turn({}, { agent: 'task-plan-verifier', nth: index + 1 }, verdict, {
    '{PLAN_DIR}/reports/task-validation.json': JSON.stringify({
      verdict,
      summary: verdict === 'BLOCKED' ? 'T003 proves nothing' : 'all is well',
      issues: verdict === 'BLOCKED' ? ['T003: say how zero is shown'] : [],
    }),
  }),
);

test('a plan that is blocked is a question, and verify lets the verifier look again', {
  timeout: 300_000,
}, async () => {
  using desk = new Desk(blockedOnce);
  const first = await desk.type('plan', spec, '--new');
  expect(first.code).toBe(3);
  const blocked =
    /The verifier blocks the plan: T003 proves nothing\.\s+Its issues: \(1\) T003: say how zero is\s+shown\./;
  expect(first.out).toMatch(blocked);
  expect((await desk.type('execute')).err).toContain('in phase validation, not ready');
  const approved = await desk.type('plan', 'approve');
  expect(approved.err).toContain('in phase validation, not ready\n  → answer Q1 first: tutti inbox');
  const { out: seen } = await desk.type('plan', 'show');
  expect(seen).toContain('the verifier: T003: say how zero is shown');
  const again = await desk.type('plan', 'verify');
  expect(again.code, again.err).not.toBe(1);
  // It is ready a moment before its tasks are shown in a question, and only what was shown is approved.
  await until('the verifier let it pass, and it is asked about', async () =>
    (await desk.type('inbox')).out.includes('approve'),
  );
  expect(desk.state()).toContain('"phase": "ready"');
  const { code, err } = await desk.type('plan', 'approve');
  expect(code, err).toBe(0);
  await untilAlone(desk.path);
});

test('planning says why it heals, and calls no phase done before its check', {
  timeout: 300_000,
}, async () => {
  const map = '{PLAN_DIR}/artifacts/capability-map.json';
  using desk = new Desk([
    turn({}, { agent: 'logic-architect', turn: 1 }, 'done', { [map]: '{}' }),
    turn({}, { agent: 'logic-architect', turn: 2 }, 'done', {
      [map]: JSON.stringify(capabilityMap('{SPEC_SHA256}')),
    }),
  ]);
  const { out } = await desk.type('plan', spec, '--new');
  const lines = out.split('\n').filter((line) => line.includes('logical'));
  expect(lines.map((line) => line.replace(/ \(session .*\)$/, ''))).toEqual([
    expect.stringMatching(/^● plan \S+ is in phase logical$/),
    '● logical started',
    '● logical ended its turn',
    expect.stringMatching(/^✕ logical was not accepted: artifacts\/capability-map\.json.* is missing/),
    '● logical/heal-1 started',
    '● logical/heal-1 ended its turn',
    '✔ logical done',
  ]);
  expect(await desk.json('report', `${plan}-plan`)).toMatchObject({
    incidents: [
      {
        step: 'logical/heal-1',
        text: expect.stringMatching(/^tried again because: artifacts\/capability-map\.json/) as string,
      },
    ],
  });
});

/** The files of one piece of the example, as its executor writes them. */
function filesOf(number: number): Record<string, string> {
  const written = pieces
    .filter((piece) => piece.number === number)
    .flatMap(({ files, test: proof }) => [...files, proof]);
  return Object.fromEntries(written.map(({ path, content }) => [path, content]));
}

test('execution says why the work of a task was not accepted, whatever refused it', {
  timeout: 300_000,
}, async () => {
  const executes = (step: string, files: Record<string, string>) => turn({}, { step }, 'done', files);
  const refuses = { result: { status: 'failed', summary: 'it rounds down' } };
  using desk = new Desk([
    executes('T001', {}),
    executes('T001/heal-1', filesOf(1)),
    executes('T002', { ...filesOf(2), 'src/parse.js': 'export {};' }),
    executes('T002/heal-1', filesOf(2)),
    turn({}, { step: 'T003/verify', nth: 1 }, 'seen', {}, refuses),
    turn({}, { step: 'T003/verify', nth: 2 }, 'seen', {}),
    executes('T003/heal-1', {
      ...filesOf(3),
      'src/format.js': `${filesOf(3)['src/format.js'] ?? ''}// mended\n`,
    }),
    executes('T004', { ...filesOf(4), 'stray.txt': 'x' }),
  ]);
  expect((await desk.type('plan', spec, '--new')).code).toBe(3);
  expect((await desk.type('plan', 'approve')).code).toBe(0);
  await untilAlone(desk.path);
  const tasks = ['T001', 'T002', 'T003', 'T004'].flatMap((id) => ['--task', id]);
  const { out, err } = await desk.type('execute', ...tasks, '--undeclared', 'refuse');
  const told = out.split('\n').filter((line) => line.includes('was not accepted'));
  expect(told.toSorted(), `${out}${err}`).toEqual([
    '✕ T001 was not accepted: nothing was changed in the working directory',
    expect.stringMatching(/^✕ T002 was not accepted: 1 acceptance criterion does not pass: /),
    '✕ T003 was not accepted: the verifier does not accept it: it rounds down',
    '✕ T004 was not accepted: it wrote files that it does not declare: stray.txt',
  ]);
  // Not again with the verdict, nor with the end of the run; the report has it once too.
  const stray = 'it wrote files that it does not declare: stray.txt';
  expect(out.split(stray), out).toHaveLength(2);
  const report = (await desk.type('report', `${plan}-execute`)).out;
  expect(report.split(stray), report).toHaveLength(2);
  expect(report).toContain('(see "What went wrong")');
  const lines = out.split('\n');
  const refusal = lines.findIndex((line) => line.startsWith('✕ T001 was not accepted'));
  expect(refusal).toBeLessThan(lines.findIndex((line) => line.startsWith('● T001/heal-1 started')));
  expect(await desk.json('report', `${plan}-execute`)).toMatchObject({
    incidents: expect.arrayContaining([
      {
        step: 'T001/heal-1',
        text: 'tried again because: nothing was changed in the working directory',
      },
    ]) as Json,
  });
});

test('at a terminal any question of planning is answered in place, by number or in words', {
  timeout: 300_000,
}, async () => {
  using desk = new Desk(blockedOnce);
  const end = await desk.answer(['1', 'never', 'no'], 'plan', spec, '--new');
  expect(end.code, end.err).toBe(1);
  expect(end.out).toContain('1) verify again');
  expect(end.err).toContain('Your answer, or its number (nothing: later):');
  // What is neither yes nor no is asked for again.
  expect(end.err.match(/Carry it out\?/g)).toHaveLength(2);
  expect(end.out).toContain('the plan was refused');
});

test('what can be typed next is offered: commands, flags, plans and tasks', {
  timeout: 300_000,
}, async () => {
  using desk = new Desk();
  await desk.type('plan', spec, '--new', '--yes');
  const offered = async (...words: readonly string[]) =>
    (await desk.type('__complete', ...words)).out.split('\n').map((line) => line.split('\t')[0]);
  expect(await offered('exec')).toContain('execute');
  expect(await offered('execute', '--')).toEqual(
    expect.arrayContaining(['--task', '--parallel', '--interactive']),
  );
  expect(await offered('execute', '--plan', 'ti')).toContain(plan);
  expect(await offered('execute', '--task', 'T00')).toContain('T003');
  expect(await offered('plan', 'edit', 'T00')).toContain('T003');
});

const explained = ['plan', 'plan make', 'plan show', 'plan edit', 'plan verify', 'execute', 'build', 'land'];

test.each(explained)('%s explains itself with examples', async (words) => {
  using folder = tempFolder();
  const { out, code } = await cli({ folder: folder.path }, ...words.split(' '), '--help');
  expect(code).toBe(0);
  expect(out).toContain('EXAMPLES');
  expect(contentsOf(folder.path)).toEqual([]);
});
