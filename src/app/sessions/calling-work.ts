import { isSafeId } from '../../lib/ids.ts';
import type { Run } from '../../model/run.ts';
import type { Session } from '../../model/session.ts';
import { groupName } from '../../runtime/limits/group.ts';
import { runOfGroup } from '../../runtime/living-attempts.ts';
import { markOf } from '../host/attempt-folder.ts';
import type { Tutti } from '../tutti.ts';
import type { KnownSessions } from './find.ts';

export interface CallingParts extends KnownSessions, Pick<Tutti, 'caller' | 'paths'> {}

/** The work of this project that a command comes from. */
export interface CallingWork {
  /** Every session that a variable names or a control group proves, the proven ones first. */
  readonly sessions: readonly Session[];
  /** Those of them in the tree of runs that the command really comes from. */
  readonly inTree: readonly Session[];
  /** The run of that tree that is named nearest to the command; null: none. */
  readonly run: Pick<Run, 'id' | 'depth'> | null;
}

/** A session, or a command of a run. */
interface Work {
  readonly session: Session | null;
  readonly run: Pick<Run, 'id' | 'depth'>;
  readonly root: string;
}

/**
 * An agent can drop variables or put others in their place, so the processes that it comes from are asked as well: the launcher
 * above it has the true ones. One that left its parents and its environment is still in its control group. Work of another tree
 * of runs is not believed: naming it would make that tree pay, and leave the ceilings of the own one.
 */
export async function findCallingWork(parts: CallingParts): Promise<CallingWork> {
  const proven = await findProvenWork(parts);
  const named = await findNamedWork(parts);
  const root = (proven[0] ?? named.at(-1))?.root;
  const all = [...proven, ...named];
  const inTree = all.filter((work) => work.root === root);
  const sessionsOf = (works: readonly Work[]): readonly Session[] =>
    works.flatMap(({ session }) => session ?? []);
  return { sessions: sessionsOf(all), inTree: sessionsOf(inTree), run: inTree[0]?.run ?? null };
}

/** By control groups, which a process cannot leave without the right to write to them. */
async function findProvenWork({ caller, queries, paths }: CallingParts): Promise<readonly Work[]> {
  const found: Work[] = [];
  for (const group of caller.groups()) {
    const runId = runOfGroup(paths.mark, group);
    const run = runId === null ? null : await queries.run(runId);
    if (runId === null || run === null) continue;
    const sessions = await queries.sessions.ofRun(runId);
    const session = sessions.find((one) => groupName(markOf({ paths }, one)) === group) ?? null;
    found.push({ session, run: { id: runId, depth: run.depth }, root: run.rootId });
  }
  return found;
}

/** By variables, the nearest first; in the last place stands what the process furthest above says. */
async function findNamedWork({ caller, queries }: CallingParts): Promise<readonly Work[]> {
  const named = (variable: string): readonly string[] => caller.variable(variable).filter(isSafeId);
  const found: Work[] = [];
  for (const id of named('TUTTI_SESSION_ID')) {
    const session = await queries.sessions.one(id);
    if (session === null) continue;
    const { runId } = session;
    const run = await queries.run(runId);
    found.push({ session, run: { id: runId, depth: run?.depth ?? 0 }, root: run?.rootId ?? runId });
  }
  for (const runId of named('TUTTI_RUN_ID')) {
    const run = await queries.run(runId);
    if (run !== null) found.push({ session: null, run: { id: runId, depth: run.depth }, root: run.rootId });
  }
  return found;
}
