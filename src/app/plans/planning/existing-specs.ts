import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { namesIn } from '../../../lib/names-in.ts';
import type { ProjectPaths } from '../../project.ts';
import { targetTree } from '../../discovery/target-tree.ts';

const most = 10;
const named = /(?:^|[-_. /])(?:spec|specification|requirements|prd|rfc)s?(?:[-_. ].*)?\.(?:md|txt)$/i;

/** Python's list of packages has the name of a specification. */
const dependencies = /(?:^|\/)requirements[^/]*\.txt$/;

export interface ExistingSpec {
  /** As one would give it to `tutti plan`. */
  readonly path: string;
  /** The plan that has it already; null: a file that looks like one. */
  readonly plan: string | null;
}

/** What could be planned here, when nobody said what: plans that there are, and files that are named like a specification. */
export function existingSpecs({
  root,
  state,
}: Pick<ProjectPaths, 'root' | 'state'>): readonly ExistingSpec[] {
  const plans = namesIn(join(state, 'plans'))
    .filter((plan) => existsSync(join(state, 'plans', plan, 'inputs', 'spec.md')))
    .map((plan) => ({ path: join('.tutti', 'plans', plan, 'inputs', 'spec.md'), plan }));
  const files = targetTree(root, 3, 5_000)
    .entries.filter((path) => !dependencies.test(path))
    .filter((path) => named.test(path) || /^docs?\/[^/]*spec[^/]*\.md$/i.test(path))
    .map((path) => ({ path, plan: null }));
  return [...plans, ...files].slice(0, most);
}
