import { expect, test } from 'vitest';
import { ancestorVariables } from './ancestors.ts';
import type { ProcessTable } from './process-table.ts';

/** pid → its parent and what it carries. */
function table(
  rows: Readonly<Record<number, readonly [parent: number, value: string | null]>>,
): ProcessTable {
  return {
    bootId: 'b',
    one: (pid) => {
      const row = rows[pid];
      return row === undefined ? null : { pid, parent: row[0], leader: pid, state: 'S', startTime: '1' };
    },
    all: () => [],
    withVariable: () => [],
    variable: (pid) => rows[pid]?.[1] ?? null,
  };
}

test('every process above that has the variable tells it, the nearest first; the process itself is not asked', () => {
  const rows = table({ 9: [7, 'own'], 7: [4, null], 4: [3, 'near'], 3: [1, 'far'], 1: [0, null] });
  expect(ancestorVariables('X', 9, rows)).toEqual(['near', 'far']);
  expect(ancestorVariables('X', 3, rows)).toEqual([]);
  expect(ancestorVariables('X', 99, rows)).toEqual([]);
});

test('a table that leads in a circle has an end', () => {
  expect(ancestorVariables('X', 5, table({ 5: [6, null], 6: [5, null] }))).toEqual([]);
});

test('of this process: its parent has a PATH', () => {
  expect(ancestorVariables('PATH')).not.toEqual([]);
});
