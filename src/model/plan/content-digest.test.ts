import { expect, test } from 'vitest';
import type { CapabilityMap } from './capability-map.ts';
import { capabilityContent, physicalContent, tasksShape, tasksWork } from './content-digest.ts';
import type { PhysicalMap } from './physical-map.ts';
import type { PlanTask } from './plan-task.ts';

const map: CapabilityMap = {
  version: '1.0',
  spec_checksum: 'a',
  domains: [
    {
      id: 'D1',
      name: 'd',
      description: '',
      capabilities: [{ id: 'C1', name: 'c', spec_ref: { quote: 'q', location: 'line 1' }, behaviors: [] }],
    },
  ],
  flows: [],
  coverage: { total_requirements: 1, covered_requirements: 1, gaps: [] },
  phase_filtering: { active_phase: 1, excluded_phases: [], total_excluded_requirements: 0 },
};

test('a checksum or a line that moved is the same content, another quote is not', () => {
  const content = capabilityContent(map);
  expect(capabilityContent({ ...map, spec_checksum: 'b' })).toBe(content);
  expect(capabilityContent(structuredMap('line 9', 'q'))).toBe(content);
  expect(capabilityContent(structuredMap('line 1', 'other'))).not.toBe(content);
});

function structuredMap(location: string, quote: string): CapabilityMap {
  const [domain] = map.domains;
  const [capability] = domain?.capabilities ?? [];
  if (domain === undefined || capability === undefined) throw new Error('the map has both');
  return {
    ...map,
    domains: [{ ...domain, capabilities: [{ ...capability, spec_ref: { quote, location } }] }],
  };
}

test('a physical map made from the same content is the same, whatever checksum it names', () => {
  const physical: PhysicalMap = {
    version: '1.0',
    target_dir: '.',
    capability_map_checksum: 'a',
    file_mapping: [],
    cross_cutting: [],
    infrastructure: [],
    summary: { total_behaviors: 0, total_files: 0 },
  };
  expect(physicalContent({ ...physical, capability_map_checksum: 'b' })).toBe(physicalContent(physical));
  expect(physicalContent({ ...physical, target_dir: '/x' })).not.toBe(physicalContent(physical));
});

const task: PlanTask = {
  id: 'T001',
  name: 't',
  phase: 1,
  task_type: 'feature',
  context: { domain: 'd', capability: 'c', spec_ref: 'x', spec_requirements: [], steel_thread: false },
  behaviors: ['B1'],
  files: [{ path: 'a', action: 'create', purpose: 'p' }],
  dependencies: { tasks: [], external: [] },
  acceptance_criteria: [],
  estimate_hours: 1,
};

test('work is what a task does, shape is what decides when', () => {
  expect(tasksWork([{ ...task, phase: 2 }])).toBe(tasksWork([task]));
  expect(tasksWork([{ ...task, name: 'x' }])).not.toBe(tasksWork([task]));
  expect(tasksShape([{ ...task, name: 'x' }])).toBe(tasksShape([task]));
  expect(tasksShape([{ ...task, behaviors: [] }])).not.toBe(tasksShape([task]));
  expect(tasksShape([{ ...task, dependencies: { tasks: ['T002'], external: [] } }])).not.toBe(
    tasksShape([task]),
  );
});
