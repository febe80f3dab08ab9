import { existsSync } from 'node:fs';
import { makePrivateFolder, replaceFile } from '../../../lib/atomic-file.ts';
import { contentAddress } from '../../../lib/digest.ts';
import { isSafeName } from '../../../lib/ids.ts';
import { err, ok, type Result } from '../../../lib/result.ts';
import { blankPlan, type PlanRecord, type ProjectType } from '../../../model/plan/plan-record.ts';
import { withSpec } from '../../../model/plan/plan-transitions.ts';
import { refuseFolder } from '../../confinement.ts';
import { decidePlanChange } from '../../people/decide-plan-change.ts';
import { refusal, type Refusal } from '../../refusal.ts';
import { projectTrust } from '../../trust/project-trust.ts';
import type { Tutti } from '../../tutti.ts';
import { readSpec } from '../../plan-files/load-plan.ts';
import { type PlanPaths, planPathsOf } from '../../plan-files/plan-paths.ts';
import { readPlanContext, savePlanContext } from '../../plan-files/plan-context.ts';
import { discover } from '../../discovery/discover.ts';
import { lookForType } from '../../discovery/look-at-project.ts';
import { userPreferences } from '../../discovery/preferences.ts';
import { changePlan } from './change-and-show.ts';

export interface PlanRequest {
  readonly name: string;
  /** Absolute; null: as it is, or the project for a plan that is new. */
  readonly targetDir: string | null;
  /** Null: as it is, or as the target looks. */
  readonly projectType: ProjectType | null;
  readonly stack: string | null;
  /** Text of the specification, to be stored word for word; null: as it is. */
  readonly spec: string | null;
}

export interface InitialisedPlan {
  readonly plan: PlanRecord;
  readonly paths: PlanPaths;
  readonly isNew: boolean;
}

const maxSpecBytes = 16 * 1024 * 1024;

/**
 * Makes a plan's record and its folders, all of them: agents make none. Done again it changes only what is said again. The
 * specification is stored as it is; another one than before takes back what stood on it.
 */
export async function initPlan(
  tutti: Tutti,
  request: PlanRequest,
): Promise<Result<InitialisedPlan, Refusal>> {
  const before = isSafeName(request.name) ? await tutti.queries.plans.one(request.name) : null;
  const wrong = wrongWith(request, before) ?? refuseFolder(request.targetDir ?? tutti.paths.root, tutti.env);
  if (wrong !== null) return err(wrong);
  const decided =
    before !== null && isOther(before, request)
      ? await decidePlanChange(tutti, before.name, 'change the specification')
      : ok(null);
  if (!decided.ok) return decided;
  const plan = before ?? planOf(tutti, request);
  if (plan.projectType === 'existing' && !existsSync(plan.targetDir)) return err(noTarget(plan.targetDir));
  const paths = planPathsOf(tutti.paths, plan.name);
  makePrivateFolder(paths.dir);
  for (const folder of paths.folders) makePrivateFolder(folder);
  if (request.spec !== null) replaceFile(paths.spec, request.spec);
  if (before === null) await tutti.store.createPlan(plan);
  const spec = readSpec(paths.dir);
  const changed = await changePlan(tutti, plan.name, 'look at it: tutti plan status', (record) =>
    ok({
      ...(spec.ok ? withSpec(record, contentAddress(spec.value)) : record),
      projectType: request.projectType ?? record.projectType,
      stack: request.stack ?? record.stack,
    }),
  );
  if (!changed.ok) return changed;
  lookAround(tutti, paths, changed.value, spec.ok ? spec.value : '');
  return ok({ plan: changed.value, paths, isNew: before === null });
}

/** Whether it would make something else of a plan that exists. */
function isOther(before: PlanRecord, { spec, projectType, stack }: PlanRequest): boolean {
  return (
    (spec !== null && contentAddress(spec) !== before.specChecksum) ||
    (projectType ?? before.projectType) !== before.projectType ||
    (stack ?? before.stack) !== before.stack
  );
}

/** What can be said of a request without any project: a mistake must not make one. */
export function wrongWith(
  { name, targetDir, spec, projectType }: PlanRequest,
  before: PlanRecord | null = null,
): Refusal | null {
  if (!isSafeName(name)) {
    const message = `'${name.slice(0, 80)}' is not a name for a plan: letters, digits, - and _`;
    return refusal('USAGE', message, 'give it one: tutti plan init --plan NAME');
  }
  if (before !== null && targetDir !== null && before.targetDir !== targetDir) {
    const message = `plan ${name} is for ${before.targetDir}, not for ${targetDir}`;
    return refusal('USAGE', message, 'give the new plan another name: --plan NAME');
  }
  if (projectType === 'existing' && targetDir !== null && !existsSync(targetDir)) {
    return noTarget(targetDir);
  }
  if (spec?.trim() === '') {
    return refusal('USAGE', 'the specification is empty', 'name a file that says what to build: --spec FILE');
  }
  if (spec !== null && Buffer.byteLength(spec) > maxSpecBytes) {
    return refusal('USAGE', `the specification is larger than ${maxSpecBytes} bytes`, 'split it into plans');
  }
  return null;
}

function noTarget(dir: string): Refusal {
  return refusal('USAGE', `the target directory ${dir} does not exist`, 'name one that does, or say --new');
}

function planOf({ paths, clock }: Tutti, { name, targetDir, projectType, stack }: PlanRequest): PlanRecord {
  const dir = targetDir ?? paths.root;
  return blankPlan({
    name,
    targetDir: dir,
    projectType: projectType ?? lookForType(dir),
    stack,
    at: clock.wall(),
  });
}

/** Once, before anything is built: what the plan makes must not become a reason to plan otherwise. */
function lookAround(
  { redactor, env, config, paths: { root } }: Tutti,
  paths: PlanPaths,
  { targetDir, projectType }: PlanRecord,
  spec: string,
): void {
  if (readPlanContext(paths) !== null) return;
  const { testCommands } = config.workspace;
  const preferences = userPreferences({ env, root, targetDir }, redactor);
  const { countsCommands } = projectTrust(targetDir, env);
  const found = discover({ targetDir, projectType, spec, testCommands, countsCommands }, redactor);
  savePlanContext(paths, { ...found, waivedCommands: [], preferences });
}
