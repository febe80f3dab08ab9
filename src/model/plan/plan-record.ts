import { err, ok, type Result } from '../../lib/result.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { BaseCheck } from './base-check.ts';
import { isAtLeast, phaseAfter, type PlanPhase } from './phase.ts';
import type { TaskRow } from './task-row.ts';

/** A plan as the store keeps it. Its artifacts and tasks are files of agents and people; their digests are here. */
export interface PlanRecord {
  readonly name: string;
  /** Absolute. */
  readonly targetDir: string;
  readonly projectType: ProjectType;
  readonly stack: string | null;
  readonly phase: PlanPhase;
  /** Of the specification, as it was stored word for word. */
  readonly specChecksum: string | null;
  /** Digest of each artifact when it last passed its validator. */
  readonly checked: Readonly<Partial<Record<ArtifactName, string>>>;
  /** Which work of Tutti's own agents each artifact is of. */
  readonly made?: Readonly<Partial<Record<ArtifactName, Made>>>;
  /** What was found on the base before anything was planned. Absent: nobody looked. */
  readonly base?: BaseCheck;
  readonly verdict: PlanVerdict | null;
  readonly approval: Approval | null;
  readonly halt: PlanHalt | null;
  readonly checkpoint: Checkpoint | null;
  /** What hosted agents said they used, all together. */
  readonly logged?: LoggedUsage;
  /** Tasks that an edit removed, by id: one that comes back continues from there. Absent: none. */
  readonly removed?: Readonly<Record<string, TaskRow>>;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/**
 * A piece of an agent's work that left an artifact. The files hold one state only: work that was done before and would be
 * found by its key has left nothing there once other work came after it, so what it came after is part of what it is.
 */
export interface Made {
  readonly work: string;
  /** Names the work before it; null: it was the first. */
  readonly from: string | null;
  /** Digest of what it left, for tasks only: what differs from it was changed by a person. Absent: an earlier release. */
  readonly left?: string;
  /** Digest of the tasks as the author or the auditor last left them, phases included. Absent: an earlier release. */
  readonly ordered?: string;
}

export type ProjectType = 'new' | 'existing';

export type ArtifactName = 'capability_map' | 'physical_map' | 'tasks';
export const artifactNames: readonly ArtifactName[] = ['capability_map', 'physical_map', 'tasks'];

/** What the verifier says of the tasks; it holds for exactly these. */
export interface PlanVerdict {
  readonly verdict: 'READY' | 'READY_WITH_NOTES' | 'BLOCKED';
  readonly summary: string;
  readonly issues: readonly string[];
  /** Digest of the tasks it was given for. */
  readonly tasks: string;
  readonly by: string;
  readonly at: number;
}

/** What a person says of the plan; an edited plan must be shown again. */
export interface Approval {
  readonly said: 'approved' | 'refused';
  readonly reason: string | null;
  readonly tasks: string;
  readonly by: string;
  readonly at: number;
  /** Why the same tasks were refused before this refusal, oldest first. Absent: they were not. */
  readonly earlier?: readonly Objection[];
  /** Of the task files when they were refused: only what differs from it was edited since. Absent: an earlier release. */
  readonly files?: string;
}

/** Why a person refused tasks, in that person's words. Who writes and verifies the next tasks gets it. */
export interface Objection {
  readonly reason: string;
  /** When it was said: of two with the same words, each counts. */
  readonly at: number;
}

export interface PlanHalt {
  readonly reason: string;
  readonly requestedAt: number;
  /** Nothing of it runs any more. */
  readonly confirmedAt: number | null;
  /** Who asked for it; absent: not known, which counts as a person. */
  readonly by?: string;
}

/** Tasks that somebody is about to work on, so that a crash leaves a list of whom to look for. */
export interface Checkpoint {
  readonly status: 'active' | 'complete';
  readonly createdAt: number;
  readonly tasks: Readonly<Record<string, 'running' | 'success' | 'failed' | 'orphaned'>>;
}

/** What hosted agents say they used: Tutti cannot know it otherwise. */
export interface LoggedUsage {
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly costUsd: number;
}

export type PlanChange = Result<PlanRecord, string>;

/** A plan at its beginning. */
export function blankPlan({
  name,
  targetDir,
  projectType,
  stack,
  at,
}: Pick<PlanRecord, 'name' | 'targetDir' | 'projectType' | 'stack'> & { readonly at: number }): PlanRecord {
  return {
    name,
    targetDir,
    projectType,
    stack,
    phase: 'ingestion',
    specChecksum: null,
    checked: {},
    verdict: null,
    approval: null,
    halt: null,
    checkpoint: null,
    createdAt: at,
    updatedAt: at,
  };
}

/** The next phase, if what the present one owes is there. A complete plan has nothing left to halt. */
export function advance(
  plan: PlanRecord,
  tasks: { readonly total: number; readonly open: number },
): PlanChange {
  const owed = owedBy(plan, tasks);
  if (owed !== null) return err(owed);
  const next = phaseAfter(plan.phase);
  if (next === null) return err('the plan is complete');
  return ok({ ...plan, phase: next, halt: next === 'complete' ? null : plan.halt });
}

/** What is missing before the present phase is over; null: nothing. */
function owedBy(
  { phase, specChecksum, checked, verdict, approval }: PlanRecord,
  { total, open }: { readonly total: number; readonly open: number },
): string | null {
  const { capability_map, physical_map, tasks } = checked;
  switch (phase) {
    case 'ingestion':
      return specChecksum === null ? 'the specification is not stored yet' : null;
    case 'logical':
      return capability_map === undefined
        ? 'artifacts/capability-map.json has not passed its validation'
        : null;
    case 'physical':
      return physical_map === undefined ? 'artifacts/physical-map.json has not passed its validation' : null;
    case 'definition':
      return tasks === undefined ? 'the tasks are not loaded' : null;
    case 'validation':
      if (verdict === null || verdict.tasks !== tasks) return 'there is no verdict on these tasks';
      return verdict.verdict === 'BLOCKED' ? `the verdict is BLOCKED: ${verdict.summary}` : null;
    case 'sequencing':
      return tasks === undefined ? 'the tasks are not loaded' : null;
    case 'ready':
      return approval?.said === 'approved' && approval.tasks === tasks ? null : 'the plan is not approved';
    case 'executing':
      return open === 0 && total > 0 ? null : `${open} of ${total} tasks are not done`;
    case 'complete':
      return null;
  }
}

/** Why it may not be executed; null: it may. */
export function notExecutable(plan: PlanRecord): string | null {
  if (!isAtLeast(plan.phase, 'ready')) return `the plan is in phase ${plan.phase}, not ready`;
  const refused = describeRefusal(plan);
  if (refused !== null) return refused;
  if (plan.approval?.tasks !== plan.checked.tasks || plan.approval === null)
    return 'the plan is not approved';
  return null;
}

/** Who refused the plan and why, in words; null: it is not refused. */
export function describeRefusal({ approval }: Pick<PlanRecord, 'approval'>): string | null {
  if (approval?.said !== 'refused') return null;
  const { by, reason } = approval;
  return `the plan was refused by ${by}${reason === null ? '' : `: ${oneLine(reason, 300)}`}`;
}

/** Something earlier changed: whatever stood on it must be made or checked again. */
export function fallBack(plan: PlanRecord, phase: PlanPhase): PlanRecord {
  return isAtLeast(phase, plan.phase) ? plan : { ...plan, phase };
}
