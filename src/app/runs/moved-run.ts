import { isObject, type Json } from '../../lib/json.ts';
import { isWithin } from '../../lib/path-below.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { shellWord } from '../../lib/shell-word.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { Run } from '../../model/run.ts';
import { realOf } from '../../workspace/trust-root.ts';
import { refusal, type Refusal } from '../refusal.ts';
import type { HostParts } from '../host/host-parts.ts';
import { familyOf } from '../../model/family.ts';

type Known = Pick<HostParts, 'queries' | 'paths'>;

/**
 * Why a run may not be advanced as it is: it was started in another folder, from which the project was moved or copied, and
 * would work there. Null: it was started here.
 */
export async function faultOfMoved(tutti: Known, runId: string): Promise<Refusal | null> {
  const run = await tutti.queries.run(runId);
  // What is to end works nowhere.
  const from = run === null || run.cancelled ? null : await folderBefore(tutti, run);
  if (from === null) return null;
  const message = `run ${runId} was started in ${oneLine(from, 300)}, and this project is another folder now`;
  return refusal('UNAVAILABLE', message, `continue it here: tutti resume ${runId}`);
}

/** The input of a run that was started in another folder, for this one; null: it was started here. */
export async function inputForHere(tutti: Known, run: Run): Promise<Result<Json, Refusal>> {
  const from = await folderBefore(tutti, run);
  const input = await tutti.queries.input(run.id);
  if (from === null || !isObject(input)) return ok(null);
  const { root } = tutti.paths;
  const moved = familyOf(run).movedTo(input, root);
  if (moved !== null) return ok(moved);
  // The repository of a plan and its workspaces belong to the folder by its path.
  const message = `run ${run.id} belongs to a plan of ${oneLine(from, 300)}, and its workspaces to that folder`;
  const back = `mv ${shellWord(root)} ${shellWord(from)}`;
  return err(refusal('UNAVAILABLE', message, `move the project back, then resume: ${back}`));
}

/** The project's folder when the run was started, where that is not this one; null: it is, or the input does not say. */
async function folderBefore({ queries, paths }: Known, run: Run): Promise<string | null> {
  // A trial of a driver keeps its state beside the folder that it works in, and not in the project: nothing was moved.
  if (!isWithin(paths.root, paths.state)) return null;
  const input = await queries.input(run.id);
  if (!isObject(input)) return null;
  const from = familyOf(run).startedIn(input);
  if (from === null || from === paths.root) return null;
  return realOf(from) === realOf(paths.root) ? null : from;
}
