import { findPlan, projectOfPlan } from '../../app/plans/find-plan.ts';
import type { Context } from '../context.ts';
import { fromProject } from './ids.ts';

export function planNames(context: Context, partial: string): readonly string[] {
  return fromProject(placeOf(context), partial, ({ queries }) => queries.plans.all().map(({ name }) => name));
}

export function taskIds(context: Context, partial: string): readonly string[] {
  return fromProject(placeOf(context), partial, (tutti) => {
    const found = findPlan(tutti);
    return found.ok ? tutti.queries.plans.nodes(found.value.plan.name).map(({ id }) => id) : [];
  });
}

function placeOf({ folder, env }: Context) {
  return { folder: projectOfPlan({ folder, env }), env };
}
