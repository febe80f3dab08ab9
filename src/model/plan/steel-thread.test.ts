import { expect, test } from 'vitest';
import { graphOf, type GraphNode } from '../graph.ts';
import { joinedBy } from './steel-thread.ts';

function groups(nodes: readonly GraphNode[], ...chosen: readonly string[]): readonly (readonly string[])[] {
  const graph = graphOf(nodes);
  if (!graph.ok) throw new Error('not a graph');
  return joinedBy(graph.value, new Set(chosen));
}

test('tasks that stand on each other are one group, also by way of others', () => {
  const nodes = [
    { id: 'a', needs: [] },
    { id: 'glue', needs: ['a'] },
    { id: 'b', needs: ['glue'] },
    { id: 'c', needs: [] },
    { id: 'd', needs: ['b', 'c'] },
  ];
  expect(groups(nodes, 'a', 'b', 'c', 'd')).toEqual([['a', 'b', 'c', 'd']]);
});

test('a common foundation and a common dependent outside join nothing', () => {
  const nodes = [
    { id: 'base', needs: [] },
    { id: 'a', needs: ['base'] },
    { id: 'b', needs: ['base'] },
    { id: 'c', needs: ['b'] },
    { id: 'top', needs: ['a', 'c'] },
  ];
  expect(groups(nodes, 'a', 'b', 'c')).toEqual([['b', 'c'], ['a']]);
  expect(groups(nodes)).toEqual([]);
});

test('a long chain is one group, and no slower for it', () => {
  const nodes = Array.from({ length: 5000 }, (_, n) => ({ id: `${n}`, needs: n === 0 ? [] : [`${n - 1}`] }));
  expect(groups(nodes, '4999', '0', '2500')).toHaveLength(1);
});

test('two ways between the same tasks are as good as one', () => {
  const nodes = [
    { id: 'a', needs: [] },
    { id: 'b', needs: ['a'] },
    { id: 'c', needs: ['a'] },
    { id: 'd', needs: ['b', 'c'] },
  ];
  expect(groups(nodes, 'a', 'd')).toEqual([['a', 'd']]);
});
