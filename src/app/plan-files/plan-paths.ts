import { join } from 'node:path';
import { isSafeId } from '../../lib/ids.ts';
import type { ProjectPaths } from '../project.ts';

/** Where a plan keeps its things. The directory is handed to agents as an absolute path: a worktree has no `.tutti`. */
export interface PlanPaths {
  readonly dir: string;
  readonly spec: string;
  readonly capabilityMap: string;
  readonly physicalMap: string;
  readonly tasks: string;
  task(id: string): string;
  bundle(id: string): string;
  result(id: string): string;
  /** What a task changed, as its verifier gets it. */
  diff(id: string): string;
  readonly bundles: string;
  /** What was found out about the target before anything was planned. */
  readonly context: string;
  /** For people. */
  readonly report: string;
  /** For code: the verifier's verdict, as the verifier wrote it. */
  readonly verdict: string;
  readonly state: string;
  readonly checkpoint: string;
  readonly activity: string;
  /** While this file is there, nothing new is started. */
  readonly stop: string;
  /** Made before any agent works: agents make no directories. */
  readonly folders: readonly string[];
}

export function planPathsOf({ state }: Pick<ProjectPaths, 'state'>, plan: string): PlanPaths {
  return planPathsIn(join(state, 'plans', checked(plan)));
}

export function planPathsIn(dir: string): PlanPaths {
  const [artifacts, tasks, bundles, reports] = [
    join(dir, 'artifacts'),
    join(dir, 'tasks'),
    join(dir, 'bundles'),
    join(dir, 'reports'),
  ];
  const inputs = join(dir, 'inputs');
  return {
    dir,
    spec: join(inputs, 'spec.md'),
    capabilityMap: join(artifacts, 'capability-map.json'),
    physicalMap: join(artifacts, 'physical-map.json'),
    tasks,
    task: (id) => join(tasks, `${checked(id)}.json`),
    bundle: (id) => join(bundles, `${checked(id)}-bundle.json`),
    result: (id) => join(bundles, `${checked(id)}-result.json`),
    diff: (id) => join(bundles, `${checked(id)}.diff`),
    bundles,
    context: join(inputs, 'context.json'),
    report: join(reports, 'task-validation-report.md'),
    verdict: join(reports, 'task-validation.json'),
    state: join(dir, 'state.json'),
    checkpoint: join(dir, 'checkpoint.json'),
    activity: join(dir, 'activity.log'),
    stop: join(dir, 'STOP'),
    folders: [inputs, artifacts, tasks, reports, bundles],
  };
}

/** Names are checked where they enter, and here where they become a path. */
function checked(name: string): string {
  if (!isSafeId(name)) throw new Error(`'${name}' is not a name`);
  return name;
}
