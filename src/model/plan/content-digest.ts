import { digest } from '../../lib/digest.ts';
import { isObject, type Json, plain } from '../../lib/json.ts';
import type { CapabilityMap } from './capability-map.ts';
import type { PhysicalMap } from './physical-map.ts';
import type { PlanTask } from './plan-task.ts';
import { workDigest } from './task-row.ts';

/*
 * What later phases stand on. A checksum or a line number that moved is no other content: where nothing else changed,
 * nothing is planned again.
 */

export function capabilityContent(map: CapabilityMap): string {
  const { spec_checksum: _checksum, ...content } = map;
  return digest(withoutPlaces(plain(content)));
}

export function physicalContent(map: PhysicalMap): string {
  const { capability_map_checksum: _checksum, ...content } = map;
  return digest(plain(content));
}

/** What the tasks are, whenever they are due. */
export function tasksWork(tasks: readonly PlanTask[]): string {
  return digest(tasks.map((task) => [task.id, workDigest(task)]));
}

/** What decides in which phase a task is. */
export function tasksShape(tasks: readonly PlanTask[]): string {
  const shape = tasks.map(({ id, behaviors, files, dependencies, context }) => ({
    id,
    behaviors,
    needs: dependencies.tasks,
    files: files.map(({ path, action }) => [path, action]),
    steel: context.steel_thread,
  }));
  return digest(plain(shape));
}

function withoutPlaces(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => withoutPlaces(item));
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([name]) => name !== 'location');
  return Object.fromEntries(members.map(([name, member]) => [name, withoutPlaces(member)]));
}
