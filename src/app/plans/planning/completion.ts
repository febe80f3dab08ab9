import { type Json, plain } from '../../../lib/json.ts';
import { failure } from '../../../model/failure.ts';
import type { Completion } from '../../../model/entry.ts';
import type { PlanCheck, VerdictCheck } from '../../../model/plan/plan-check.ts';
import type { HostParts } from '../../host/host-parts.ts';
import { logActivity } from '../activity-log.ts';
import type { PlanPaths } from '../paths.ts';

/** Orchestrator lines of `activity.log`. */
export async function log(
  parts: HostParts,
  paths: PlanPaths,
  event: 'validation' | 'phase-transition' | 'spawn-complete' | 'start',
  message: string,
  level: 'INFO' | 'WARN' = 'INFO',
): Promise<void> {
  await logActivity(parts, paths, { level, agent: 'orchestrator', event, message });
}

export function done(value: PlanCheck | VerdictCheck | Json): Completion {
  return { at: 'done', outcome: 'SUCCESS', value: plain(value) };
}

export function failed(message: string): Completion {
  return { at: 'failed', failure: failure('error', message) };
}
