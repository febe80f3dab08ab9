import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { writePlannerProject } from '../planning/project.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { howMany } from './how-many.ts';
import { live, type Life } from './life.ts';

const wanted = howMany({ few: 6, many: 20 });

/** What planning left behind, whoever advanced it and however often. */
interface Remains {
  readonly outcome: string | null;
  readonly value: string | null;
  readonly phase: string;
  /** Lines of every agent's turn, sorted: how often each really ran. */
  readonly ledger: readonly string[];
  readonly files: readonly string[];
  readonly boundaries: readonly string[];
  readonly problem: string | null;
}

async function planned(point: number, bug = ''): Promise<Remains> {
  using folder = tempFolder();
  writePlannerProject(folder.path);
  // Every way through a phase: a reminder, a repair, and a turn that takes its time.
  const mood = [
    ['logical', 'forget'],
    ['definition', 'drop'],
    ['ms', '30'],
  ];
  writeFileSync(join(folder.path, 'mood.json'), JSON.stringify(mood));
  const first = await lived(folder.path, point);
  const last = first.killed ? await lived(folder.path, 0, bug) : first;
  const problem = last.code === 0 ? null : `ended with ${last.code ?? 'a signal'}: ${last.stderr}`;
  return { ...remainsOf(folder.path), problem };
}

function lived(folder: string, point: number, bug = ''): Promise<Life> {
  return live('plan-victim.ts', [folder, String(point), bug], { PATH: process.env['PATH'], HOME: folder });
}

function remainsOf(folder: string): Omit<Remains, 'problem'> {
  const db = new DatabaseSync(join(folder, '.tutti', 'tutti.db'), { readOnly: true });
  const run = db.prepare('select outcome, value from runs').get();
  const plan = db.prepare('select phase from plans').get();
  db.close();
  const dir = join(folder, '.tutti', 'plans', 'numerals');
  const files = ['artifacts', 'tasks', 'reports'].flatMap((name) =>
    readdirSync(join(dir, name)).map(
      (file) => `${name}/${file} ${readFileSync(join(dir, name, file), 'utf8')}`,
    ),
  );
  return {
    outcome: text(run?.['outcome']),
    value: text(run?.['value']),
    phase: text(plan?.['phase']) ?? '',
    ledger: lines(join(folder, 'ledger')).toSorted(),
    files: files.toSorted(),
    boundaries: boundariesOf(join(folder, 'boundaries.json')),
  };
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function boundariesOf(path: string): readonly string[] {
  const found: unknown = JSON.parse(lines(path).join('') || '[]');
  return Array.isArray(found) ? found.map(String) : [];
}

function lines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch {
    return [];
  }
}

/** Evenly over the whole: every kind of boundary by itself is the matter of the flows' sweep. */
function spread(all: number, count: number): readonly number[] {
  const stride = Math.max(1, Math.floor(all / count));
  return Array.from({ length: Math.floor(all / stride) }, (_, index) => (index + 1) * stride);
}

/** Two at a time: the machine has two cores, and each point is a process that starts others. */
async function sweep(
  points: readonly number[],
  bug = '',
): Promise<readonly (Remains & { readonly point: number })[]> {
  const queue = [...points];
  const swept: (Remains & { readonly point: number })[] = [];
  const worker = async () => {
    for (let point = queue.shift(); point !== undefined; point = queue.shift()) {
      swept.push({ point, ...(await planned(point, bug)) });
    }
  };
  await Promise.all([worker(), worker()]);
  return swept;
}

test('plan: killed at any boundary, it resumes with no turn lost and none repeated', {
  timeout: 900_000,
}, async () => {
  const whole = await planned(0);
  expect(whole).toMatchObject({ problem: null, outcome: 'SUCCESS', phase: 'ready' });
  expect(whole.ledger.filter((line) => line.endsWith(' end'))).toHaveLength(7);
  const points = spread(whole.boundaries.length, wanted);
  const swept = await sweep(points);
  const { boundaries: _all, ...expected } = whole;
  const wrong = swept.flatMap(({ point, boundaries: _own, ...remains }) =>
    JSON.stringify(remains) === JSON.stringify(expected)
      ? []
      : [`${whole.boundaries[point - 1] ?? ''} #${point}: ${JSON.stringify(remains, null, 1)}`],
  );
  process.stdout.write(
    `crash sweep plan: ${points.length} of ${whole.boundaries.length} boundaries, ${wrong.length} wrong\n`,
  );
  expect(wrong).toEqual([]);
  expect(points.length).toBeGreaterThanOrEqual(Math.min(wanted, whole.boundaries.length) - 1);
});

test('the sweep can fail: if what is finished is forgotten, a turn is run twice', {
  timeout: 300_000,
}, async () => {
  const whole = await planned(0);
  const [, second = 0] = whole.boundaries.flatMap((name, index) =>
    name === 'session:ended' ? [index + 1] : [],
  );
  const [swept] = await sweep([second], 'forgets');
  expect(swept?.ledger.length).toBeGreaterThan(whole.ledger.length);
});
