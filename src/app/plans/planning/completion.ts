import { type Json, plain } from '../../../lib/json.ts';
import { failure } from '../../../model/failure.ts';
import type { Completion } from '../../../model/entry.ts';
import { type PlanCheck, problemOf, type VerdictCheck } from '../../../model/plan/plan-check.ts';
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

export function done(value: Json): Completion {
  return { at: 'done', outcome: 'SUCCESS', value };
}

/** What was found in an agent's files. Files that do not count are a failed check, told with what is wrong with them. */
export function checked(check: PlanCheck | VerdictCheck): Completion {
  const finding = problemOf(check);
  if (finding === null) return done(plain(check));
  return { at: 'done', outcome: 'FAILURE', value: plain({ ...check, finding }) };
}

export function failed(message: string): Completion {
  return { at: 'failed', failure: failure('error', message) };
}
