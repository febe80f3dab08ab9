import { err, ok, type Result } from '../../lib/result.ts';
import { didYouMean, nearest } from '../../lib/nearest.ts';
import type { PlanRecord } from '../../model/plan/plan-record.ts';
import { planOwner } from '../../model/owner.ts';
import type { Delivery, Target } from '../../model/workspace.ts';
import { deliver, localBranches } from '../../workspace/deliver.ts';
import { integrationBranch } from '../../workspace/refs.ts';
import { currentBranch, firstBranch } from '../../workspace/target.ts';
import { decide } from '../people/decide.ts';
import { refusal, type Refusal } from '../refusal.ts';
import type { Tutti } from '../tutti.ts';
import { faultOfRefusal } from '../plan-record/refused-plan.ts';
import { logActivity } from '../plan-files/activity-log.ts';
import type { FoundPlan } from './find-plan.ts';
import { planStatus } from './agent-led/plan-status.ts';
import { targetOf, unusable } from './agent-led/task-target.ts';

export interface DeliveredPlan {
  readonly delivery: Exclude<Delivery, { at: 'refused' | 'unknown' | 'unrecorded' }>;
  readonly done: number;
  readonly total: number;
  /** How tasks that are not done continue, in words and a command; null: nothing is left to do. */
  readonly next: string | null;
}

/**
 * `tutti land`: the one command that writes into the operator's checkout. A refused plan is not landed. `into`: the branch that is
 * meant; without it, the plan's first one. `waits`: called with a sentence when another process lands, and this one waits.
 */
export async function deliverPlan(
  tutti: Tutti,
  { plan, paths }: FoundPlan,
  into: string | undefined,
  waits: (sentence: string) => void,
): Promise<Result<DeliveredPlan, Refusal>> {
  const refused = faultOfRefusal(plan, landCommand(plan.name, into));
  if (refused !== null) return err(refused);
  const counts = await tutti.queries.plans.counts(plan.name);
  const done = counts.done ?? 0;
  if (done === 0) {
    const message = `no task of plan ${plan.name} is done, so there is nothing to land`;
    const next = await describeNext(tutti, plan, false);
    const look = `see how it stands: tutti plan status --plan ${plan.name}`;
    return err(refusal('FAILURE', message, next === null ? look : `${next}; ${look}`));
  }
  const target = await targetOf(tutti, plan);
  if (!target.ok) return target;
  const moved = into === undefined ? await otherBranch(target.value) : null;
  if (moved !== null) {
    const hint = `if you mean it: ${landCommand(plan.name, moved.current)}; if not: git switch ${moved.first}`;
    return err(refusal('USAGE', branchSentence(plan.name, moved), hint));
  }
  const unknown = into === undefined ? null : await unknownBranch(target.value, into);
  if (unknown !== null) return err(unknown);
  const decided = await decide(tutti, 'land', `plan ${plan.name} into ${plan.targetDir}`);
  if (!decided.ok) return decided;
  const delivery = await deliver(target.value, into === undefined ? { waits } : { into, waits });
  if (!delivery.ok) return err(unusable(delivery.error));
  if (delivery.value.at === 'refused') {
    const { reason, files } = delivery.value;
    const named =
      files.length === 0 ? '' : `: ${files.slice(0, 10).join(', ')}${files.length > 10 ? ', …' : ''}`;
    // That branch is refused each time.
    const branch = into === integrationBranch(target.value.owner) ? undefined : into;
    return err(refusal('FAILURE', `${reason}${named}`, `then again: ${landCommand(plan.name, branch)}`));
  }
  if (delivery.value.at === 'unrecorded') return err(refuseUnrecorded(target.value, delivery.value));
  if (delivery.value.at === 'unknown' && (await landsInWorkspaces(tutti, plan.name))) {
    const message = `the landed work of plan ${plan.name} is not in ${target.value.state}; were HOME or XDG_STATE_HOME different when it was executed?`;
    const branch = integrationBranch(planOwner(plan.name));
    const hint =
      target.value.kind === 'git' ? `your repository may still have it: git log ${branch}` : 'tutti doctor';
    return err(refusal('UNAVAILABLE', message, hint));
  }
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const brought = delivery.value.at === 'unknown' ? ({ at: 'nothing' } as const) : delivery.value;
  const message =
    brought.at === 'nothing' ? 'nothing to bring' : `delivered ${brought.commit} for ${decided.value.by}`;
  await logActivity(tutti, paths, { level: 'INFO', agent: 'orchestrator', event: 'land', message });
  const next = done < total ? await describeNext(tutti, plan, true) : null;
  return ok({ delivery: brought, done, total, next });
}

