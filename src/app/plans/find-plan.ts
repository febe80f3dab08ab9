import { existsSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { isSafeName } from '../../lib/ids.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import type { PlanRecord } from '../../model/plan/plan-record.ts';
import { didYouMean } from '../../lib/nearest.ts';
import { refuseLostPlan } from '../recovery/lost-plan.ts';
import { refusal, type Refusal } from '../refusal.ts';
import type { Environment } from '../opened-project.ts';
import type { Tutti } from '../tutti.ts';
import { type PlanPaths, planPathsOf } from '../plan-files/plan-paths.ts';

export interface PlanChoice {
  readonly folder: string;
  readonly env: Environment;
  /** `--plan`: a name, or the directory of a plan. */
  readonly plan?: string | undefined;
}

/**
 * The folder whose project a command about plans belongs to. A worktree has no `.tutti`, so whoever works in one is told
 * the plan's directory; after that counts where one stands, and last the project of the session one is in.
 */
export function projectOfPlan({ folder, env, plan }: PlanChoice): string {
  const named = plan !== undefined && isDirectory(plan) ? placeIn(resolve(folder, plan)) : null;
  const told = named ?? placeIn(env['TUTTI_PLAN_DIR'] ?? '');
  if (told !== null) return told.root;
  const project = env['TUTTI_PROJECT'];
  if (project === undefined || !isAbsolute(project) || isProject(folder)) return folder;
  return existsSync(join(project, '.tutti', 'tutti.db')) ? project : folder;
}

export interface FoundPlan {
  readonly plan: PlanRecord;
  readonly paths: PlanPaths;
  /** When nobody said which: how it was chosen. */
  readonly note: string | null;
}

/** The plan that was named, else the one of the session, else the only one, else the newest. */
export async function findPlan(
  tutti: Pick<Tutti, 'queries' | 'paths' | 'env'>,
  plan?: string,
): Promise<Result<FoundPlan, Refusal>> {
  const name = nameOf(tutti.env, plan);
  if (name !== null) {
    const found = isSafeName(name) ? await tutti.queries.plans.one(name) : null;
    return found === null ? err(await unknownPlan(tutti, name)) : ok(foundPlan(tutti, found, null));
  }
  const [newest, ...others] = await tutti.queries.plans.all();
  if (newest === undefined) return err((await refuseLostPlan(tutti, null)) ?? noPlans(tutti.paths.root));
  const note = `of ${others.length + 1} plans, ${newest.name} changed last; --plan NAME names another`;
  return ok(foundPlan(tutti, newest, others.length === 0 ? null : note));
}

/** What `--plan` or the session says; null: nobody said. */
export function nameOf(env: Environment, plan: string | undefined): string | null {
  if (plan !== undefined) return isDirectory(plan) ? basename(resolve('/', plan)) : plan;
  return placeIn(env['TUTTI_PLAN_DIR'] ?? '')?.name ?? null;
}

function foundPlan({ paths }: Pick<Tutti, 'paths'>, plan: PlanRecord, note: string | null): FoundPlan {
  return { plan, paths: planPathsOf(paths, plan.name), note };
}

export function noPlans(root: string): Refusal {
  return refusal(
    'USAGE',
    `there is no plan in ${root}`,
    'begin one: tutti plan SPEC (or by hand: tutti plan init DIR --spec FILE)',
  );
}

export async function unknownPlan(tutti: Pick<Tutti, 'queries' | 'paths'>, name: string): Promise<Refusal> {
  const lost = await refuseLostPlan(tutti, name);
  if (lost !== null) return lost;
  const known = (await tutti.queries.plans.all()).map((plan) => plan.name);
  const message = `there is no plan '${name.slice(0, 80)}'${didYouMean(name, known)}`;
  return refusal('USAGE', message, 'see which there are: tutti plan list');
}

/** Names have no slash. */
function isDirectory(plan: string): boolean {
  return plan.includes('/');
}

/** `<project>/.tutti/plans/<plan>`, or null: it is no such directory. */
function placeIn(dir: string): { readonly root: string; readonly name: string } | null {
  if (!isAbsolute(dir)) return null;
  const plans = dirname(resolve(dir));
  const state = dirname(plans);
  if (basename(plans) !== 'plans' || basename(state) !== '.tutti') return null;
  return { root: dirname(state), name: basename(resolve(dir)) };
}

function isProject(folder: string): boolean {
  const up = dirname(folder);
  return existsSync(join(folder, '.tutti', 'tutti.db')) || (up !== folder && isProject(up));
}
