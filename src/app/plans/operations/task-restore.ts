import { existsSync } from 'node:fs';
import type { RestoredFiles } from '../../../model/plan/execute-parts.ts';
import { setTree } from '../../../workspace/restore.ts';
import { done, failed } from '../../host/completions.ts';
import type { OperationCall, OperationEnd } from '../../host/operation-call.ts';

/** Sets back what a verifier changed: it judges work, and the work that lands is the work that was judged. */
export async function taskRestore({
  args: { target, workspace, tree },
}: OperationCall<'task-restore'>): Promise<OperationEnd<RestoredFiles>> {
  if (!existsSync(workspace.root)) return done({ restored: [] });
  const restored = await setTree(target, workspace, tree);
  return restored.ok ? done({ restored: restored.value }) : failed(restored.error);
}
