import { lookForType } from '../discovery/look-at-project.ts';
import type { HostParts } from '../host/host-parts.ts';
import type { Refusal } from '../refusal.ts';
import { neededOf, refuseUnusable } from './agent-led/task-target.ts';

/** Why `tutti plan` would refuse the project's own folder as its target; null: it would not. */
export function refusePlans(place: Pick<HostParts, 'env' | 'paths'>): Promise<Refusal | null> {
  const { root } = place.paths;
  return refuseUnusable(place, root, neededOf(lookForType(root)));
}
