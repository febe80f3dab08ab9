import { done } from '../../host/completions.ts';
import type { OperationCall, OperationEnd } from '../../host/operation-call.ts';
import { logActivity } from '../../plan-files/activity-log.ts';
import { missingFiles, writeBundle } from '../../plan-files/bundle-file.ts';
import { planPathsOf } from '../../plan-files/plan-paths.ts';

/** Writes the bundle that the workflow made; where it is. */
export async function taskBundle({
  parts,
  args: { plan, bundle },
}: OperationCall<'task-bundle'>): Promise<OperationEnd<string>> {
  const paths = planPathsOf(parts.paths, plan);
  writeBundle(parts, paths, bundle);
  const missing = missingFiles(bundle);
  if (missing.length > 0) {
    const message = `${bundle.task_id}: earlier tasks did not leave ${missing.join(', ')}`;
    await logActivity(parts, paths, { level: 'WARN', agent: 'orchestrator', event: 'bundle', message });
  }
  return done(paths.bundle(bundle.task_id));
}
