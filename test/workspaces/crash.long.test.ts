import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { howMany, thinned } from '../crash/how-many.ts';
import { pointsOf } from '../crash/sweep.ts';
import { repository } from '../rig/repository.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { differences, operatorsThings } from './operator.ts';
import { git, put, repositoryAt } from './rig.ts';

interface Life {
  readonly killed: boolean;
  readonly stderr: string;
}

function live(folder: string, point: number, how: 'alone' | 'family', bug = ''): Promise<Life> {
  const args = [
    repository('test/workspaces/victim.ts'),
    folder,
    join(folder, 'repo'),
    String(point),
    how,
    bug,
  ];
  // In a group of its own, which `family` kills whole.
  const child = spawn(process.execPath, args, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  return new Promise((resolve) => {
    child.once('exit', (_code, signal) => {
      resolve({ killed: signal === 'SIGKILL', stderr });
    });
  });
}

interface Remains {
  readonly said: unknown;
  readonly passed: readonly string[];
  /** Every ref of the plan's repository, with the content it stands for. */
  readonly refs: readonly string[];
  readonly work: readonly string[];
}

function remainsOf(folder: string): Remains {
  const { passed, said } = existsSync(join(folder, 'said.json'))
    ? (JSON.parse(readFileSync(join(folder, 'said.json'), 'utf8')) as { passed: string[]; said: unknown })
    : { passed: [], said: null };
  const plan = join(folder, 'state', 'shop');
  const refs = git(join(plan, 'repository.git'), 'for-each-ref', '--format=%(refname) %(tree) %(subject)')
    .split('\n')
    // Named by their commits, which are others in every life because they have times.
    .map((line) => line.replace(/^(refs\/tutti\/made\/shop)\/[0-9a-f]{40}/, '$1'))
    .toSorted();
  return { passed, said, refs, work: readdirSync(join(plan, 'work')).filter((name) => name !== 'landing') };
}

interface Swept {
  readonly point: string;
  readonly problems: readonly string[];
  readonly killed: boolean;
}

/** With a stash, a change that is not committed and one that is staged: all of it is the operator's. */
function operatorAt(path: string): void {
  const repo = repositoryAt(path, { 'a.txt': 'one\ntwo\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
  writeFileSync(join(repo, 'c.txt'), 'stashed\n');
  git(repo, 'stash', '-q');
  writeFileSync(join(repo, 'c.txt'), 'staged\n');
  git(repo, 'add', 'c.txt');
  writeFileSync(join(repo, 'mine.txt'), 'untracked\n');
}

async function crashAt(whole: Remains, point: number, make = operatorAt, bug = ''): Promise<Swept> {
  using folder = tempFolder();
  make(join(folder.path, 'repo'));
  const before = operatorsThings(join(folder.path, 'repo'));
  const first = await live(folder.path, point, point % 2 === 0 && bug === '' ? 'family' : 'alone');
  const unfinished = !existsSync(join(folder.path, 'said.json'));
  // While a hosted agent writes there, its files are its own business.
  const its = (path: string) => path === 'b.txt' || path === 'hosted.txt';
  const touched = differences(before, operatorsThings(join(folder.path, 'repo'))).filter(
    (path) => !its(path),
  );
  const second = unfinished ? await live(folder.path, 0, 'alone', bug) : { killed: false, stderr: '' };
  const remains = remainsOf(folder.path);
  const after = differences(before, operatorsThings(join(folder.path, 'repo')));
  return {
    point: `${whole.passed[point - 1] ?? ''} #${point}`,
    killed: first.killed,
    problems: [
      ...touched.map((path) => `${path} of the operator was touched`),
      ...after.filter((path) => path !== 'b.txt').map((path) => `${path} of the operator is not as it was`),
      ...(second.stderr === '' ? [] : [second.stderr]),
      ...(JSON.stringify(remains.said) === JSON.stringify(whole.said) ? [] : [JSON.stringify(remains.said)]),
      ...(JSON.stringify(remains.refs) === JSON.stringify(whole.refs) ? [] : remains.refs),
      ...remains.work.map((left) => `${left} was left`),
    ],
  };
}

async function undisturbed(make = operatorAt): Promise<Remains> {
  using folder = tempFolder();
  make(join(folder.path, 'repo'));
  const { stderr } = await live(folder.path, 0, 'alone');
  if (stderr !== '') throw new Error(stderr);
  return remainsOf(folder.path);
}

/** Two at a time: the machine has two cores, and each life starts many a git. */
async function sweep(
  whole: Remains,
  points: readonly number[],
  make = operatorAt,
): Promise<readonly string[]> {
  const queue = [...points];
  const swept: Swept[] = [];
  const worker = async () => {
    for (let point = queue.shift(); point !== undefined; point = queue.shift()) {
      swept.push(await crashAt(whole, point, make));
    }
  };
  await Promise.all([worker(), worker()]);
  expect(swept.filter(({ killed }) => killed)).toHaveLength(points.length);
  return swept.flatMap(({ point, problems }) => problems.map((problem) => `${point}: ${problem}`));
}

const wanted = howMany({ few: 14, many: 40 });
/** In a folder without a repository, fewer of them: the way is the same. */
const inFolder = howMany({ few: 5, many: 10 });
const said = {
  conflict: 'conflict',
  conflicts: ['a.txt'],
  landed: 'landed',
  kept: 'refs/tutti/rescue/shop/T003-1',
  taken: 'taken',
  left: [],
  removed: [],
};

test('killed at any boundary, the next life ends where an undisturbed one does', {
  timeout: 600_000,
}, async () => {
  const whole = await undisturbed();
  const points = thinned(pointsOf(whole.passed, wanted), wanted);
  process.stdout.write(`workspaces crash sweep: ${points.length} of ${whole.passed.length} boundaries\n`);
  expect(whole).toMatchObject({ said, work: [] });
  expect(points.length).toBeGreaterThanOrEqual(Math.min(wanted, 20) - 1);
  expect(await sweep(whole, points)).toEqual([]);
});

function folderAt(path: string): void {
  put(path, { 'a.txt': 'one\ntwo\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
}

test('so it does where the target is in no repository', { timeout: 300_000 }, async () => {
  const whole = await undisturbed(folderAt);
  expect(whole).toMatchObject({ said, work: [] });
  const points = thinned(pointsOf(whole.passed, wanted), inFolder);
  expect(await sweep(whole, points, folderAt)).toEqual([]);
});

test('the sweep can fail: what a dead process left half-done stays without it', {
  timeout: 300_000,
}, async () => {
  const whole = await undisturbed();
  const name = 'workspace:files';
  const { problems } = await crashAt(whole, whole.passed.indexOf(name) + 1, operatorAt, 'no-sweep');
  expect(problems).toEqual([expect.stringMatching(/^T001-1\.\d+\.new was left$/)]);
});
