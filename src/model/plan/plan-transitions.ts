import { err, ok } from '../../lib/result.ts';
import { isByPerson } from '../run.ts';
import { withoutOrphan } from './checkpoint.ts';
import { findObjections } from './objection.ts';
import { isAtLeast, type PlanPhase } from './phase.ts';
import {
  type Approval,
  type ArtifactName,
  artifactNames,
  fallBack,
  type LoggedUsage,
  type PlanChange,
  type PlanRecord,
  type PlanVerdict,
} from './plan-record.ts';

/** Who plans again from a specification begins with what stands on it. The verdict was about another one. */
export function withSpec(plan: PlanRecord, checksum: string): PlanRecord {
  if (plan.specChecksum === checksum) return plan;
  const next = { ...plan, specChecksum: checksum, checked: {}, verdict: null };
  return plan.phase === 'ingestion' ? next : fallBack(next, 'logical');
}

/** The phase in which each is written. */
const artifactPhases: Readonly<Record<ArtifactName, PlanPhase>> = {
  capability_map: 'logical',
  physical_map: 'physical',
  tasks: 'definition',
};

/**
 * A map has passed its validator. If it is another one than before, what was made from it has to pass again, and the plan
 * is back where it is made.
 */
export function withMap(plan: PlanRecord, name: Exclude<ArtifactName, 'tasks'>, digest: string): PlanRecord {
  const before = plan.checked[name];
  if (before === digest) return plan;
  const later = artifactNames.slice(artifactNames.indexOf(name) + 1);
  const kept = Object.entries(plan.checked).filter(([each]) => !later.some((gone) => gone === each));
  const next = { ...plan, checked: { ...Object.fromEntries(kept), [name]: digest } };
  return before === undefined ? next : fallBack(next, artifactPhases[name]);
}

/**
 * The tasks have passed, and were taken. Other work needs another verdict; the same work in another order keeps the one it
 * has, or sequencing would never end.
 */
export function withTasks(plan: PlanRecord, digest: string, work: 'same' | 'other'): PlanRecord {
  const { checked, verdict } = plan;
  if (checked.tasks === digest) return plan;
  const next = { ...plan, checked: { ...checked, tasks: digest } };
  if (checked.tasks === undefined) return next;
  if (work === 'other') return fallBack(next, 'validation');
  return verdict?.tasks === checked.tasks ? { ...next, verdict: { ...verdict, tasks: digest } } : next;
}

/** Why an artifact may not be checked yet; null: it may. Each is made from those before it. */
export function tooEarly({ phase }: Pick<PlanRecord, 'phase'>, name: ArtifactName): string | null {
  const due = artifactPhases[name];
  return isAtLeast(phase, due) ? null : `the plan is in phase ${phase}, and this belongs to ${due}`;
}

export function withVerdict(plan: PlanRecord, verdict: Omit<PlanVerdict, 'tasks'>): PlanChange {
  const { tasks } = plan.checked;
  if (tasks === undefined) return err('the tasks are not loaded');
  return ok({ ...plan, verdict: { ...verdict, tasks } });
}

/** Why a decision on the plan comes too late; null: it does not. `since`: when the person who decides could last look at it. */
export function decidedSince(
  { name, approval, checked }: Pick<PlanRecord, 'name' | 'approval' | 'checked'>,
  since: number,
): string | null {
  if (approval === null || approval.tasks !== checked.tasks || approval.at <= since) return null;
  return `plan ${name} was ${approval.said} by ${approval.by} meanwhile, and the first decision counts`;
}

/** What a person says holds for the tasks as they are now. A refusal keeps the reasons of those before it. */
export function withApproval(plan: PlanRecord, approval: Omit<Approval, 'tasks' | 'earlier'>): PlanChange {
  const { tasks } = plan.checked;
  if (tasks === undefined || !isAtLeast(plan.phase, 'ready')) {
    return err(`the plan is in phase ${plan.phase}, not ready`);
  }
  // One refusal can be recorded twice: by the command and by the run that asked.
  const earlier = findObjections(plan).filter(({ reason }) => reason !== approval.reason);
  const keeps = approval.said === 'refused' && earlier.length > 0;
  return ok({ ...plan, approval: { ...approval, tasks, ...(keeps ? { earlier } : {}) } });
}

/** A task begins: the plan is being executed, and nothing that was found about an earlier attempt holds any more. */
export function withTaskBegun(plan: PlanRecord, id: string): PlanRecord {
  const next = withoutOrphan(plan, id);
  return next.phase === 'ready' ? { ...next, phase: 'executing' } : fallBack(next, 'executing');
}

/** The first one to ask is remembered, and a person in place of an agent. `by` null: not known, as for a STOP file. */
export function requestHalt(plan: PlanRecord, reason: string, at: number, by: string | null): PlanRecord {
  const { halt } = plan;
  if (halt !== null && (isByPerson(halt.by ?? null) || !isByPerson(by))) return plan;
  const author = by === null ? {} : { by };
  return { ...plan, halt: { reason, requestedAt: at, confirmedAt: halt?.confirmedAt ?? null, ...author } };
}

export function confirmHalt(plan: PlanRecord, running: readonly string[], at: number): PlanChange {
  if (plan.halt === null) return err('it is not halted');
  const [first, ...more] = running;
  if (first !== undefined) {
    return err(
      `${more.length === 0 ? first : `${first} and ${more.length} more`} is still at work, and the plan is halted: ${plan.halt.reason}`,
    );
  }
  return ok({ ...plan, halt: { ...plan.halt, confirmedAt: plan.halt.confirmedAt ?? at } });
}

export function withUsage(plan: PlanRecord, more: LoggedUsage): PlanRecord {
  const { tokensIn, tokensOut, costUsd } = plan.logged ?? { tokensIn: 0, tokensOut: 0, costUsd: 0 };
  return {
    ...plan,
    logged: {
      tokensIn: tokensIn + more.tokensIn,
      tokensOut: tokensOut + more.tokensOut,
      costUsd: costUsd + more.costUsd,
    },
  };
}
