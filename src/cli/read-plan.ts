import { type OpenedProject, type OpenParams, openToRead } from '../app/opened-project.ts';
import { findPlan, type FoundPlan, nameOf, noPlans, projectOfPlan } from '../app/plans/find-plan.ts';
import { hasKeptHistory } from '../app/recovery/kept-history.ts';
import { findLostPlans } from '../app/recovery/lost-plan.ts';
import { refusal, type Refusal } from '../app/refusal.ts';
import type { Result } from '../lib/result.ts';
import type { Outcome } from '../model/outcome.ts';
import type { JsonFlag } from './define-command.ts';
import type { Context } from './context.ts';
import { fail } from './fail.ts';
import { askAboutMoved } from './moved-state.ts';
import { printLines } from './print.ts';
import { ignoreUntrusted, withOpened } from './read-project.ts';

export interface PlanFlags extends JsonFlag {
  readonly plan?: string;
}

type PlanWork<T> = (project: T, found: FoundPlan) => Outcome | Promise<Outcome>;

/** Null: there is no project. */
type Opened<T> = Result<T | null, Refusal>;
type Open<T> = (params: Omit<OpenParams, 'create'>) => Opened<T> | Promise<Opened<T>>;

/** Opens the project of a plan to look at it, wherever one stands, and finds the plan that is meant. */
export function readPlan(
  context: Context,
  flags: PlanFlags,
  work: PlanWork<OpenedProject>,
): Promise<Outcome> {
  return openPlan(openToRead, context, flags, work);
}

/** The same where a project without any plan is no mistake, unless one was named. */
export function lookAtPlan(
  context: Context,
  flags: PlanFlags,
  work: PlanWork<OpenedProject>,
): Promise<Outcome> {
  return openPlanIfAny(openToRead, context, flags, work);
}

/** The same without choosing one. */
export function lookAtPlans(
  context: Context,
  flags: JsonFlag,
  work: (project: OpenedProject) => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  return openProject(openToRead, context, flags, work, () => sayNone(context, flags));
}

export function openPlan<T extends OpenedProject>(
  open: Open<T>,
  context: Context,
  flags: PlanFlags,
  work: PlanWork<T>,
): Promise<Outcome> {
  return openProject(
    open,
    context,
    flags,
    (project) => choose(context, flags, project, work),
    (folder) => fail(context, removedPlans({ ...context, folder }) ?? noPlans(folder), flags.json),
  );
}

export function openPlanIfAny<T extends OpenedProject>(
  open: Open<T>,
  context: Context,
  flags: PlanFlags,
  work: PlanWork<T>,
): Promise<Outcome> {
  if (nameOf(context.env, flags.plan) !== null) return openPlan(open, context, flags, work);
  const choice = async (project: T): Promise<Outcome> =>
    (await project.queries.plans.all()).length === 0 && (await findLostPlans(project)).length === 0
      ? sayNone(context, flags)
      : choose(context, flags, project, work);
  return openProject(open, context, flags, choice, () => sayNone(context, flags));
}

async function choose<T extends OpenedProject>(
  context: Context,
  { json, plan }: PlanFlags,
  project: T,
  work: PlanWork<T>,
): Promise<Outcome> {
  const found = await findPlan(project, plan);
  if (!found.ok) return fail(context, found.error, json);
  const { note } = found.value;
  if (note !== null && !json) context.process.stderr.write(`${note}\n`);
  return work(project, found.value);
}

/** Why a project has no plans any more, and what brings them back; null: it had none. */
export function removedPlans({ folder, env }: Pick<Context, 'folder' | 'env'>): Refusal | null {
  return hasKeptHistory(folder, env)
    ? refusal('USAGE', 'no plans: the state of this project was removed', 'restore its plans: tutti recover')
    : null;
}

function sayNone(context: Context, { json }: PlanFlags): Outcome {
  const { folder, env } = context;
  const removed = removedPlans({ folder: projectOfPlan({ folder, env, plan: undefined }), env });
  const lines =
    removed === null
      ? ['no plans yet; start one: tutti plan SPEC']
      : [removed.message, `  → ${removed.hint}`];
  if (!json) printLines(context, lines);
  return 'SUCCESS';
}

/** Agents call these often: what else goes on in the project is not told. */
async function openProject<T extends OpenedProject>(
  open: Open<T>,
  context: Context,
  { json, plan }: PlanFlags,
  work: (project: T) => Outcome | Promise<Outcome>,
  none: (folder: string) => Outcome,
): Promise<Outcome> {
  const { env, caller } = context;
  const folder = projectOfPlan({ folder: context.folder, env, plan });
  await askAboutMoved({ ...context, folder }, { json });
  const onIgnored = context.reads === true ? ignoreUntrusted(context, json) : undefined;
  const project = await open({ folder, env, caller, pinned: context.pinned ?? false, onIgnored });
  if (!project.ok) return fail(context, project.error, json);
  if (project.value === null) return none(folder);
  return withOpened(context, { json, detach: true }, project.value, work);
}
