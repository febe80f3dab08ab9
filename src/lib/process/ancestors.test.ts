import { expect, test } from 'vitest';
import { processesAbove } from './ancestors.ts';
import type { ProcessTable } from './process-table.ts';

/** pid → its parent and the leader of its session; process 9 asks. */
function table(rows: Readonly<Record<number, readonly [parent: number, leader: number]>>): ProcessTable {
  return {
    bootId: 'b',
    one: (asked) => {
      const pid = asked === 'self' ? 9 : asked;
      const row = rows[pid];
      return row === undefined ? null : { pid, parent: row[0], leader: row[1], state: 'S', startTime: '1' };
    },
    all: () => [],
    withVariable: () => [],
    variable: () => null,
    programs: () => [],
    groups: () => [],
  };
}

function pidsAbove(rows: Parameters<typeof table>[0]): readonly number[] {
  return processesAbove(table(rows)).map(({ pid }) => pid);
}

test('the processes above are those up to the first, the nearest first', () => {
  expect(pidsAbove({ 9: [7, 9], 7: [4, 7], 4: [1, 4], 1: [0, 1], 5: [4, 5] })).toEqual([9, 7, 4, 1]);
  expect(pidsAbove({})).toEqual([]);
});

test('a process whose parents died is still found to come from the leader of its session', () => {
  expect(pidsAbove({ 9: [1, 6], 6: [4, 6], 4: [1, 4], 1: [0, 1] })).toEqual([9, 1, 6, 4]);
});

test('a table that leads in a circle has an end', () => {
  expect(pidsAbove({ 9: [6, 9], 6: [9, 6] })).toEqual([9, 6]);
});

test('this process comes from another one', () => {
  const [self, parent] = processesAbove();
  expect([self?.pid, parent?.pid]).toEqual([process.pid, process.ppid]);
});
