import { existsSync } from 'node:fs';
import { digestText } from '../../../lib/digest.ts';
import type { RestoredFiles } from '../../../model/plan/execute-parts.ts';
import { keepAndSetTree, setTree } from '../../../workspace/restore.ts';
import { done, failed } from '../../host/completions.ts';
import type { OperationCall, OperationEnd } from '../../host/operation-call.ts';

/**
 * Sets back what changed while a verifier judged: the work that lands is the work that was judged. What changed before
 * its turn is not the verifier's doing: it is kept first.
 */
export async function taskRestore({
  parts,
  attempt: { runId },
  args: { target, workspace, tree, begins },
}: OperationCall<'task-restore'>): Promise<OperationEnd<RestoredFiles>> {
  if (!existsSync(workspace.root)) return done({ restored: [] });
  if (begins !== undefined) {
    // An earlier release began that turn: what the workspace holds now may be later work.
    if ((await parts.queries.entry(runId, begins)) !== null) return done({ restored: [] });
    const name = `${workspace.task}-${workspace.attempt}-before-${digestText(begins).slice(0, 8)}`;
    const kept = await keepAndSetTree(target, workspace, tree, name);
    if (!kept.ok) return failed(kept.error);
    if (kept.value === null) return done({ restored: [] });
    return done({ restored: kept.value.paths, before: { ref: kept.value.ref } });
  }
  const restored = await setTree(target, workspace, tree);
  if (!restored.ok) return failed(restored.error);
  const { paths, changed } = restored.value;
  return done({ restored: paths, judged: changed });
}
