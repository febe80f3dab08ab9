import { beforeEach, expect, test, vi } from 'vitest';
import type * as judges from '../../src/model/compose/judge-call.ts';
import type * as calls from '../../src/model/compose/executor-call.ts';
import type * as scopes from '../../src/model/compose/write-scope.ts';
import { ExecutorProject } from './executor-project.ts';

/** The guard that is planted as broken. */
const broken = vi.hoisted(() => ({ guard: '', salt: 0 }));

vi.mock('../../src/model/compose/judge-call.ts', async (original) => {
  const real = await original<typeof judges>();
  return {
    ...real,
    judgeAccount: (...args: Parameters<typeof real.judgeAccount>) =>
      broken.guard === 'account' ? null : real.judgeAccount(...args),
    judgeTraces: (...args: Parameters<typeof real.judgeTraces>) =>
      broken.guard === 'traces' ? null : real.judgeTraces(...args),
  };
});
vi.mock('../../src/model/compose/write-scope.ts', async (original) => {
  const real = await original<typeof scopes>();
  return {
    ...real,
    ownChanges: (...args: Parameters<typeof real.ownChanges>) =>
      broken.guard === 'put-back' ? [] : real.ownChanges(...args),
  };
});
vi.mock('../../src/model/compose/executor-call.ts', async (original) => {
  const real = await original<typeof calls>();
  return {
    ...real,
    callIdentity: (...args: Parameters<typeof real.callIdentity>) => {
      if (broken.guard !== 'key') return real.callIdentity(...args);
      broken.salt += 1;
      return { salt: broken.salt };
    },
  };
});

beforeEach(() => {
  broken.guard = '';
});

/** Whether the work is accepted, and what is left of it. */
async function play(action: string, words: string): Promise<readonly [code: number, left: string]> {
  using project = new ExecutorProject();
  const { code } = await project.work(action, words);
  return [code, project.read('docs/a.md')];
}

test.for([
  ['account', 'PLAN', 'succeeds writes:docs/a.md says:STAGE_FAILED:%no'],
  ['traces', 'WRITE', 'succeeds writes:docs/a.md writes:README.md'],
] as const)(
  'without the judgement of %s the work of a bad agent is accepted',
  async ([guard, action, words]) => {
    expect((await play(action, words))[0]).not.toBe(0);
    broken.guard = guard;
    expect((await play(action, words))[0]).toBe(0);
  },
);

test('without the list of its own files nothing is put back', async () => {
  const words = 'writes:docs/a.md fails';
  expect(await play('PLAN', words)).toEqual([1, '']);
  broken.guard = 'put-back';
  expect((await play('PLAN', words))[1]).not.toBe('');
});

test('with another key the same call of a run is paid again', async () => {
  using project = new ExecutorProject();
  const call = () => project.work('PLAN', 'writes:docs/a.md succeeds', '--run-id', 'r');
  await call();
  await call();
  expect(project.begun).toHaveLength(1);
  broken.guard = 'key';
  await call();
  expect(project.begun).toHaveLength(2);
});
