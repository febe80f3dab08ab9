import type { Behavior } from './capability-map.ts';
import type { FileLayer } from './physical-map.ts';
import type { AcceptanceCriterion, PlanTask, TaskFile } from './plan-task.ts';
import type { ChangedFiles, TaskError, Verification } from './task-state.ts';

/** Everything one executor needs, in one file: `bundles/T001-bundle.json`. It sees no other task. */
export interface Bundle {
  readonly version: '1.0';
  readonly task_id: string;
  readonly name: string;
  readonly target_dir: string;
  readonly behaviors: readonly (Behavior & { readonly capability: string; readonly domain: string })[];
  readonly files: readonly (TaskFile & { readonly layer: FileLayer | null })[];
  readonly acceptance_criteria: readonly AcceptanceCriterion[];
  readonly constraints: {
    readonly tech_stack: string | null;
    /** Path of the file with what was found out about the project; empty: there is none. */
    readonly project_context: string;
    readonly external: readonly string[];
  };
  readonly dependencies: { readonly tasks: readonly string[]; readonly files: readonly string[] };
  readonly context: PlanTask['context'];
  /** Of what it was made from: a bundle whose sources changed is not used. */
  readonly checksums: {
    readonly task: string;
    readonly capability_map: string;
    readonly physical_map: string;
    readonly spec: string;
  };
}

/** `bundles/T001-result.json`: written by Tutti, from the agent's own account and what Tutti saw itself. */
export interface TaskResult {
  readonly version: '1.0';
  readonly task_id: string;
  readonly name: string;
  readonly status: 'success' | 'failed';
  readonly started_at: string;
  readonly completed_at: string;
  readonly files: ChangedFiles;
  readonly verification: Verification;
  readonly error: TaskError | null;
  readonly notes: string;
}
