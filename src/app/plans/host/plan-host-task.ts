import type { JsonObject } from '../../../lib/json.ts';
import type { Completion } from '../../../model/entry.ts';
import type { LaunchedAttempt } from '../../../model/ports/host.ts';
import type { HostParts } from '../../host/host-parts.ts';

/** What a host task of plans is told. It may be run again after a crash, so doing it twice is doing it once. */
export interface PlanHostTask {
  readonly parts: HostParts;
  readonly attempt: LaunchedAttempt;
  readonly args: JsonObject;
  readonly workspace: string;
  readonly how: 'launch' | 'adopt';
  readonly signal: AbortSignal;
}

export type PlanHostTasks = Readonly<Record<string, (task: PlanHostTask) => Promise<Completion>>>;
