import { err, ok, type Result } from '../../lib/result.ts';
import type { Bundle } from '../../model/plan/bundle.ts';
import type { CapabilityMap } from '../../model/plan/capability-map.ts';
import type { PhysicalMap } from '../../model/plan/physical-map.ts';
import type { Problem } from '../../model/schemas/problem.ts';
import { refusalOfProblems, type Refusal } from '../refusal.ts';
import type { Tutti } from '../tutti.ts';
import type { FoundPlan } from './find-plan.ts';
import { refuseGoneFiles } from '../plan-files/kept-files.ts';
import { type CheckedTasks, readPlan, readSpec } from '../plan-files/load-plan.ts';
import { readPlanContext } from '../plan-files/plan-context.ts';
import { takeEditsCommand } from '../../model/plan/take-edits.ts';
import type { TaskPlaces } from './agent-led/parked-tasks.ts';
import { conductingRuns } from './agent-led/plan-status.ts';
import { factsOfPlan } from './facts-of-plan.ts';

/** What bundles are made from: the files of the plan as they are now, read and checked. */
export interface PlanSources {
  readonly capabilityMap: CapabilityMap;
  readonly physicalMap: PhysicalMap;
  readonly tasks: CheckedTasks;
  readonly constraints: Pick<Bundle['constraints'], 'tech_stack' | 'project_context'>;
  readonly checksums: Omit<Bundle['checksums'], 'task'>;
}

export async function planSources(
  tutti: TaskPlaces & Pick<Tutti, 'queries' | 'paths' | 'env'>,
  { plan, paths }: FoundPlan,
): Promise<Result<PlanSources, Refusal>> {
  const gone = refuseGoneFiles(tutti, plan);
  if (gone !== null) return err(gone);
  const spec = readSpec(paths.dir);
  if (!spec.ok) return err(await wrong(tutti, spec.error, plan.name));
  const facts = await factsOfPlan(tutti.queries, plan, paths, { specText: spec.value, sequenced: true });
  const read = readPlan(paths.dir, facts);
  if (!read.ok) return err(await wrong(tutti, read.error, plan.name));
  const { capabilityMap, physicalMap, tasks } = read.value;
  return ok({
    capabilityMap: capabilityMap.value,
    physicalMap: physicalMap.value,
    tasks,
    constraints: {
      tech_stack: plan.stack,
      // Its path and not its text: it is the same for every task, and an agent may need none of it.
      project_context: readPlanContext(paths) === null ? '' : paths.context,
    },
    checksums: {
      capability_map: capabilityMap.digest,
      physical_map: physicalMap.digest,
      spec: plan.specChecksum ?? '',
    },
  });
}

async function wrong(tutti: TaskPlaces, problems: readonly Problem[], plan: string): Promise<Refusal> {
  const command = takeEditsCommand(plan, await conductingRuns(tutti, plan));
  return refusalOfProblems(problems, `fix it, then: ${command}`);
}
