import type { HostParts } from '../../host/host-parts.ts';
import { logActivity } from '../../plan-files/activity-log.ts';
import type { PlanPaths } from '../../plan-files/plan-paths.ts';

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
