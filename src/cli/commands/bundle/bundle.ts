import {
  cleanBundles,
  generateBundles,
  generateReady,
  listBundles,
  validateBundle,
  validateIntegrity,
} from '../../../app/plans/bundles.ts';
import type { FoundPlan } from '../../../app/plans/find-plan.ts';
import type { Refusal } from '../../../app/refusal.ts';
import type { Tutti } from '../../../app/tutti.ts';
import type { Result } from '../../../lib/result.ts';
import { oneLine } from '../../../lib/terminal-text.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Bundle } from '../../../model/plan/bundle.ts';
import type { Context } from '../../context.ts';
import { fail } from '../../fail.ts';
import { type PlanFlags, withPlan } from '../../plan-project.ts';
import { printJson, printLines } from '../../print.ts';
import { counted } from '../../render/counted.ts';

export function generate(flags: PlanFlags, context: Context, id: string): Promise<Outcome> {
  return made(flags, context, (tutti, found) => generateBundles(tutti, found, [id]));
}

export function generateAllReady(flags: PlanFlags, context: Context): Promise<Outcome> {
  return made(flags, context, generateReady);
}

function made(
  flags: PlanFlags,
  context: Context,
  make: (tutti: Tutti, found: FoundPlan) => Result<readonly Bundle[], Refusal>,
): Promise<Outcome> {
  return withPlan(context, flags, (tutti, found) => {
    const bundles = make(tutti, found);
    if (!bundles.ok) return fail(context, bundles.error, flags.json);
    for (const { task_id: id } of bundles.value) {
      const path = found.paths.bundle(id);
      if (flags.json) printJson(context, { task_id: id, path, problem: null });
      else printLines(context, [path]);
    }
    return 'SUCCESS';
  });
}

export function validate(flags: PlanFlags, context: Context, id: string): Promise<Outcome> {
  return checked(flags, context, id, (_tutti, found) => validateBundle(found, id));
}

export function integrity(flags: PlanFlags, context: Context, id: string): Promise<Outcome> {
  return checked(flags, context, id, (tutti, found) => validateIntegrity(tutti, found, id));
}

/** A predicate: 1 when it is not as it should be. */
function checked(
  flags: PlanFlags,
  context: Context,
  id: string,
  check: (tutti: Tutti, found: FoundPlan) => Result<Bundle, Refusal>,
): Promise<Outcome> {
  return withPlan(context, flags, (tutti, found) => {
    const bundle = check(tutti, found);
    if (!bundle.ok) return fail(context, { ...bundle.error, outcome: 'FAILURE' }, flags.json);
    const path = found.paths.bundle(id);
    if (flags.json) printJson(context, { task_id: id, path, problem: null });
    else printLines(context, [`the bundle of ${id} is valid`]);
    return 'SUCCESS';
  });
}

export function list(flags: PlanFlags, context: Context): Promise<Outcome> {
  return withPlan(context, flags, (tutti, found) => {
    for (const { task, path, problem } of listBundles(tutti, found)) {
      if (flags.json) printJson(context, { task_id: task, path, problem });
      else printLines(context, [`${task}  ${problem === null ? path : oneLine(problem)}`]);
    }
    return 'SUCCESS';
  });
}

export function clean(flags: PlanFlags, context: Context): Promise<Outcome> {
  return withPlan(context, flags, (_tutti, found) => {
    const removed = cleanBundles(found);
    if (flags.json) printJson(context, { plan: found.plan.name, removed });
    else printLines(context, [`${counted(removed.length, 'bundle')} removed; results stay`]);
    return 'SUCCESS';
  });
}
