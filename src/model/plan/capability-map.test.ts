import { expect, test } from 'vitest';
import { behaviorsOf, steelThreadOf } from './capability-map.ts';
import { argvOf } from './plan-task.ts';

function behavior(id: string) {
  return { id, name: id, type: 'process', description: id } as const;
}

test('behaviors come with where they belong, in the order of the map', () => {
  const one = { id: 'C1', name: 'one', spec_ref: 'x', behaviors: [behavior('B2'), behavior('B1')] };
  const two = { id: 'C2', name: 'two', spec_ref: 'x', behaviors: [behavior('B3')] };
  const domain = { id: 'D1', name: 'd', description: '', capabilities: [one, two] };
  const placed = behaviorsOf({ domains: [domain] });
  expect(placed.map(({ behavior: { id }, capability }) => [id, capability.id])).toEqual([
    ['B2', 'C1'],
    ['B1', 'C1'],
    ['B3', 'C2'],
  ]);
});

test('the steel thread goes in the order of its steps, wherever they are written; other flows are none', () => {
  const step = (order: number, id: string) => ({ order, behavior_id: id, description: '' });
  const flows = [
    { id: 'F1', name: '', is_steel_thread: false, steps: [step(1, 'B9')] },
    { id: 'F2', name: '', is_steel_thread: true, steps: [step(2, 'B2'), step(1, 'B1')] },
  ];
  expect(steelThreadOf({ flows })).toEqual(['B1', 'B2']);
});

test('a verification is shell text as its author wrote it', () => {
  expect(argvOf({ verification: 'a && "b $c"' })).toEqual(['sh', '-c', 'a && "b $c"']);
});
