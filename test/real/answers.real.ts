import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, type TestContext } from 'vitest';
import { spec, specName } from '../../src/app/example/spec.ts';
import { shellWord } from '../../src/lib/shell-word.ts';
import { buildFirstRelease, firstReleaseProblem } from '../rig/first-release.ts';
import { writeProject } from '../rig/program.ts';
import { installedTutti } from '../rig/installed-tutti.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { literalModel, turnKind, workAnswers } from './literal-model.ts';
import { type Installed, installed } from './install.ts';
import { type Person, personWith } from './person.ts';
import { report } from './report.ts';
import { trustProject } from '../rig/trust.ts';

/*
 * What the words of Tutti cost: the same tasks by the real claude with one model, through the program of the first release and through
 * this one. Tokens are those of the requests that the server received, tool definitions included, four bytes each.
 */

/** One turn of an agent, as the server saw it. */
interface Turn {
  readonly kind: string;
  /** Answers that its work needs. */
  readonly work: number;
  readonly answers: number;
  readonly tokens: number;
  readonly promptBytes: number;
}

const models = { low: 'haiku', medium: 'sonnet', high: 'opus' };
const reached = [
  'ANTHROPIC_BASE_URL',
  'ANTHROPIC_API_KEY',
  'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC',
  'CLAUDE_CODE_MAX_RETRIES',
  'DISABLE_AUTOUPDATER',
];

/** What each program needs to work with claude. The first one has no driver of that name, and passes no variable on. */
const configs = {
  before: {
    driver: 'claude',
    drivers: { claude: { type: 'claude', allowed_tools: ['Bash', 'Read', 'Edit', 'Write'], models } },
    env: reached,
  },
  after: { driver: 'claude' },
} as const;

type Side = keyof typeof configs;
const sides: readonly Side[] = ['before', 'after'];

type Commands = readonly (readonly string[])[];

interface Scenario {
  readonly files: Readonly<Record<string, string | object>>;
  readonly commands: Commands;
}

const planned: Commands = [
  ['plan', specName, '--yes'],
  ['execute', '--parallel', '1'],
];
const example = { [specName]: spec, '.gitignore': '.tutti/\n' };
const manyFiles = Object.fromEntries(
  Array.from({ length: 500 }, (_, n) => [
    `src/area${n % 22}/module-${n}.js`,
    `export function handle${n}() {}\n${'// filler line of a module\n'.repeat(60)}`,
  ]),
);
const oneFile = 'Write one.txt with the word one in it, and check it with grep.';
const gates = [{ command: ['grep', '-q', 'one', 'one.txt'] }];
const schema = { type: 'object', properties: { status: { type: 'string' } }, required: ['status'] };

const scenarios = {
  example: { files: example, commands: planned },
  '500 files': {
    files: { ...example, ...manyFiles },
    commands: [
      ['plan', specName, '--yes'],
      ['execute', '--task', 'T001'],
    ],
  },
  'flow step': {
    files: { 'flow.yaml': { steps: [{ id: 'one', agent: 'coder', prompt: oneFile, gates }] } },
    commands: [['run', 'flow.yaml']],
  },
  'session create': {
    files: { 'task.md': `${oneFile}\n` },
    commands: [['session', 'create', 'coder', 'task.md']],
  },
  'session create with a schema': {
    files: { 'task.md': `${oneFile}\n`, 'schema.json': JSON.stringify(schema) },
    commands: [['session', 'create', 'coder', 'task.md', '--result-schema', 'schema.json']],
  },
} as const satisfies Readonly<Record<string, Scenario>>;

type ScenarioName = keyof typeof scenarios;
type Measured = Readonly<Record<Side, readonly Turn[]>>;

const folder = tempFolder();
const root = realpathSync(folder.path);
const measured = new Map<ScenarioName, Measured>();
let problem: string | null = null;

beforeAll(async () => {
  const cli = await installed('claude');
  problem = cli.ok ? firstReleaseProblem() : cli.why;
  if (problem !== null) process.stdout.write(`answers: not measured: ${problem}\n`);
  if (!cli.ok) {
    const { version, why } = cli;
    report({ cli: 'claude', version, case: null }, { verdict: 'not installed', why, ms: 0 });
  }
  if (!cli.ok || problem !== null) return;
  const first = join(root, 'first-release');
  mkdirSync(first);
  const programs = { before: buildFirstRelease(first), after: installedTutti() };
  for (const name of Object.keys(scenarios) as ScenarioName[]) {
    const turns = { before: [] as readonly Turn[], after: [] as readonly Turn[] };
    for (const side of sides) turns[side] = await play(name, side, programs[side], cli);
    measured.set(name, turns);
  }
}, 1_800_000);

afterAll(() => {
  folder[Symbol.dispose]();
  if (measured.size > 0) process.stdout.write(`\n${tableOfTurns()}\n`);
});

