import { ok, type Result } from '../../lib/result.ts';
import type { CallerFacts } from '../../model/ports/caller.ts';
import { decide } from '../people/decide.ts';
import { outsideProject } from '../people/outside-project.ts';
import type { ProjectPaths } from '../project.ts';
import type { Refusal } from '../refusal.ts';
import type { Variables } from '../state-folder.ts';
import { makeState } from '../trust/state-mark.ts';

/** Who decides about trust, and whose record it is. */
export interface TrustGiver {
  readonly caller: CallerFacts;
  readonly env: Variables;
}

/** Uses the `.tutti/` of a project that was not made in this place. */
export async function useState(
  { caller, env }: TrustGiver,
  paths: Pick<ProjectPaths, 'root' | 'state'>,
): Promise<Result<null, Refusal>> {
  const decided = await decide(outsideProject(caller, paths.root), 'trust', `use ${paths.state}`);
  if (!decided.ok) return decided;
  makeState(paths, env);
  return ok(null);
}
