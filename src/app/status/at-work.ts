import type { Entry } from '../../model/entry.ts';
import { isLaunchable } from '../../model/entry.ts';
import { isOver } from '../../model/run.ts';
import { isAtWork } from '../../model/session-now.ts';
import { launcherFacts } from '../../runtime/launcher-facts.ts';
import { folderOf, markOf } from '../host/attempt-folder.ts';
import type { ProjectPaths } from '../project.ts';
import { advancingHolder, type ShownHolderFacts } from './living-holder.ts';

interface Places extends ShownHolderFacts {
  readonly paths: ProjectPaths;
}

/**
 * Whether a process works on a part that was launched; else whether it ended or vanished without a word about its end, and
 * when, as far as its files tell.
 */
export type LaunchedPart =
  | { readonly at: 'work' }
  | { readonly at: 'ended' | 'lost'; readonly stoppedAt: number }
  /** Its launcher vanished: what it started is alive, and nothing reads its result. */
  | { readonly at: 'left'; readonly stoppedAt: number };

/** Keys of launched entries of which a process is alive. The others ended, or vanished, with no process to record it. */
export async function findAtWork(
  places: Places,
  runId: string,
  entries: readonly Entry[],
): Promise<ReadonlySet<string>> {
  const launched = await findLaunched(places, runId, entries);
  return new Set([...launched].filter(([, { at }]) => at === 'work' || at === 'left').map(([key]) => key));
}

/**
 * The parts of a run that were launched and whose end is not recorded, by key; of a run that is being stopped also those that count as
 * interrupted while a process still works on them.
 */
export async function findLaunched(
  places: Places,
  runId: string,
  entries: readonly Entry[],
): Promise<ReadonlyMap<string, LaunchedPart>> {
  const launched = entries.filter(({ state }) => state.at === 'launched');
  const dropped = entries.filter(({ kind, state }) => state.at === 'dropped' && isLaunchable(kind));
  if (launched.length + dropped.length === 0) return new Map();
  const run = await places.queries.run(runId);
  const isStopping = run !== null && run.cancelled && !isOver(run.state);
  const resisting = isStopping
    ? dropped.filter((entry) => ['work', 'left'].includes(lookAt(places, runId, entry, false).at))
    : [];
  const held = run !== null && (await advancingHolder(places, run)) !== null;
  return new Map([
    ...launched.map((entry) => [entry.key, lookAt(places, runId, entry, held)] as const),
    ...resisting.map(({ key }) => [key, { at: 'work' }] as const),
  ]);
}

function lookAt({ paths, processes }: Places, runId: string, entry: Entry, held: boolean): LaunchedPart {
  const { key, kind, attempt, spec, sessionId, openedAt } = entry;
  if (held) return { at: 'work' };
  if (!isLaunchable(kind)) return { at: 'ended', stoppedAt: openedAt };
  const launched = { runId, key, attempt, kind, spec, sessionId, deadlineAt: null };
  const facts = launcherFacts(folderOf({ paths }, launched), markOf({ paths }, launched), processes);
  if (facts.at === 'alive' && facts.isLeft === true)
    return { at: 'left', stoppedAt: Math.max(openedAt, facts.since) };
  if (isAtWork(facts, { held })) return { at: 'work' };
  const stoppedAt = facts.at === 'ended' ? facts.endedAt : facts.at === 'vanished' ? facts.heardAt : 0;
  return { at: facts.at === 'ended' ? 'ended' : 'lost', stoppedAt: Math.max(openedAt, stoppedAt) };
}
