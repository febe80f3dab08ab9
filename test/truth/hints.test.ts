import { afterAll, beforeAll, expect, test } from 'vitest';
import { playMatrix } from './matrix/matrix.ts';
import type { Matrix } from './matrix/calls.ts';

let matrix: Matrix;

beforeAll(async () => {
  matrix = await playMatrix();
});

afterAll(() => {
  matrix.project[Symbol.dispose]();
});

/** Types what a command named as the next one; what it printed. */
async function follow(hint: string, ...more: readonly string[]): Promise<string> {
  const [program, ...words] = hint.split(' ');
  expect(program).toBe('tutti');
  const { out, err, code } = await matrix.project.cli(false, ...words, ...more);
  expect(code, `${hint}: ${out}${err}`).toBe(0);
  return out;
}

async function planNow(id: string) {
  const { out } = await matrix.project.cli(false, 'plan', 'status', '--plan', id, '--json');
  return JSON.parse(out) as { next: string; halt: { halted: boolean }; tasks: Record<string, number> };
}

function planOf(scene: string): string {
  const cell = matrix.plans.find((each) => each.scene === scene);
  if (cell === undefined) throw new Error(`no plan is where ${scene}`);
  return cell.id;
}

test.each(['a task failed by hand', 'a task was skipped'])(
  'where %s, the next command of its plan lets it start',
  async (scene) => {
    const id = planOf(scene);
    await follow((await planNow(id)).next, '--plan', id);
    expect(await planNow(id)).toMatchObject({ next: 'tutti task start T001', tasks: { ready: 1 } });
  },
);

test.each(['a plan is halted', 'there is a STOP file'])(
  'where %s, the next command of the plan lets it continue',
  async (scene) => {
    const id = planOf(scene);
    expect(await planNow(id)).toMatchObject({ halt: { halted: true } });
    await follow((await planNow(id)).next);
    expect(await planNow(id)).toMatchObject({ next: 'tutti task start T001', halt: { halted: false } });
  },
);

test('the next command of a refused plan lets a person approve it', async () => {
  const id = planOf('the plan was refused');
  await follow((await planNow(id)).next, '--plan', id);
  expect((await planNow(id)).next).toBe('tutti task start T001');
});

test('the next command of a plan whose task a vanished session began names the task as an orphan', async () => {
  const id = planOf('a session that vanished has begun a task');
  expect(await follow((await planNow(id)).next, '--plan', id)).toContain('T001 is orphaned');
});

test('the next command of a plan that waits for a person shows the question', async () => {
  const id = planOf('a task asks a person');
  expect(await follow((await planNow(id)).next)).toContain('Which way?');
});

test('the next command of a run whose stop no process finished ends it', async () => {
  const cell = matrix.runs.find(({ scene, holder }) => scene === 'a stop was asked for' && holder === 'dead');
  const { out } = await matrix.project.cli(false, 'status', cell?.id ?? '');
  const hint = /→ .*: (tutti stop \S+)/.exec(out)?.[1] ?? '';
  await follow(hint);
  const after = await matrix.project.cli(false, 'status', cell?.id ?? '', '--json');
  expect(JSON.parse(after.out)).toMatchObject({ state: 'ended', driven_by: null });
});
