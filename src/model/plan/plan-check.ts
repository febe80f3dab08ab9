import { problemOfDocument, type WrongDocument } from '../document.ts';
import type { Changes } from './artifact-changes.ts';
import type { PlanVerdict } from './plan-record.ts';
import type { AddedOrder } from './serialise.ts';

/** What a host found where an agent should have written; recorded, because files change and what was seen does not. */
export type PlanCheck = WrongDocument | ValidArtifact;

export type ValidArtifact = { readonly at: 'valid' } & CheckedArtifact;

export interface CheckedArtifact {
  /** Of everything in it. */
  readonly digest: string;
  /** Of what later phases stand on. */
  readonly content: string;
  /** In comparison to what was checked before planning began; null: there was nothing before. */
  readonly changes: Changes | null;
  /** SHA-256 of its file; for tasks empty. */
  readonly checksum: string;
  /** Only of tasks. */
  readonly tasks: CheckedTaskList | null;
}

interface CheckedTaskList {
  readonly total: number;
  readonly phases: number;
  /** Of what decides in which phase each is. */
  readonly shape: string;
  /** Digest of the work of each task, by its id. */
  readonly works: Readonly<Record<string, string>>;
  /** Tasks that own one file and had no order: now they have one. */
  readonly added: readonly AddedOrder[];
}

/** What the verifier left behind. */
export type VerdictCheck =
  | WrongDocument
  | ({ readonly at: 'judged' } & Pick<PlanVerdict, 'verdict' | 'summary' | 'issues'>);

/** Why what an agent wrote does not count, in one sentence; null: it counts. */
export function problemOf(check: PlanCheck | VerdictCheck): string | null {
  switch (check.at) {
    case 'missing':
    case 'invalid':
      return problemOfDocument(check);
    case 'judged':
      return check.verdict === 'BLOCKED' ? `BLOCKED: ${check.summary}` : null;
    case 'valid':
      return null;
  }
}
