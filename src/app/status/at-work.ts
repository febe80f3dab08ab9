import type { Entry } from '../../model/entry.ts';
import { isLaunchable } from '../../model/entry.ts';
import { isAtWork } from '../../model/session-now.ts';
import { launcherFacts } from '../../runtime/launcher-facts.ts';
import { folderOf, markOf } from '../host/place.ts';
import type { ProjectPaths } from '../project.ts';
import { advancingHolder, type ShownHolderFacts } from './living-holder.ts';

interface Places extends ShownHolderFacts {
  readonly paths: ProjectPaths;
}

/** Keys of launched entries on which a process works. The others ended, or vanished, with no process to record it. */
export function findAtWork(places: Places, runId: string, entries: readonly Entry[]): ReadonlySet<string> {
  const launched = entries.filter(({ state }) => state.at === 'launched');
  if (launched.length === 0) return new Set();
  const run = places.queries.run(runId);
  const held = run !== null && advancingHolder(places, run) !== null;
  return new Set(launched.filter((entry) => works(places, runId, entry, held)).map(({ key }) => key));
}

function works({ paths, processes }: Places, runId: string, entry: Entry, held: boolean): boolean {
  const { key, kind, attempt, spec, sessionId } = entry;
  if (held || !isLaunchable(kind)) return held;
  const launched = { runId, key, attempt, kind, spec, sessionId, deadlineAt: null };
  const facts = launcherFacts(folderOf({ paths }, launched), markOf({ paths }, launched), processes);
  return isAtWork(facts, { held });
}
