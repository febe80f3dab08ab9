import { existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { err, ok, type Result } from '../../lib/result.ts';
import type { CallerFacts } from '../../model/ports/caller.ts';
import { decide } from '../people/decide.ts';
import { outsideProject } from '../people/outside-project.ts';
import { refusal, type Refusal } from '../refusal.ts';
import type { Variables } from '../state-folder.ts';
import { movePlanCopies } from '../plan-files/kept-files.ts';
import { makeState, markBeforeMove, stateOrigin } from '../trust/state-mark.ts';
import { lookAtState, type SeenState } from './foreign-state.ts';
import { separateCopy } from './separate-copy.ts';

/** Who decides about trust, and whose record it is. */
export interface TrustGiver {
  readonly caller: CallerFacts;
  readonly env: Variables;
}

/** Uses the `.tutti/` of a project that was not made in this place, as it was shown to a person. */
export async function useState(
  { caller, env }: TrustGiver,
  { paths, runs }: SeenState,
): Promise<Result<null, Refusal>> {
  const decided = await decide(outsideProject(caller, paths.root), 'trust', `use ${paths.state}`);
  if (!decided.ok) return decided;
  if (!isDeepStrictEqual((await lookAtState(paths.root, env)).runs, runs)) {
    const message = `${paths.state} changed while you were asked about it`;
    return err(refusal('USAGE', message, 'look at it again: tutti trust --state'));
  }
  const origin = stateOrigin(paths, env);
  const before = markBeforeMove(paths, env);
  makeState(paths, env);
  // What was moved keeps its processes; of a copy they belong to the original.
  const isMoved = origin.from === 'elsewhere' && !existsSync(origin.made);
  if (!isMoved) separateCopy(paths.state);
  if (before !== null) movePlanCopies({ paths, env }, before);
  return ok(null);
}
