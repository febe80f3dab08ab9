import { firstFew } from '../../lib/first-few.ts';
import { canonical, plain } from '../../lib/json.ts';
import { behaviorsOf, type CapabilityMap } from './capability-map.ts';
import type { PhysicalMap } from './physical-map.ts';
import type { PlanTask } from './plan-task.ts';
import { workDigest } from './task-row.ts';

/** What planning again changed, by id. */
export interface Changes {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** Behaviors, with the capability and domain that they belong to. */
export function behaviorChanges(
  before: Pick<CapabilityMap, 'domains'>,
  after: Pick<CapabilityMap, 'domains'>,
): Changes {
  const texts = (map: Pick<CapabilityMap, 'domains'>) =>
    new Map(
      behaviorsOf(map).map(({ behavior, capability, domain }) => [
        behavior.id,
        canonical(plain([behavior, capability.id, capability.name, domain.id, domain.name])),
      ]),
    );
  return between(texts(before), texts(after));
}

/** Behaviors whose files are others now. */
export function mappingChanges(before: PhysicalMap, after: PhysicalMap): Changes {
  const texts = ({ file_mapping: mapping }: PhysicalMap) =>
    new Map(mapping.map((each) => [each.behavior_id, canonical(plain([each.files, each.tests]))]));
  return between(texts(before), texts(after));
}

/** Tasks whose work is another now; when they are due does not count. */
export function taskChanges(before: readonly PlanTask[], after: readonly PlanTask[]): Changes {
  const texts = (tasks: readonly PlanTask[]) => new Map(tasks.map((task) => [task.id, workDigest(task)]));
  return between(texts(before), texts(after));
}

export function hasChanges({ added, changed, removed }: Changes): boolean {
  return added.length + changed.length + removed.length > 0;
}

/** `added B9; changed B2, B3`; empty when nothing did. */
export function changesInWords(changes: Changes): string {
  const part = (word: string, ids: readonly string[]) =>
    ids.length === 0 ? [] : [`${word} ${firstFew(ids, mostShown)}`];
  const { added, changed, removed } = changes;
  return [...part('added', added), ...part('changed', changed), ...part('removed', removed)].join('; ');
}

const mostShown = 20;

function between(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): Changes {
  return {
    added: [...after.keys()].filter((id) => !before.has(id)),
    changed: [...after].flatMap(([id, text]) => (before.has(id) && before.get(id) !== text ? [id] : [])),
    removed: [...before.keys()].filter((id) => !after.has(id)),
  };
}