/** The next command for the tasks that are not done: while a run works on them, it is not `tutti execute`. */
async function describeNext(tutti: Tutti, plan: PlanRecord, isDelivered: boolean): Promise<string | null> {
  const { next } = await planStatus(tutti, plan, { isDelivered });
  if (next === null) return null;
  if (next === 'tutti inbox') return `answer what is asked: ${next}`;
  const isAtWork = next.startsWith('tutti status ');
  return `${isAtWork ? 'wait for the run that works on them' : 'continue'}: ${next}`;
}

/** Another program moved the branch. A person who wants what is there merges it. */
function refuseUnrecorded(
  { owner, kind, gitDir }: Target,
  { how, commit }: Pick<Extract<Delivery, { at: 'unrecorded' }>, 'how' | 'commit'>,
): Refusal {
  const [branch, name] = [integrationBranch(owner), commit.slice(0, 12)];
  const why = how === 'missing' ? `commit ${name} is missing` : `it has commit ${name}`;
  const message = `${branch} is not what Tutti landed: ${why}`;
  if (how === 'shown')
    return refusal(
      'FAILURE',
      message,
      `take it with git merge ${branch}, or drop it with git branch -D ${branch}`,
    );
  const look = `look at it: git --git-dir ${gitDir} log ${branch}`;
  const merge = kind === 'git' && how === 'foreign' ? `; if you want it: git merge ${branch}` : '';
  return refusal('FAILURE', message, `${look}${merge}`);
}

/** Work by hand is in the operator's folder already; all other work came out of workspaces. */
async function landsInWorkspaces({ queries }: Tutti, plan: string): Promise<boolean> {
  return (await queries.plans.tasks(plan)).some(
    ({ state }) => state.at === 'done' && state.byHand === undefined,
  );
}

/** The operator has switched branches since the plan began. */
export interface OtherBranch {
  readonly first: string;
  readonly current: string;
}

/** Null: the checkout is on the branch that the plan began on, or that cannot be told. */
export async function switchedBranch(tutti: Tutti, plan: PlanRecord): Promise<OtherBranch | null> {
  const target = await targetOf(tutti, plan);
  return target.ok ? otherBranch(target.value) : null;
}

async function otherBranch(target: Target): Promise<OtherBranch | null> {
  const first = firstBranch(target);
  const current = first === null ? null : await currentBranch(target.root);
  return first === null || current === null || first === current ? null : { first, current };
}

export function branchSentence(plan: string, { first, current }: OtherBranch): string {
  return `plan ${plan} began on branch ${first}, and your checkout is on ${current}`;
}

async function unknownBranch(target: Target, into: string): Promise<Refusal | null> {
  if (target.kind === 'folder') return null;
  const branches = await localBranches(target);
  if (branches.includes(into)) return null;
  const meant = nearest(into, branches);
  const hint = meant === null ? 'see which there are: git branch' : landCommand(target.owner.name, meant);
  const message = `${target.root} has no branch '${into.slice(0, 80)}'${didYouMean(into, branches)}`;
  return refusal('USAGE', message, hint);
}

function landCommand(plan: string, into: string | undefined): string {
  return `tutti land --plan ${plan}${into === undefined ? '' : ` --into ${into}`}`;
}
