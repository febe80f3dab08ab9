import { expect, test } from 'vitest';
import {
  behaviorChanges,
  changesInWords,
  hasChanges,
  mappingChanges,
  taskChanges,
} from './artifact-changes.ts';
import type { Behavior, CapabilityMap } from './capability-map.ts';
import type { PhysicalMap } from './physical-map.ts';
import type { PlanTask } from './plan-task.ts';

const behavior = (id: string, description = 'does'): Behavior => ({
  id,
  name: id,
  type: 'process',
  description,
});
const domains = (...behaviors: readonly Behavior[]): Pick<CapabilityMap, 'domains'> => ({
  domains: [
    {
      id: 'D1',
      name: 'd',
      description: '',
      capabilities: [{ id: 'C1', name: 'c', spec_ref: 'x', behaviors }],
    },
  ],
});

test('behaviors that came, went and changed are told by their ids', () => {
  const before = domains(behavior('B1'), behavior('B2'), behavior('B3'));
  const after = domains(behavior('B1'), behavior('B2', 'does more'), behavior('B4'));
  const changes = behaviorChanges(before, after);
  expect(changes).toEqual({ added: ['B4'], changed: ['B2'], removed: ['B3'] });
  expect(changesInWords(changes)).toBe('added B4; changed B2; removed B3');
  expect(hasChanges(changes)).toBe(true);
  expect(hasChanges(behaviorChanges(before, before))).toBe(false);
  expect(changesInWords(behaviorChanges(before, before))).toBe('');
});

test('many ids are cut to what somebody reads', () => {
  const many = domains(...Array.from({ length: 25 }, (_, index) => behavior(`B${index + 1}`)));
  expect(changesInWords(behaviorChanges(domains(), many))).toMatch(/B20 and 5 more$/);
});

test('a behavior whose files are others has changed in the physical map', () => {
  const map = (path: string): PhysicalMap => ({
    version: '1.0',
    target_dir: '.',
    capability_map_checksum: path,
    file_mapping: [
      { behavior_id: 'B1', behavior_name: 'b', files: [], tests: [{ path, action: 'create' }] },
      { behavior_id: 'B2', behavior_name: 'b', files: [], tests: [] },
    ],
    cross_cutting: [],
    infrastructure: [],
    summary: { total_behaviors: 2, total_files: 1 },
  });
  expect(mappingChanges(map('a'), map('b'))).toEqual({ added: [], changed: ['B1'], removed: [] });
});

test('a task that is only due at another time has not changed', () => {
  const task = (id: string, more: Partial<PlanTask> = {}): PlanTask => ({
    id,
    name: id,
    phase: 1,
    task_type: 'feature',
    context: { domain: 'd', capability: 'c', spec_ref: 'x', spec_requirements: [], steel_thread: false },
    behaviors: [],
    files: [],
    dependencies: { tasks: [], external: [] },
    acceptance_criteria: [],
    estimate_hours: 1,
    ...more,
  });
  const changes = taskChanges(
    [task('T001'), task('T002')],
    [task('T001', { phase: 3 }), task('T002', { name: 'x' })],
  );
  expect(changes).toEqual({ added: [], changed: ['T002'], removed: [] });
});
