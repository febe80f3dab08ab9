import { digest } from '../../lib/digest.ts';
import { plain } from '../../lib/json.ts';
import type { Bundle } from './bundle.ts';
import { behaviorsOf, type CapabilityMap } from './capability-map.ts';
import type { FileLayer, PhysicalMap } from './physical-map.ts';
import type { PlanTask } from './plan-task.ts';

export interface BundleSources {
  readonly task: PlanTask;
  readonly behaviors: Bundle['behaviors'];
  readonly layers: Readonly<Record<string, FileLayer>>;
  /** The tasks that it needs. */
  readonly needs: readonly PlanTask[];
  /** Where the work happens. */
  readonly targetDir: string;
  readonly constraints: Pick<Bundle['constraints'], 'tech_stack' | 'project_context'>;
  readonly checksums: Omit<Bundle['checksums'], 'task'>;
}

/** Everything one executor needs in one object: it sees no other task, no map and no specification. */
export function makeBundle({ task, behaviors, layers, needs, ...rest }: BundleSources): Bundle {
  const { targetDir, constraints, checksums } = rest;
  return {
    version: '1.0',
    task_id: task.id,
    name: task.name,
    target_dir: targetDir,
    behaviors,
    files: task.files.map((file) => ({ ...file, layer: layers[file.path] ?? null })),
    acceptance_criteria: task.acceptance_criteria,
    constraints: { ...constraints, external: task.dependencies.external },
    dependencies: { tasks: task.dependencies.tasks, files: filesOf(needs) },
    context: task.context,
    checksums: { task: taskChecksum(task), ...checksums },
  };
}

/** Members of a bundle that are not as they were made. A run makes it for a workspace, so where to work may differ. */
export function changedMembers(found: object, made: Bundle): readonly string[] {
  const [a, b] = [new Map(Object.entries(found)), new Map(Object.entries(made))];
  const names = [...new Set([...a.keys(), ...b.keys()])];
  return names.filter(
    (name) =>
      name !== 'target_dir' && digest(plain(a.get(name) ?? null)) !== digest(plain(b.get(name) ?? null)),
  );
}

export function taskChecksum(task: PlanTask): string {
  return digest(plain(task));
}

/** What prior tasks leave behind, by their definitions. */
function filesOf(needs: readonly PlanTask[]): readonly string[] {
  const paths = needs.flatMap(({ files }) =>
    files.filter(({ action }) => action !== 'delete').map(({ path }) => path),
  );
  return [...new Set(paths)].toSorted();
}

/** A task's behaviors in full, with where they belong. */
export function expandedBehaviors(task: PlanTask, map: Pick<CapabilityMap, 'domains'>): Bundle['behaviors'] {
  const wanted = new Set(task.behaviors);
  return behaviorsOf(map)
    .filter(({ behavior }) => wanted.has(behavior.id))
    .map(({ behavior, capability, domain }) => ({
      ...behavior,
      capability: capability.name,
      domain: domain.name,
    }));
}

/** The layer of each of a task's files, as far as the physical map knows it. */
export function layersOf(
  task: PlanTask,
  {
    file_mapping,
    cross_cutting,
    infrastructure,
  }: Pick<PhysicalMap, 'file_mapping' | 'cross_cutting' | 'infrastructure'>,
): Readonly<Record<string, FileLayer>> {
  const planned = [
    ...file_mapping.flatMap(({ files }) => files),
    ...cross_cutting.flatMap(({ files }) => files),
    ...infrastructure,
  ];
  const known = new Map<string, FileLayer>([
    ...file_mapping.flatMap(({ tests }) => tests.map(({ path }) => [path, 'test'] as const)),
    ...planned.map(({ path, layer }) => [path, layer] as const),
  ]);
  return Object.fromEntries(
    task.files.flatMap(({ path }) => {
      const layer = known.get(path);
      return layer === undefined ? [] : [[path, layer] as const];
    }),
  );
}
