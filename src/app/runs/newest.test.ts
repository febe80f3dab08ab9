import { expect, test } from 'vitest';
import { recorded } from '../../lib/json.ts';
import type { Run } from '../../model/run.ts';
import { newestRun, newestRuns } from './newest.ts';

/** Runs by their workflows, the newest first, and how many were read of them. */
function stored(workflows: readonly string[]) {
  const runs = workflows.map((workflow, index) => recorded<Run>({ id: `r${index}`, workflow }));
  const read: number[] = [];
  const queries = {
    runs: async (limit: number | null) => {
      const found = runs.slice(0, limit ?? undefined);
      read.push(found.length);
      return found;
    },
  };
  return { queries, read };
}

const many = (count: number, workflow: string): string[] => Array.from({ length: count }, () => workflow);
const ids = (runs: readonly Run[]): string[] => runs.map(({ id }) => id);

test('a run is found however many sessions were started after it', async () => {
  for (const between of [0, 1, 19, 200, 20_000, 200_000]) {
    const project = stored([...many(between, 'session'), 'flow', ...many(5, 'session'), 'flow']);
    expect(ids(await newestRuns(project, { limit: 1, sessions: false }))).toEqual([`r${between}`]);
    expect(await newestRuns(project, { limit: null, sessions: false })).toHaveLength(2);
    expect(await newestRuns(project, { limit: 3, sessions: true })).toHaveLength(3);
  }
});

test('the newest run that a person started is found behind those of their agents, which count only alone', async () => {
  const run = (id: string, rootId: string, parent: string | null = null): Run =>
    recorded<Run>({
      id,
      workflow: 'flow',
      rootId,
      parent: parent === null ? null : { runId: parent, key: 'k' },
    });
  const nested = Array.from({ length: 300 }, (_, at) => run(`n${at}`, 'mine'));
  const all = [run('kid', 'n0', 'n0'), ...nested, run('mine', 'mine'), run('older', 'older')];
  const over = (runs: readonly Run[]) => ({
    queries: { runs: async (limit: number | null) => runs.slice(0, limit ?? undefined) },
  });
  expect((await newestRun(over(all)))?.id).toBe('mine');
  expect((await newestRun(over(all.slice(0, 3))))?.id).toBe('n0');
  expect(await newestRun(over([]))).toBeNull();
});

test('no more is read than is needed, and never more than is asked for', async () => {
  const flows = stored(many(1000, 'flow'));
  expect(await newestRuns(flows, { limit: 20, sessions: false })).toHaveLength(20);
  expect(flows.read).toEqual([20]);
  const mixed = stored([...many(50, 'session'), ...many(1000, 'flow')]);
  expect(await newestRuns(mixed, { limit: 20, sessions: false })).toHaveLength(20);
  expect(mixed.read).toEqual([20, 200]);
  expect(await newestRuns(stored([]), { limit: 20, sessions: false })).toEqual([]);
});
