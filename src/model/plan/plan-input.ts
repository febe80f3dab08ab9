import type { AgentSnapshot } from '../flow.ts';
import type { HandEdits, HandPhases } from './hand-edits.ts';
import type { ArtifactName, Objection, ProjectType } from './plan-record.ts';

/** The input of the workflow `plan`: everything it may depend on. */
export interface PlanInput {
  readonly plan: string;
  /** Absolute: agents get it as it is. */
  readonly planDir: string;
  /** Absolute; it need not exist yet. */
  readonly targetDir: string;
  /** Where the agents work: the target, or the project while there is no target. */
  readonly workspace: string;
  readonly projectType: ProjectType;
  readonly stack: string | null;
  /** SHA-256 of the specification, as it was stored word for word. */
  readonly specChecksum: string;
  readonly projectContext: string;
  readonly testCommands: readonly string[];
  /** Commands that a person chose in an earlier round to continue without. Absent: none, or an earlier release. */
  readonly waivedCommands?: readonly string[];
  /** For each command that is run on the base. Absent: a run of an earlier release, whose base was never looked at. */
  readonly commandTimeoutMs?: number;
  /** The user's own instructions, for the verifier. */
  readonly preferences: string;
  readonly agents: Readonly<Record<string, AgentSnapshot>>;
  readonly sessionTimeoutMs: number;
  /** Who approved the plan in advance; null: somebody is asked. */
  readonly approvedBy: string | null;
  /** Goes up with every start: files of agents and people are looked at again, whoever wrote them. */
  readonly round: number;
  /** What had passed, conducted by hand, before any agent of ours was asked. */
  readonly conducted: Readonly<Partial<Record<ArtifactName, string>>>;
  /** What was checked when planning began: what changed is said in comparison to it. */
  readonly before: Readonly<Partial<Record<ArtifactName, string>>>;
  /** SHA-256 of the specification that all that was made from. */
  readonly beforeSpec: string | null;
  /** Task files that people have edited since agents wrote them. Absent: nothing to compare with, or an earlier release. */
  readonly hand?: {
    /** Digest of the copies of all task files as they were when this round began. */
    readonly base: string;
    readonly edits: HandEdits;
    /** Absent: an earlier release. */
    readonly phases?: HandPhases;
  };
  /** Why people refused earlier tasks, oldest first. Absent: no person did, or an earlier release. */
  readonly objections?: readonly Objection[];
  /** The specification in comparison to that one; null: there was none, or it is the same. */
  readonly specDiff: string | null;
}
