import type { BaseCheck, BaseFacts, BaseRun } from './base-check.ts';
import type { HandEdits, HandPhases } from './hand-edits.ts';
import type { PlanPhase } from './phase.ts';
import type { PlanCheck, VerdictCheck } from './plan-check.ts';
import type { Approval, ArtifactName, Made, PlanRecord } from './plan-record.ts';

/** Operations of the workflow `plan`. `plan-verdict-begin` belongs to the part `validation/begin`, and so on. */
export interface PlanningOperations {
  /** Compares the specification with the one that planning began with, and lets the plan continue. */
  readonly 'plan-ingest': {
    readonly args: InPlan & { readonly checksum: string };
    /** `finding`: the problem, for people. */
    readonly result: StoredPlan | { readonly problem: string; readonly finding: string };
  };
  /** What the plan's tasks will begin with. */
  readonly 'plan-base': { readonly args: InPlan; readonly result: BaseFacts };
  /** Runs setup and the project's own commands on the base. */
  readonly 'plan-base-run': {
    readonly args: InPlan & BaseCheck & { readonly commands: readonly string[]; readonly timeoutMs: number };
    readonly result: BaseRun;
  };
  /** Records what a person said about the base. */
  readonly 'plan-base-record': { readonly args: InPlan & BaseCheck; readonly result: null };
  /** Validates what an agent or a person wrote, and makes it count. */
  readonly 'plan-check': { readonly args: CheckArgs; readonly result: PlanCheck };
  /** Puts task files back that an agent's turn wrote out again without changing the work. */
  readonly 'plan-edits-settle': {
    readonly args: EditsArgs | (PhasesArgs & { readonly edits: HandEdits; readonly sequenced: true });
    /** Tasks of people that the agent has changed. */
    readonly result: { readonly overwritten: readonly string[] };
  };
  /** Finds phases that people chose and that do not fit. */
  readonly 'plan-phases-contested': {
    readonly args: PhasesArgs;
    /** `as`: digest of a copy of the task files as they are; null: they are no tasks. */
    readonly result: { readonly contested: readonly string[]; readonly as: string | null };
  };
  /** Makes tasks what a person made of them again. */
  readonly 'plan-edits-keep': {
    readonly args: InPlan & { readonly base: string; readonly ids: readonly string[] };
    readonly result: null;
  };
  /** Takes a plan whose tasks were refused back to where tasks are made: its files are an agent's from now on. */
  readonly 'plan-tasks-begin': { readonly args: InPlan; readonly result: null };
  /** Puts away what an earlier verifier said. */
  readonly 'plan-verdict-begin': { readonly args: InPlan; readonly result: null };
  /** Reads what the verifier said. */
  readonly 'plan-verdict-check': { readonly args: InPlan; readonly result: VerdictCheck };
  /** Makes a verdict count for the tasks as they are now. */
  readonly 'plan-verdict-record': {
    readonly args: InPlan & { readonly verdict: Judged };
    readonly result: null;
  };
  /** What a person has said of exactly these tasks; null: nothing. */
  readonly 'plan-approval-standing': {
    readonly args: InPlan & { readonly tasks: string };
    readonly result: Approval | null;
  };
  readonly 'plan-approval-record': { readonly args: InPlan & Approval; readonly result: null };
}

interface InPlan {
  readonly plan: string;
}

/** What the record of a plan said when a round of planning began. */
export type StoredPlan = Pick<PlanRecord, 'phase' | 'verdict'> & {
  readonly made: NonNullable<PlanRecord['made']>;
};

export type Judged = Extract<VerdictCheck, { at: 'judged' }>;

interface CheckArgs extends InPlan {
  readonly artifact: ArtifactName;
  /** The phase that it closes: tasks are looked at in two. */
  readonly phase: Extract<PlanPhase, 'logical' | 'physical' | 'definition' | 'sequencing'>;
  /** Digest of what it is compared with. */
  readonly before: string | null;
  /** Digest of the capability map that it must have been made from. */
  readonly capabilities?: string;
  /** Digest of a capability map that it may have been made from, if the content is the same. */
  readonly same?: string | null;
  /** Work of each task when it was verified. */
  readonly works?: Readonly<Record<string, string>>;
  /** Digest of the tasks then. */
  readonly verified?: string;
  /** The work that left it. */
  readonly made?: Made;
}

/** After a turn of the author. */
interface EditsArgs extends InPlan {
  /** Digest of the tasks to compare with: what is the same work as there … */
  readonly same: string;
  /** … is put back as it stands in these, byte for byte, phase included. */
  readonly as: string;
  readonly edits: HandEdits;
  readonly sequenced: false;
}

/** After a turn of the auditor. */
export interface PhasesArgs extends InPlan {
  /** Digest of the tasks when they were last put in order: the same work as there keeps its phase. Null: they never were. */
  readonly same: string | null;
  /** Digest of the tasks as they were before the auditor's turn. */
  readonly as: string;
  /** Digest of the tasks as agents left them before that: what stands in another phase since, a person has moved. */
  readonly since?: string;
  /** Phases that people had chosen before planning began. They count where agents have left the task as it was. */
  readonly chosen?: HandPhases;
  /** Tasks whose phase that person leaves to the auditor. */
  readonly given?: readonly string[];
}
