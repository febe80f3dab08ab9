import { expect, test } from 'vitest';
import { goodPlan } from '../../../test/plans/good-plan.ts';
import { getKnown } from '../../lib/get-known.ts';
import { planBundleForm } from '../schemas/plan-bundle.ts';
import { changedMembers, expandedBehaviors, layersOf, makeBundle, taskChecksum } from './make-bundle.ts';

const { capabilityMap, physicalMap, tasks } = goodPlan({ tasks: 6 });
const byId = new Map(tasks.map((task) => [task.id, task]));
const [first, second] = [getKnown(byId, 'T001'), getKnown(byId, 'T002')];

function bundleOf(task = second) {
  return makeBundle({
    task,
    behaviors: expandedBehaviors(task, capabilityMap),
    layers: layersOf(task, physicalMap),
    needs: [{ ...first, files: [...first.files, { path: 'old.js', action: 'delete', purpose: 'gone' }] }],
    targetDir: '/target',
    constraints: { tech_stack: 'node', project_context: 'none' },
    checksums: { capability_map: 'c', physical_map: 'p', spec: 's' },
  });
}

test('a bundle has everything in full and the form of one', () => {
  const bundle = bundleOf();
  expect(planBundleForm.safeParse(bundle).success).toBe(true);
  expect(bundle.behaviors).toEqual([
    expect.objectContaining({ id: 'B2', type: 'input', capability: 'records from 1', domain: 'domain 1' }),
  ]);
  expect(bundle.constraints).toEqual({ tech_stack: 'node', project_context: 'none', external: [] });
  expect(bundle.checksums.task).toBe(taskChecksum(second));
});

test('members of a bundle that were changed, added or removed are named, except where to work', () => {
  const made = bundleOf();
  expect(changedMembers({ ...made, target_dir: '/workspace' }, made)).toEqual([]);
  const { name: _name, ...nameless } = made;
  expect(changedMembers({ ...nameless, behaviors: [], more: 1 }, made)).toEqual([
    'behaviors',
    'more',
    'name',
  ]);
});

test('files have the layer that the physical map gives them, and files of prior tasks are named once, without what they delete', () => {
  const bundle = bundleOf();
  expect(bundle.files.map(({ layer }) => layer)).toEqual(['domain', 'test']);
  expect(bundle.dependencies.files).toEqual(first.files.map(({ path }) => path).toSorted());
  const elsewhere = { ...second, files: [{ path: 'nowhere.js', action: 'create', purpose: 'x' }] } as const;
  expect(bundleOf(elsewhere).files).toEqual([
    { path: 'nowhere.js', action: 'create', purpose: 'x', layer: null },
  ]);
  const shared = {
    concern: 'logging',
    files: [{ path: 'nowhere.js', action: 'create', layer: 'infra', purpose: 'x' }],
  } as const;
  expect(layersOf(elsewhere, { ...physicalMap, cross_cutting: [shared] })).toEqual({ 'nowhere.js': 'infra' });
});
