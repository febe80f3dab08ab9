import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { exitCodes } from '../../src/model/outcome.ts';
import { errorForm } from '../../src/model/schemas/session-output.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { trustProject } from '../rig/trust.ts';
import { type Bad, badSessions } from './bad-sessions.ts';
import { asking, contentsOf, quick, write } from './project.ts';
import { cli } from './rig.ts';

const flow = (steps: string): Readonly<Record<string, string>> => ({
  'flow.yaml': `name: f\nsteps:\n${steps}`,
});
const runFlow = ['run', 'flow.yaml'];

/** A question that was answered while its run was stopped: no conductor is started for it. */
async function answerStopped(folder: string): Promise<void> {
  await cli({ folder }, 'run', 'flow.yaml', '--run-id', 'quick');
  await cli({ folder }, 'stop', 'quick');
  await cli({ folder }, 'answer', 'Q1', 'yes');
}

/** A shell, but no git: what a bare container has. */
const bare = tempFolder();
symlinkSync(execFileSync('which', ['sh'], { encoding: 'utf8' }).trim(), join(bare.path, 'sh'));
afterAll(() => {
  bare[Symbol.dispose]();
});

const bad: readonly Bad[] = [
  ...badSessions(bare.path),
  {
    name: 'unknown flag',
    args: ['run', 'flow.yaml', '--detatch'],
    code: 'USAGE',
    says: /'--detatch'; did you mean '--detach'/,
    next: /tutti run --help/,
  },
  {
    name: 'unknown command',
    args: ['stauts'],
    code: 'USAGE',
    says: /'stauts'; did you mean 'status'/,
    next: /tutti --help/,
  },
  {
    name: 'command that is not finished',
    args: ['stat'],
    code: 'USAGE',
    says: /'stat'; did you mean 'status'/,
    next: /tutti --help/,
  },
  {
    name: 'specification that does not exist, named like a command',
    args: ['plan', 'spec', '--new'],
    code: 'USAGE',
    says: /the specification spec does not exist, and there is no command 'plan spec'/,
    next: /tutti plan FILE/,
  },
  {
    name: 'unknown option before a command',
    args: ['--frobnicate'],
    code: 'USAGE',
    says: /option '--frobnicate'/,
    next: /tutti --help/,
  },
  {
    name: 'unknown part of a command',
    args: ['service', 'instal'],
    code: 'USAGE',
    says: /'instal'; did you mean 'install'/,
    next: /tutti service --help/,
  },
  {
    name: 'missing argument',
    args: ['run'],
    code: 'USAGE',
    says: /FILE is missing/,
    next: /tutti run --help/,
  },
  {
    name: 'argument too many',
    args: ['inbox', 'x'],
    code: 'USAGE',
    says: /'x' is one argument too many/,
    next: /tutti inbox --help/,
  },
  {
    name: 'number out of bounds',
    args: ['run', 'flow.yaml', '--parallel', '0'],
    code: 'USAGE',
    says: /--parallel must be a whole number from 1/,
    next: /tutti run --help/,
  },
  {
    name: 'flag without its value',
    args: ['run', 'flow.yaml', '--run-id'],
    code: 'USAGE',
    says: /--run-id needs a value/,
    next: /tutti run --help/,
  },
  {
    name: 'missing file',
    args: ['run', 'nowhere.yaml'],
    code: 'USAGE',
    says: /nowhere\.yaml does not exist/,
    next: /tutti init/,
  },
  {
    name: 'invalid YAML',
    args: runFlow,
    files: { 'flow.yaml': 'name: f\nsteps: [\n' },
    code: 'USAGE',
    says: /flow\.yaml:\d+:\d+: /,
    next: /tutti run flow\.yaml/,
  },
  {
    name: 'invalid flow',
    args: runFlow,
    files: flow('  - id: a\n    comand: [echo]\n'),
    code: 'USAGE',
    says: /flow\.yaml:4:5: .*comand.*command/,
    next: /tutti run flow\.yaml/,
  },
  {
    name: 'cycle',
    args: runFlow,
    files: flow(
      '  - {id: a, needs: [c], command: [x]}\n  - {id: b, needs: [a], command: [x]}\n  - {id: c, needs: [b], command: [x]}\n',
    ),
    code: 'USAGE',
    says: /wait for each other: (a → \w → \w → a|b → \w → \w → b|c → \w → \w → c)/,
    next: /tutti run flow\.yaml/,
  },
  {
    name: 'duplicate id',
    args: runFlow,
    files: flow('  - {id: a, command: [x]}\n  - {id: a, command: [y]}\n'),
    code: 'USAGE',
    says: /two steps have the id 'a'/,
    next: /tutti run flow\.yaml/,
  },
  {
    name: 'unknown need',
    args: runFlow,
    files: flow('  - {id: a, needs: [bb], command: [x]}\n'),
    code: 'USAGE',
    says: /'a' needs 'bb'/,
    next: /tutti run flow\.yaml/,
  },
  {
    name: 'unknown agent',
    args: runFlow,
    files: flow('  - {id: a, agent: codr, prompt: hi}\n'),
    code: 'USAGE',
    says: /Agent 'codr' not found in agents\/; did you mean 'coder'/,
    next: /tutti agents/,
  },
  {
    name: 'missing program of a driver',
    args: runFlow,
    files: {
      ...flow('  - {id: a, agent: coder, prompt: hi}\n'),
      'tutti.yaml': 'driver: mine\ndrivers: {mine: {type: command, command: [no-such-program-here]}}\n',
    },
    code: 'UNAVAILABLE',
    says: /no-such-program-here is not on PATH/,
    next: /tutti doctor --all/,
  },
  {
    name: 'no cassette',
    args: runFlow,
    files: { ...flow('  - {id: a, agent: coder, prompt: hi}\n'), 'tutti.yaml': 'driver: replay\n' },
    code: 'UNAVAILABLE',
    says: /cassette .* does not exist/,
    next: /tutti doctor --all/,
  },
  {
    name: 'invalid configuration',
    args: runFlow,
    files: { 'flow.yaml': quick, 'tutti.yaml': 'drivr: x\n' },
    code: 'USAGE',
    says: /tutti\.yaml:1:1: .*drivr.*driver/,
    next: /tutti doctor/,
  },
  {
    name: 'working directory that is not there',
    args: runFlow,
    files: flow('  - {id: a, cwd: nope, command: [x]}\n'),
    code: 'USAGE',
    says: /works in .*nope/,
    next: /mkdir -p/,
  },
  {
    name: 'state folder that is none',
    args: runFlow,
    files: { 'flow.yaml': quick, '.tutti': 'a file where a folder should be' },
    code: 'UNAVAILABLE',
    says: /\.tutti is a file, where the folder/,
    next: /mv /,
  },
  {
    name: 'unreadable flow',
    args: runFlow,
    arrange: (folder) => {
      mkdirSync(join(folder, 'flow.yaml'));
    },
    code: 'USAGE',
    says: /flow\.yaml: is a directory/,
    next: /tutti run flow\.yaml/,
  },
  {
    name: 'no git, where a gate needs it',
    args: runFlow,
    files: flow('  - {id: a, command: [echo], gates: [{diff: true}]}\n'),
    env: { PATH: bare.path },
    code: 'UNAVAILABLE',
    says: /needs git, and git is not on PATH/,
    next: /apt-get install git/,
  },
  {
    name: 'database of a newer program',
    args: ['runs'],
    files: { 'flow.yaml': quick },
    arrange: async (folder) => {
      await cli({ folder }, 'run', 'flow.yaml');
      const db = new DatabaseSync(join(folder, '.tutti', 'tutti.db'));
      db.exec('pragma user_version=999');
      db.close();
    },
    code: 'UNAVAILABLE',
    says: /newer tutti \(format 999/,
    next: /npm install -g tutti@latest/,
  },
  {
    name: 'file that is no database',
    args: ['status'],
    files: {
      '.tutti/tutti.db': 'this is a text, and has been one all its life, however long one looks at it'.repeat(
        50,
      ),
    },
    code: 'UNAVAILABLE',
    says: /cannot use .*tutti\.db/,
    next: /tutti recover/,
  },
  {
    name: 'no project',
    args: ['resume'],
    code: 'USAGE',
    says: /there are no runs in /,
    next: /tutti run FILE/,
  },
  {
    name: 'unknown run',
    args: ['status', 'nope'],
    files: { 'flow.yaml': quick },
    arrange: (folder) => cli({ folder }, 'run', 'flow.yaml'),
    code: 'USAGE',
    says: /no run 'nope'/,
    next: /tutti runs/,
  },
  {
    name: 'unknown question',
    args: ['answer', 'Q9', 'yes'],
    files: { 'flow.yaml': quick },
    arrange: (folder) => cli({ folder }, 'run', 'flow.yaml'),
    code: 'USAGE',
    says: /no question 'Q9'/,
    next: /tutti inbox/,
  },
  {
    name: 'a wrong answer to a question that was answered',
    args: ['answer', 'Q1', 'x'],
    files: { 'flow.yaml': asking },
    arrange: answerStopped,
    code: 'FAILURE',
    says: /Q1 was already answered with 'approve' by user:/,
    next: /tutti status quick/,
  },
  {
    name: 'an answer without a text, by a bare number',
    args: ['answer', '1'],
    files: { 'flow.yaml': asking },
    arrange: (folder) => cli({ folder }, 'run', 'flow.yaml', '--run-id', 'quick'),
    code: 'USAGE',
    says: /the answer to Q1 is missing/,
    next: /tutti answer Q1 TEXT/,
  },
  {
    name: 'a wrong answer to an open question',
    args: ['answer', 'Q1', 'x'],
    files: { 'flow.yaml': asking },
    arrange: (folder) => cli({ folder }, 'run', 'flow.yaml', '--run-id', 'quick'),
    code: 'USAGE',
    says: /Q1: 'x' is none of approve, refuse/,
    next: /tutti inbox/,
  },
  {
    name: 'a run whose name is misspelt',
    args: ['stop', 'qiuck'],
    files: { 'flow.yaml': quick },
    arrange: (folder) => cli({ folder }, 'run', 'flow.yaml', '--run-id', 'quick'),
    code: 'USAGE',
    says: /no run 'qiuck'; did you mean 'quick'\?/,
    next: /tutti runs/,
  },
  {
    name: 'a step whose name is misspelt',
    args: ['resume', 'quick', '--step', 'hlep'],
    files: { 'flow.yaml': 'name: quick\nsteps: [{ id: help, command: [echo, x] }]\n' },
    arrange: (folder) => cli({ folder }, 'run', 'flow.yaml', '--run-id', 'quick'),
    code: 'USAGE',
    says: /has no step 'hlep'; did you mean 'help'\?/,
    next: /tutti status quick/,
  },
  {
    name: 'a question that the run never asked',
    args: ['answer', 'quick/later@1', 'yes'],
    files: { 'flow.yaml': quick },
    arrange: (folder) => cli({ folder }, 'run', 'flow.yaml', '--run-id', 'quick'),
    code: 'USAGE',
    says: /no question 'quick\/later@1'/,
    next: /tutti inbox/,
  },
  {
    name: 'hostile question',
    args: ['answer', '../../x/y@1', 'yes'],
    files: { 'flow.yaml': quick },
    arrange: (folder) => cli({ folder }, 'run', 'flow.yaml'),
    code: 'USAGE',
    says: /no question '\.\./,
    next: /tutti inbox/,
  },
  {
    name: 'stop of a run without a project',
    args: ['stop', 'r'],
    code: 'USAGE',
    says: /there is no run 'r'/,
    next: /tutti runs/,
  },
  ...[
    '../../etc/passwd',
    'a/b',
    '..',
    '.',
    '-rf',
    'x\u001B[31mred',
    'a b',
    '$(reboot)',
    'x'.repeat(300),
    'né',
    '',
  ].map(
    (id): Bad => ({
      name: `hostile run id ${JSON.stringify(id.slice(0, 20))}`,
      args: ['run', 'flow.yaml', ...(id === '' ? ['--run-id', id] : [`--run-id=${id}`])],
      files: { 'flow.yaml': quick },
      code: 'USAGE',
      says: /cannot be a run id/,
      next: /--run-id [a-z0-9]/,
    }),
  ),
];

test.for(bad)(
  '$name: one sentence, a next command, the right code, and nothing left behind',
  async (each) => {
    using folder = tempFolder();
    write(folder.path, each.files ?? {});
    await each.arrange?.(folder.path);
    trustProject(folder.path, { HOME: folder.path });
    const before = contentsOf(folder.path);
    const options = { folder: folder.path, env: each.env ?? {} };

    const plain = await cli(options, ...each.args);
    expect({ ...plain, err: '' }).toEqual({ out: '', err: '', code: exitCodes[each.code] });
    const lines = plain.err.trimEnd().split('\n');
    expect(lines.filter((line) => line.startsWith('tutti: '))).toHaveLength(1);
    expect(lines[0]).toMatch(each.says);
    expect(lines.filter((line) => line.startsWith('  → '))).toHaveLength(1);
    expect(lines.at(-1)).toMatch(each.next);
    expect(plain.err.replaceAll('\n', '')).not.toMatch(/\p{Cc}|\bat .*\.ts:\d+/u);

    const json = await cli(options, ...each.args, '--json');
    expect({ ...json, err: '' }).toEqual({ out: '', err: '', code: exitCodes[each.code] });
    expect(json.err.trimEnd().split('\n')).toHaveLength(1);
    const parsed = errorForm.parse(JSON.parse(json.err));
    expect(parsed).toMatchObject({ status: 'error', error: { code: each.code } });
    expect(parsed.error.message).toMatch(each.says);
    expect(parsed.error.hint).toMatch(each.next);

    expect(contentsOf(folder.path)).toEqual(before);
  },
);

test('the table can fail: a good flow is run, and does leave something behind', async () => {
  using folder = tempFolder();
  write(folder.path, { 'flow.yaml': quick });
  const before = contentsOf(folder.path);
  const end = await cli({ folder: folder.path }, ...runFlow);
  expect(end).toMatchObject({ err: '', code: 0 });
  expect(end.out).toContain('succeeded');
  expect(contentsOf(folder.path)).not.toEqual(before);
});
