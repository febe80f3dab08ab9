import { recorded } from '../../../lib/json.ts';
import type { Completion } from '../../../model/entry.ts';
import type { Bundle } from '../../../model/plan/bundle.ts';
import { logActivity } from '../activity-log.ts';
import { missingFiles, writeBundle } from '../bundle-file.ts';
import { planPathsOf } from '../paths.ts';
import { done } from './completions.ts';
import type { PlanHostTask } from './plan-host-task.ts';

/** Writes the bundle that the workflow made; where it is. */
export async function taskBundle({ parts, args }: PlanHostTask): Promise<Completion> {
  const { plan, bundle } = recorded<{ readonly plan: string; readonly bundle: Bundle }>(args);
  const paths = planPathsOf(parts.paths, plan);
  writeBundle(parts, paths, bundle);
  const missing = missingFiles(bundle);
  if (missing.length > 0) {
    const message = `${bundle.task_id}: earlier tasks did not leave ${missing.join(', ')}`;
    await logActivity(parts, paths, { level: 'WARN', agent: 'orchestrator', event: 'bundle', message });
  }
  return done(paths.bundle(bundle.task_id));
}
