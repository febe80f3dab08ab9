import { existsSync } from 'node:fs';
import { recorded } from '../../../lib/json.ts';
import type { Completion } from '../../../model/entry.ts';
import type { RestoredFiles } from '../../../model/plan/execute-parts.ts';
import type { Target, Workspace } from '../../../model/plan/workspace.ts';
import { setTree } from '../../../workspace/restore.ts';
import { done, failed } from './completions.ts';
import type { PlanHostTask } from './plan-host-task.ts';

interface RestoreArgs {
  readonly target: Target;
  readonly workspace: Workspace;
  /** What the verifier had to judge. */
  readonly tree: string;
}

/** Sets back what a verifier changed: it judges work, and the work that lands is the work that was judged. */
export async function taskRestore({ args }: PlanHostTask): Promise<Completion> {
  const { target, workspace, tree } = recorded<RestoreArgs>(args);
  const nothing: RestoredFiles = { restored: [] };
  if (!existsSync(workspace.root)) return done(nothing);
  const restored = await setTree(target, workspace, tree);
  if (!restored.ok) return failed(restored.error);
  const value: RestoredFiles = { restored: restored.value };
  return done(value);
}
