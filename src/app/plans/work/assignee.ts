import type { HostParts } from '../../host/host-parts.ts';

/** Who works on a task: a run of Tutti, which keeps the plan's checkpoint, or an agent that is conducted from outside. */
export interface Assignee {
  readonly kind: 'run' | 'agent';
  /** Id of the run, or the session or name of the agent. */
  readonly by: string;
}

/** Name of an assignee in the plan's log. */
export function logName({ kind, by }: Assignee): string {
  return kind === 'run' ? 'orchestrator' : by;
}

export type WorkParts = Pick<HostParts, 'store' | 'queries' | 'paths' | 'redactor' | 'clock'>;