async function play(
  name: ScenarioName,
  side: Side,
  program: string,
  cli: Extract<Installed, { readonly ok: true }>,
): Promise<readonly Turn[]> {
  const { files, commands }: Scenario = scenarios[name];
  // Both sides have paths of the same length.
  const place = join(root, `${Object.keys(scenarios).indexOf(name)}-${side.padEnd(6, '-')}`);
  const project = join(place, 'project');
  mkdirSync(project, { recursive: true });
  await using person = await personWith('claude', cli.program, place, literalModel);
  // Agents of the first release are told to call the program.
  const link = join(place, 'bin/tutti');
  writeFileSync(link, `#!/bin/sh\nexec ${shellWord(process.execPath)} ${shellWord(program)} "$@"\n`);
  chmodSync(link, 0o755);
  writeProject(project, { ...files, 'tutti.yaml': configs[side] });
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: project, env: person.env, stdio: 'ignore' });
  git('init', '-q');
  git('add', '-A');
  git('-c', 'user.name=ann', '-c', 'user.email=ann@localhost', 'commit', '-qm', 'Begin');
  for (const command of commands) {
    const out = await tutti(program, command, project, person);
    const id = /^\S+ \S+ (\S+)/.exec(out)?.[1] ?? '';
    if (command[0] === 'session') await tutti(program, ['session', 'wait', id], project, person);
  }
  return turnsIn(person, [project, person.home]);
}

function tutti(
  program: string,
  args: readonly string[],
  cwd: string,
  { env }: Pick<Person, 'env'>,
): Promise<string> {
  trustProject(cwd, env);
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [program, ...args], { cwd, env }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`tutti ${args.join(' ')} in ${cwd}: ${error.message}\n${stdout}${stderr}`));
    });
  });
}

/** Requests with one prompt are one turn: no two turns of these scenarios are told the same. */
function turnsIn(person: Person, [project = '', home = '']: readonly string[]): readonly Turn[] {
  const tokens = person.tokens();
  const turns = Map.groupBy(person.prompts().entries(), ([, prompt]) => prompt);
  return [...turns].map(([prompt, requests]) => ({
    kind: turnKind(prompt),
    work: workAnswers(prompt),
    answers: requests.length,
    tokens: sum(requests.map(([at]) => tokens[at] ?? 0)),
    // As if every project and every home had the same short path.
    promptBytes: Buffer.byteLength(prompt.replaceAll(project, '/p').replaceAll(home, '/h')),
  }));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

function need({ skip }: Pick<TestContext, 'skip'>): void {
  if (problem !== null) skip(problem);
}

function of(name: ScenarioName): Measured {
  const turns = measured.get(name);
  if (turns === undefined) throw new Error(`${name} was not measured`);
  return turns;
}

function total(turns: readonly Turn[], member: 'work' | 'answers' | 'tokens' | 'promptBytes'): number {
  return sum(turns.map((turn) => turn[member]));
}

const names = Object.keys(scenarios) as readonly ScenarioName[];

test.for(names)('%s: a turn takes at most one answer more than its work', (name, context) => {
  need(context);
  const { before, after } = of(name);
  expect(after.map(({ kind }) => kind).toSorted()).toEqual(before.map(({ kind }) => kind).toSorted());
  expect(total(after, 'work')).toBe(total(before, 'work'));
  expect(after.filter(({ work, answers }) => answers > work + 1)).toEqual([]);
  // The control: the words of the first release cost more than that.
  expect(before.filter(({ work, answers }) => answers <= work + 1)).toEqual([]);
});

test('the example takes at most 0.7 of the input tokens of the first release', (context) => {
  need(context);
  const { before, after } = of('example');
  expect(total(after, 'tokens') / total(before, 'tokens')).toBeLessThanOrEqual(0.7);
});

test('no turn of the example has a larger prompt than in the first release', (context) => {
  need(context);
  const { before, after } = of('example');
  const sizes = (turns: readonly Turn[]) => Map.groupBy(turns, ({ kind }) => kind);
  const first = sizes(before);
  for (const [kind, turns] of sizes(after)) {
    const bytes = total(turns, 'promptBytes');
    expect(bytes, kind).toBeLessThanOrEqual(total(first.get(kind) ?? [], 'promptBytes'));
  }
});

test('a task in a project of 500 files has prompts of at most 0.3 of their first size', (context) => {
  need(context);
  const { before, after } = of('500 files');
  for (const kind of ['task-executor', 'task-verifier']) {
    const bytes = (turns: readonly Turn[]) =>
      total(
        turns.filter((turn) => turn.kind === kind),
        'promptBytes',
      );
    expect(bytes(after) / bytes(before), kind).toBeLessThanOrEqual(0.3);
  }
});

/** Sums over the turns of one kind. */
function tableOfTurns(): string {
  const head = ['', 'turns', 'k', 'answers', 'input tokens', '', 'prompt bytes', ''];
  const rows = [...measured].flatMap(([name, turns]) => {
    const kinds = [...new Set(turns.after.map(({ kind }) => kind))];
    const all = kinds.map((kind) => row(`${name}: ${kind}`, turns, (turn) => turn.kind === kind));
    return kinds.length === 1 ? all : [...all, row(`${name}, all`, turns, () => true)];
  });
  const lines = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd((widths[column] ?? 0) + 2))
        .join('')
        .trimEnd(),
    )
    .join('\n');
}

function row(label: string, turns: Measured, chosen: (turn: Turn) => boolean): readonly string[] {
  const [before, after] = [turns.before.filter(chosen), turns.after.filter(chosen)];
  const compared = (member: 'tokens' | 'promptBytes'): readonly string[] => {
    const [first, now] = [total(before, member), total(after, member)];
    return [`${first} → ${now}`, (now / first).toFixed(2)];
  };
  return [
    label,
    `${after.length}`,
    `${total(after, 'work')}`,
    `${total(before, 'answers')} → ${total(after, 'answers')}`,
    ...compared('tokens'),
    ...compared('promptBytes'),
  ];
}
