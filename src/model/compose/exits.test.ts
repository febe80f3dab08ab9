import { expect, test } from 'vitest';
import { outcomes } from '../outcome.ts';
import { isCallingLayer, listExits } from './exits.ts';
import { layerBelow } from './layer.ts';

test('the table has one row for each outcome, and every layer hands a depth limit up', () => {
  const rows = listExits();
  expect(rows.map(({ outcome }) => outcome)).toEqual(outcomes);
  expect(rows.find(({ code }) => code === 2)).toEqual({
    code: 2,
    outcome: 'DEPTH_EXCEEDED',
    raisedBy: ['primitive'],
    reactions: { orchestrator: 'raise', coordinator: 'raise', campaign: 'raise' },
  });
  expect(rows.find(({ code }) => code === 10)?.raisedBy).toEqual(['executor', 'orchestrator', 'coordinator']);
});

test('only layers 2 to 4 call another layer, each the one directly below', () => {
  expect(
    ['primitive', 'executor', 'orchestrator', 'coordinator', 'campaign'].filter((layer) =>
      isCallingLayer(layer as 'executor'),
    ),
  ).toEqual(['orchestrator', 'coordinator', 'campaign']);
  expect([layerBelow('orchestrator'), layerBelow('coordinator'), layerBelow('campaign')]).toEqual([
    'executor',
    'orchestrator',
    'coordinator',
  ]);
});
