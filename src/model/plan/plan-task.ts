import type { SpecRef } from './capability-map.ts';

/** A node of the plan's graph: `tasks/T001.json`. Member names are the document's. */
export interface PlanTask {
  readonly id: string;
  readonly name: string;
  /** 1: foundations, 2: the steel thread, 3 and more: features. */
  readonly phase: number;
  readonly task_type: TaskType;
  readonly context: {
    readonly domain: string;
    readonly capability: string;
    readonly spec_ref: SpecRef;
    readonly spec_requirements: readonly string[];
    readonly steel_thread: boolean;
  };
  readonly behaviors: readonly string[];
  readonly files: readonly TaskFile[];
  readonly dependencies: { readonly tasks: readonly string[]; readonly external: readonly string[] };
  readonly acceptance_criteria: readonly AcceptanceCriterion[];
  readonly estimate_hours: number;
}

export type TaskType = 'feature' | 'refactor' | 'bugfix' | 'test';

export const fileActions = ['create', 'modify', 'delete'] as const;

export interface TaskFile {
  /** Relative to the target directory. */
  readonly path: string;
  readonly action: (typeof fileActions)[number];
  readonly purpose: string;
}

export interface AcceptanceCriterion {
  /** A measurable sentence. */
  readonly criterion: string;
  /** A command line that passes or fails; run by Tutti itself, in the workspace. */
  readonly verification: string;
}

/** How the verification is run: it is shell text by its author's will, and nothing is ever put into it. */
export function argvOf({
  verification,
}: Pick<AcceptanceCriterion, 'verification'>): readonly [string, ...string[]] {
  return ['sh', '-c', verification];
}
